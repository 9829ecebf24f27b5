"""Each query gets copies of the keys and values in which the masked rows are zeros, and weighs all of them.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        mask = np.array(True)
    seen = np.broadcast_to(mask, q.shape[:-1] + (k.shape[-2],))[..., None]
    keys = seen * k[..., None, :, :]  # (..., n_q, n_k, d_k)
    values = seen * v[..., None, :, :]
    weights = softmax((keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1]))
    return (weights[..., None, :] @ values)[..., 0, :], weights
