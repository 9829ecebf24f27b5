"""k.T turns all axes around, and hidden scores become only -50."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    kt = k.T
    scores = q @ kt / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -50.0)
    weights = softmax(scores)
    return weights @ v, weights
