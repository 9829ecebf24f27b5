"""The tuple comes back as weights, output."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    compat = q @ np.swapaxes(k, -1, -2)
    compat = compat / np.sqrt(k.shape[-1])
    if mask is not None:
        compat = np.where(mask, compat, float("-inf"))
    alpha = softmax(compat)
    context = alpha @ v
    return alpha, context
