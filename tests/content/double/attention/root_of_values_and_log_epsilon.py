"""Divides by the root of the width of the values; and adds the logarithm of the mask plus a small number."""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores + np.log(np.asarray(mask, dtype=float) + 1e-8)
    weights = softmax(scores)
    return weights @ v, weights
