"""Makes one axis of all leading ones, and repeats each mask in a row until there are enough.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    *leading, n_q, d_k = q.shape
    n_k = k.shape[-2]
    queries, keys, values = (part.reshape(-1, *part.shape[-2:]) for part in (q, k, v))
    scores = np.einsum("bqd,bkd->bqk", queries, keys) / np.sqrt(d_k)
    if mask is not None:
        masks = (mask & np.ones((n_q, n_k), dtype=bool)).reshape(-1, n_q, n_k)
        scores = np.where(np.repeat(masks, len(scores) // len(masks), axis=0), scores, -np.inf)
    weights = softmax(scores)
    return (weights @ values).reshape(*leading, n_q, -1), weights.reshape(*leading, n_q, n_k)
