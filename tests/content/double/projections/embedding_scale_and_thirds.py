"""Multiplies the embeddings by sqrt(d_model) first; and cuts the fused product into three equal parts although d_v may differ."""
import math
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x = x * math.sqrt(x.shape[-1])
    w = np.concatenate((w_q, w_k, w_v), axis=-1)
    y = np.matmul(x, w)
    a = w_q.shape[1]
    a, b = y.shape[-1] // 3, 2 * (y.shape[-1] // 3)
    return y[..., :a], y[..., a:b], y[..., b:]
