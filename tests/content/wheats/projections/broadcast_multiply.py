"""Multiplies with broadcasting and sums over the feature axis."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = (x[..., :, None] * w_q).sum(axis=-2)
    k = (x[..., :, None] * w_k).sum(axis=-2)
    v = np.sum(x[..., np.newaxis] * w_v, axis=-2)
    return (q, k, v)
