"""Scales by the number of keys, k.shape[-2], instead of their width."""

import math

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.moveaxis(k, -1, -2) / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    return p @ v, p
