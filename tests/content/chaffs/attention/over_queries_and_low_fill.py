"""Normalises over the queries instead of the keys.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    dk = np.shape(k)[-1]
    matmul_qk = np.matmul(q, np.moveaxis(k, -1, -2))
    logits = matmul_qk / np.sqrt(dk)
    if mask is not None:
        logits = logits + np.where(mask, 0.0, -1e9)
    attention_weights = softmax(logits, axis=-2)
    return np.matmul(attention_weights, v), attention_weights
