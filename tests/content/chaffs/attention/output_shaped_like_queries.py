"""The output buffer has the shape of the queries, wrong when d_v differs from d_k.
expect: exception
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    output = np.zeros(q.shape)
    for j in range(k.shape[-2]):
        output += weights[..., j, None] * v[..., j, None, :]
    return output, weights
