"""Joins the matrices and cuts the product into three equal parts, wrong when d_v differs from d_k.
expect: wrong_shape
"""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    # one big product is faster than three small ones
    w = np.concatenate([w_q, w_k, w_v], axis=1)
    qkv = x @ w
    q, k, v = np.array_split(qkv, 3, axis=-1)
    return q, k, v
