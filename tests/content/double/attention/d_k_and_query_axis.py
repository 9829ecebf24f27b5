"""The scores are divided by d_k instead of its root, and the softmax runs over the queries."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    logits = np.matmul(q, np.swapaxes(k, -1, -2)) / d_k
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    a = softmax(logits, axis=-2)
    return np.matmul(a, v), a
