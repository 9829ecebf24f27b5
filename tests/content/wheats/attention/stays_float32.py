"""Keeps float32 input in float32 from start to end."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    dtype = np.result_type(q, k, v)
    if not np.issubdtype(dtype, np.floating):
        dtype = np.dtype(np.float64)
    q, k, v = q.astype(dtype), k.astype(dtype), v.astype(dtype)
    scores = (q @ k.swapaxes(-1, -2)) / dtype.type(np.sqrt(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, dtype.type(-np.inf))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return (weights @ v).astype(dtype), weights.astype(dtype)
