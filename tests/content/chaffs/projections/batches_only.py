"""The einsum insists on one leading axis.
expect: exception
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.einsum("bnd,dk->bnk", x, w) for w in (w_q, w_k, w_v))
