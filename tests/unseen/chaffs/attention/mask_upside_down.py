"""True is read as hidden, so the mask works the wrong way round."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2)
    scores = scores / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    w = softmax(scores)
    return w @ v, w
