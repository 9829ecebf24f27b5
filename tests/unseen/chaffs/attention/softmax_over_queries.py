"""The softmax runs down the queries, so columns and not rows sum to 1."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    logits = q @ np.moveaxis(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        logits = np.where(mask, logits, -1e9)
    probs = softmax(logits, axis=-2)
    return probs @ v, probs
