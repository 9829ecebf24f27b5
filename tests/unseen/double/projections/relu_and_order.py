"""The values pass through a ReLU AND queries and keys trade places."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q, k, v = (np.matmul(x, w) for w in (w_q, w_k, w_v))
    return k, q, np.maximum(v, 0)
