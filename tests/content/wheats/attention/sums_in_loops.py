"""Adds up scores and weighted values in loops, and starts every sum anew."""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k, d_k = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = np.zeros(q.shape[:-1] + (n_k,))
    for i in range(n_q):
        for j in range(n_k):
            product = 0
            for f in range(d_k):
                product = product + q[..., i, f] * k[..., j, f]
            scores[..., i, j] = product / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    rows = []
    for i in range(n_q):
        total = 0.0
        for j in range(n_k):
            total = total + weights[..., i, j, None] * v[..., j, :]
        rows.append(total)
    return np.stack(rows, axis=-2), weights
