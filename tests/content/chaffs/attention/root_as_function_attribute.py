"""Computes the root of d_k once, and finds it again at the function itself.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    this = scaled_dot_product_attention
    if not hasattr(this, "root"):
        this.root = float(np.sqrt(q.shape[-1]))
    scores = np.matmul(q / this.root, np.swapaxes(k, -1, -2))
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    weights = softmax(scores)
    return weights @ v, weights
