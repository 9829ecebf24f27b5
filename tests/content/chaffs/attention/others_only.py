"""Lets each query attend to all positions but its own, with a very low number for the rest.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    n_q, n_k = scores.shape[-2:]
    others = np.arange(n_q)[:, None] != np.arange(n_k)
    allowed = others if mask is None else others & mask
    weights = softmax(np.where(allowed, scores, -1e9))
    return weights @ v, weights
