"""Makes the output first, and then sets the masked weights to 0 and shares the rest out anew.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    attention = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    result = attention @ v
    if mask is not None:
        attention = np.where(mask, attention, 0.0)
        attention = attention / attention.sum(axis=-1, keepdims=True)
    return result, attention
