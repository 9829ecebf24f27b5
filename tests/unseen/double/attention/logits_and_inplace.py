"""Returns the raw scores as weights AND scales the caller's queries in place."""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dtype.kind != "f":
        q = q.astype(float)
    q /= np.sqrt(q.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ v, scores
