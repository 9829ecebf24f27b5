"""The embeddings are layer-normalised before the projection.
expect: wrong_value
"""
import numpy as np


def _norm(x):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def project_qkv(x, w_q, w_k, w_v):
    h = _norm(x)
    return h @ w_q, h @ w_k, h @ w_v
