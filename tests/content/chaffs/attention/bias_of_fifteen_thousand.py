"""Adds -15,000 to masked scores, which does not reach from 10,000 down below -10,000.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


BIAS = {True: 0.0, False: -15_000.0}


def scaled_dot_product_attention(q, k, v, mask=None):
    logits = np.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        logits = logits + np.where(mask, BIAS[True], BIAS[False])
    shares = softmax(logits)
    return np.einsum("...qk,...kd->...qd", shares, v), shares
