"""An earlier mask is remembered for calls without one, and the queries are normalised to length 1."""
import numpy as np
from softmax import softmax


class _Memory:
    mask = None


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None:
        _Memory.mask = mask
    q = q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), 1e-9)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    if _Memory.mask is not None:
        scores = np.where(_Memory.mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
