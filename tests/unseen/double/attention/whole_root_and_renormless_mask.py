"""The square root of d_k is cut to a whole number, and the mask zeroes weights after the softmax."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    root = int(np.sqrt(q.shape[-1]))
    s = q @ np.swapaxes(k, -1, -2) / root
    w = softmax(s)
    if mask is not None:
        w = np.where(mask, w, 0.0)
    return w @ v, w
