"""The keys are reshaped to (d_k, n_k) instead of transposed.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k, d_k = k.shape[-2:]
    k_t = k.reshape(k.shape[:-2] + (d_k, n_k))
    scores = q @ k_t / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
