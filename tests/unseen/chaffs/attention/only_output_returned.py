"""Only the output is returned, the weights are missing."""
import numpy as np
from softmax import softmax


def _scores(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


def scaled_dot_product_attention(q, k, v, mask=None):
    s = _scores(q, k)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ v
