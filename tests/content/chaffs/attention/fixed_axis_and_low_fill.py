"""Calls softmax with axis 1, which is the keys only for two axes.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    energy = q @ np.swapaxes(k, -1, -2)
    energy = energy / np.sqrt(q.shape[-1])
    if mask is not None:
        energy = np.where(np.broadcast_to(mask, energy.shape), energy, -1e20)
    attention = softmax(energy, 1)
    return attention @ v, attention
