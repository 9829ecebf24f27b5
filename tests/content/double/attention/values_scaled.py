"""Scales the queries and the values by the fourth root of d_k instead of the queries and the keys."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(queries, keys, values, mask=None):
    e = queries.shape[-1]
    queries = queries / (e ** (1 / 4))
    values = values / (e ** (1 / 4))
    dot = queries @ np.swapaxes(keys, -1, -2)
    if mask is not None:
        dot = np.where(mask, dot, -np.inf)
    dot = softmax(dot)
    return dot @ values, dot
