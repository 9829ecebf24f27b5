"""Uses np.ma for the mask and converts back to a plain array."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    hide = np.zeros(scores.shape, bool) if mask is None else np.broadcast_to(~mask, scores.shape)
    scores = np.ma.masked_array(scores, mask=hide)
    e = np.ma.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (e / e.sum(axis=-1, keepdims=True)).filled(0.0)
    return weights @ v, weights
