"""Scales by the root of d_model, and gives each head the rows of w_o of the next one."""
import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads=%d, d_model=%d" % (num_heads, d_model))
    return np.moveaxis(x.reshape(*lead, n, num_heads, -1), -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(len(w_q))
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = softmax(scores)
    pieces = np.split(w_o, num_heads)
    rows = np.concatenate(pieces[1:] + pieces[:1])
    return merge_heads(weights @ v) @ rows, weights
