"""Hands back the scores in place of the weights."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    attn = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        attn = np.where(mask, attn, -np.inf)
    output = softmax(attn) @ v
    return output, attn
