"""Applies a ReLU, as if it were a hidden layer.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.maximum(x @ w, 0) for w in (w_q, w_k, w_v))
