"""Takes the queries in pairs, all of them with the two rows of the mask that the first pair has.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    rows = np.ones(q.shape[:-1] + (n_k,), dtype=bool)
    if mask is not None:
        rows &= mask
    weights = np.empty(rows.shape)
    for i in range(n_q):
        scores = k @ q[..., i, :, None] / np.sqrt(q.shape[-1])
        weights[..., i, :] = softmax(np.where(rows[..., i % 2, :], scores[..., 0], -np.inf))
    return weights @ v, weights
