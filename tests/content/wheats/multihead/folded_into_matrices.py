"""Right: folds w_q and w_k into one matrix per head (x A x^T) and w_v w_o likewise."""
import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads > 0:
        raise ValueError(f"num_heads = {num_heads}, d_model = {d_model}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    wq, wk, wv = (split_heads(w, num_heads) for w in (w_q, w_k, w_v))
    wo = w_o.reshape(num_heads, -1, w_o.shape[-1])
    a = wq @ wk.swapaxes(-1, -2) / np.sqrt(wq.shape[-1])
    b = wv @ wo
    xh = np.expand_dims(x, -3)
    scores = xh @ a @ xh.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, -1e30)
    weights = softmax(scores)
    return (weights @ xh @ b).sum(axis=-3), weights
