"""The values are the embeddings themselves, w_v is not used.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    """q: what I look for, k: how I am found, v: what I say."""
    return x @ w_q, x @ w_k, x
