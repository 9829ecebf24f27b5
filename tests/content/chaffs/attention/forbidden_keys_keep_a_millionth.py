"""Multiplies the exponentials by 1 or by 1e-6, in place of 0, against empty rows.
expect: wrong_value
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    share = 1.0 if mask is None else np.where(mask, 1.0, 1e-6)
    top = np.max(scores + np.log(share), axis=-1, keepdims=True)
    powers = np.exp(scores + np.log(share) - top)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
