"""The mask is used as an index, which only works when it has the full shape of the scores."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = softmax(scores)
    return np.matmul(weights, v), weights
