"""Splits a fused projection in three equal parts although d_v may differ."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    fused = np.concatenate([w_q, w_k, w_v], axis=1)
    everything = x @ fused
    third = everything.shape[-1] // 3
    q = everything[..., :third]
    k = everything[..., third:2 * third]
    v = everything[..., 2 * third:]
    return q, k, v
