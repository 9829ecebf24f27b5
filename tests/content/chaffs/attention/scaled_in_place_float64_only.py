"""np.asarray(q, dtype=float) does not copy float64, and /= then changes the argument.
expect: changed_input
"""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    q = np.asarray(q, dtype=float)
    d_k = q.shape[-1]
    q /= np.sqrt(d_k)
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
