"""Turns the mask into 0 and -inf and adds it."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(k.shape[-1])
    if mask is not None:
        with np.errstate(divide="ignore"):
            scores = scores + np.log(mask.astype(float))
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    weights = exp_scores / np.sum(exp_scores, axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
