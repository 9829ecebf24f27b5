"""Sets the sum of products to 0 before the loop over the keys, so each score also holds those of the keys before.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k, d_k = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = np.zeros(q.shape[:-1] + (n_k,))
    for i in range(n_q):
        product = 0
        for j in range(n_k):
            for f in range(d_k):
                product = product + q[..., i, f] * k[..., j, f]
            scores[..., i, j] = product / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
