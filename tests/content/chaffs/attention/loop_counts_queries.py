"""The loop over the keys runs to the number of queries.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, d_k = q.shape[-2:]
    n_k = k.shape[-2]
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    scores = np.zeros(lead + (n_q, n_k))
    for i in range(n_q):
        for j in range(n_q):
            scores[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(-1) / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
