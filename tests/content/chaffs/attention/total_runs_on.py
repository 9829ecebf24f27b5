"""Sets the sum of weighted values to 0 before the loop over the queries, so each row also holds those above it.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    rows = []
    total = 0.0
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            total = total + weights[..., i, j, None] * v[..., j, :]
        rows.append(total)
    return np.stack(rows, axis=-2), weights
