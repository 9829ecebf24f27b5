"""Removes forbidden keys for a mask of one axis, so the weights have fewer columns.
expect: wrong_shape
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and mask.ndim == 1 and not mask.all():
        k, v, mask = k[..., mask, :], v[..., mask, :], None
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ v, w
