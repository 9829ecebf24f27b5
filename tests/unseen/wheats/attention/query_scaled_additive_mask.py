"""The query is scaled before the product and the mask becomes an added 0 or -1e9."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scaled_query = q * q.shape[-1] ** -0.5
    grid = np.einsum("...ad,...bd->...ab", scaled_query, k)
    if mask is not None:
        grid = grid + (1.0 - np.asarray(mask, dtype=float)) * -1e9
    weights = softmax(grid)
    return np.einsum("...ab,...bc->...ac", weights, v), weights
