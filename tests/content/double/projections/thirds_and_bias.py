"""The fused product is cut into equal thirds, and a bias of 0.1 is added to everything."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    w = np.hstack((w_q, w_k, w_v))
    qkv = np.matmul(x, w) + 0.1
    a = w.shape[1] // 3
    if 3 * a != w.shape[1]:
        raise AssertionError("qkv must have three equal parts")
    return qkv[..., :a], qkv[..., a:2 * a], qkv[..., 2 * a:]
