"""One head after another, with -100,000 in place of masked scores; mask by keyword only."""
import numpy as np


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("cannot split %d features into %d heads" % (d_model, num_heads))
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, *, mask=None):
    outputs, maps = [], []
    parts = [split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)]
    for h in range(num_heads):
        q, k, v = (part[..., h, :, :] for part in parts)
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -1e5)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = scores / scores.sum(axis=-1, keepdims=True)
        maps.append(weights)
        outputs.append(weights @ v)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(maps, axis=-3)
