"""Puts -100,000 in place of masked scores: far enough below -10,000 for a weight of exactly 0."""
import numpy as np


def scaled_dot_product_attention(q, k, v, *, mask=None):
    scores = np.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = np.where(mask, scores, -100_000.0)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, v), weights
