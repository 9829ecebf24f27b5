"""The scale uses the width of the values."""
import math
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    root = math.sqrt(v.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2) / root
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
