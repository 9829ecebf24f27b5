"""One fused product, cut at the true widths."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    a, b = w_q.shape[1], w_q.shape[1] + w_k.shape[1]
    q, k, v = np.split(x @ np.hstack((w_q, w_k, w_v)), [a, b], axis=-1)
    return q, k, v
