"""Takes one query after another, as many as there are keys.
expect: exception
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    output = np.zeros(q.shape[:-1] + v.shape[-1:])
    weights = np.zeros(scores.shape)
    for i in range(k.shape[-2]):
        weights[..., i, :] = softmax(scores[..., i, :])
        output[..., i, :] = np.einsum("...j,...jd->...d", weights[..., i, :], v)
    return output, weights
