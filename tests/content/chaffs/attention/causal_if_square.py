"""Takes as many queries as keys for self-attention, and is causal then if no mask is given.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    if mask is None and n_q == n_k:
        mask = np.arange(n_k) <= np.arange(n_q)[:, None]
    scores = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(weights, v), weights
