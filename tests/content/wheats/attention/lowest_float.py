"""Adds the lowest finite number of the score type in place of -inf."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1]).astype(np.result_type(q, np.float32))
    if mask is not None:
        lowest = np.finfo(scores.dtype).min / 2
        scores = scores + np.where(mask, 0, lowest).astype(scores.dtype)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
