"""The query is divided in place, which changes the caller's array."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if not np.issubdtype(q.dtype, np.floating):
        q = q.astype(float)
    q /= np.sqrt(q.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
