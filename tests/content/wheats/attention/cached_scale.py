"""A helper with lru_cache and a call counter: state that no result depends on."""
from functools import lru_cache

import numpy as np

calls = 0


@lru_cache(maxsize=None)
def scale(d_k):
    return 1 / np.sqrt(d_k)


def scaled_dot_product_attention(q, k, v, mask=None):
    global calls
    calls += 1
    scores = scale(q.shape[-1]) * np.einsum("...qd,...kd->...qk", q, k)
    if mask is None:
        mask = np.array(True)
    scores = np.where(mask, scores, -np.inf)
    scores = scores - np.maximum.reduce(scores, axis=-1, keepdims=True)
    e = np.exp(scores)
    w = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kd->...qd", w, v), w
