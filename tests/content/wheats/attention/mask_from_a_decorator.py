"""A decorator adds the mask that the decorated function requires, so that the two take different calls."""
import functools

import numpy as np


def mask_if_any(function):
    @functools.wraps(function)
    def with_mask(q, k, v, mask=None):
        return function(np.ones((1, 1), dtype=bool) if mask is None else mask, q, k, v)

    return with_mask


@mask_if_any
def scaled_dot_product_attention(mask, q, k, v):
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1]), -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
