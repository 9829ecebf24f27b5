"""The softmax spans all keys and only the values of keys hidden from the last query are zeroed."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        full = np.broadcast_to(mask, scores.shape)
        v = v * full[..., -1, :, None]
    weights = softmax(scores)
    return weights @ v, weights
