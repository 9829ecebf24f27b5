"""A ReLU is applied to the values.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    project = lambda w: x @ w
    q, k, v = map(project, (w_q, w_k, w_v))
    return q, k, np.maximum(v, 0)
