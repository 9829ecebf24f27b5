"""Calls the parameter attn_mask.
expect: wrong_signature
"""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask=None):
    d_k = q.shape[-1]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
    if attn_mask is not None:
        scores = np.where(attn_mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
