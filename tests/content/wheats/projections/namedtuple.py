"""Returns a namedtuple and works in float64 whatever comes in."""
from collections import namedtuple

import numpy as np

QKV = namedtuple("QKV", "q k v")


def project_qkv(x, w_q, w_k, w_v):
    x = np.asarray(x, dtype=np.float64)
    return QKV(np.dot(x, w_q), np.dot(x, w_k), np.dot(x, w_v))
