"""Values are made with w_k, and x is centred in place."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    x -= x.mean(axis=-1, keepdims=True)
    return x @ w_q, x @ w_k, x @ w_k
