"""Written for plain matrices and lifted by np.vectorize with a signature."""

import numpy as np
from softmax import softmax


def _plain(q, k, v, allowed):
    w = softmax(np.where(allowed, q @ k.T / np.sqrt(q.shape[1]), -np.inf))
    return w @ v, w


_lifted = np.vectorize(_plain, otypes=[float, float], signature="(q,d),(k,d),(k,e),(q,k)->(q,e),(q,k)")


def scaled_dot_product_attention(q, k, v, mask=None):
    shape = (q.shape[-2], k.shape[-2])
    if mask is None:
        mask = np.ones(shape, dtype=bool)
    mask = np.asarray(mask)
    mask = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, shape))
    return _lifted(q, k, v, mask)
