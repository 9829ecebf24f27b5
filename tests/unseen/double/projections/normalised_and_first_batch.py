"""Normalises the embeddings first AND drops all but the first of the batch."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    while x.ndim > 2:
        x = x[0]
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return x @ w_q, x @ w_k, x @ w_v
