"""Right: multiplies exp by the mask and divides by the sum of what is left, maximum over allowed keys only."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum('...qd,...kd->...qk', q, k) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=-np.inf)
    unnormalised = np.exp(np.minimum(scores - top, 0)) * keep
    weights = unnormalised / unnormalised.sum(axis=-1, keepdims=True)
    return np.einsum('...qk,...kd->...qd', weights, v), weights
