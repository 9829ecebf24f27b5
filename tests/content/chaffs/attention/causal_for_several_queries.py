"""Without a mask it lets no query see a later key, as soon as there is more than one query.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    elif q.shape[-2] > 1:
        for i in range(q.shape[-2]):
            scores[..., i, i + 1 :] = -np.inf
    weights = softmax(scores)
    return weights @ v, weights
