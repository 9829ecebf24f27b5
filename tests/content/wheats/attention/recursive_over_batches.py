"""Calls itself for each element of the leading axes."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.ndim == 2:
        s = np.dot(q, k.T) / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        w = np.exp(s - s.max(1, keepdims=True))
        w = w / w.sum(1, keepdims=True)
        return np.dot(w, v), w
    if mask is None:
        mask = True
    mask = np.broadcast_to(mask, q.shape[:-1] + k.shape[-2:-1])
    pairs = [scaled_dot_product_attention(*one) for one in zip(q, k, v, mask)]
    return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
