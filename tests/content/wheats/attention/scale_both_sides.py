"""Divides q and k each by the fourth root of d_k, on own copies; Fortran-ordered weights."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    q = np.array(q, dtype=np.float64)
    k = np.array(k, dtype=np.float64)
    root = q.shape[-1] ** 0.25
    q /= root
    k /= root
    scores = q @ np.swapaxes(k, -1, -2)
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores @ v, np.asfortranarray(scores)
