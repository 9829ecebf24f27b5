"""The query is scaled in place and the caller's array changes, and the scale uses the width of the values."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = np.sqrt(v.shape[-1])
    if np.issubdtype(q.dtype, np.integer):
        q = q.astype(float)
    q /= scale
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
