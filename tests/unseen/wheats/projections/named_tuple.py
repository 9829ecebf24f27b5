"""The three results come back as a named tuple."""
from collections import namedtuple
import numpy as np

QKV = namedtuple("QKV", "queries keys values")


def project_qkv(x, w_q, w_k, w_v):
    return QKV(*(np.matmul(x, w) for w in (w_q, w_k, w_v)))
