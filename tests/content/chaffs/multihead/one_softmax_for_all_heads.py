"""The softmax runs over the heads and the keys at once.
expect: wrong_value
"""
import numpy as np
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    e = np.exp(scores - np.max(scores, axis=(-3, -1), keepdims=True))
    weights = e / np.sum(e, axis=(-3, -1), keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
