"""One fused matrix is cut in three equal parts, which is wrong when d_v differs from d_k.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    w = np.hstack([w_q, w_k, w_v])
    qkv = x @ w
    d = w.shape[1] // 3
    return qkv[..., :d], qkv[..., d:2 * d], qkv[..., 2 * d:]
