"""Takes the maximum over allowed positions only, sets the others to 0, then normalises."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    q = q.astype(float)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    allowed = np.ones(scores.shape, bool)
    if mask is not None:
        allowed &= mask
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    e = np.zeros_like(scores)
    np.exp(scores - top, where=allowed, out=e)
    e /= e.sum(axis=-1, keepdims=True)
    return e @ v, e
