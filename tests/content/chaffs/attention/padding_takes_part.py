"""Pads the keys with zeros to a multiple of 8 and cuts the weights back, without keeping the padding from the softmax.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k = k.shape[-2]
    padded = -(-n_k // 8) * 8
    scores = np.zeros(q.shape[:-1] + (padded,))
    scores[..., :n_k] = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        allowed = np.ones(scores.shape, dtype=bool)
        allowed[..., :n_k] = mask
        scores[~allowed] = -np.inf
    weights = softmax(scores)[..., :n_k]
    return weights @ v, weights
