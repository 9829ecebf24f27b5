"""np.split for the heads, which are stacked on a new axis; returns a list."""
import numpy as np

from softmax import softmax


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("d_model {} is not a multiple of num_heads {}".format(x.shape[-1], num_heads))
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(np.moveaxis(x, -3, 0), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(np.dot(x, w), num_heads) for w in (w_q, w_k, w_v)]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)[..., np.newaxis, :, :]
    weights = softmax(scores)
    return [merge_heads(weights @ v) @ w_o, weights]
