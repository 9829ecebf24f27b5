"""Splits with np.array_split, which takes uneven heads silently, and pads them.
expect: wrong_value
"""
import numpy as np


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"{num_heads} heads for {d_model} features")
    parts = np.array_split(x, num_heads, axis=-1)
    width = parts[0].shape[-1]
    pad = [(0, 0)] * (x.ndim - 1)
    parts = [np.pad(p, pad + [(0, width - p.shape[-1])]) for p in parts]
    return np.stack(parts, axis=-3)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q = split_heads(x @ w_q, num_heads)
    k = split_heads(x @ w_k, num_heads)
    v = split_heads(x @ w_v, num_heads)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
