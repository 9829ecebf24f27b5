"""The softmax runs over the queries, and the results are returned as weights first."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    s = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(k.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s, axis=-2)
    o = np.einsum("...qk,...kd->...qd", w, v)
    return w, o
