"""Loops over mask[i, j] and so takes only a mask of shape (n_q, n_k).
expect: exception
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        n_q, n_k = scores.shape[-2:]
        for i in range(n_q):
            for j in range(n_k):
                if not mask[i, j]:
                    scores[..., i, j] = -np.inf
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", weights, v), weights
