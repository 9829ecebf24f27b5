"""Takes the width of the values for the scale."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    dim = v.shape[-1]
    scores = q @ k.swapaxes(-1, -2) * dim ** -0.5
    if mask is not None:
        scores = np.where(mask, scores, float("-inf"))
    attn = softmax(scores, -1)
    return attn @ v, attn
