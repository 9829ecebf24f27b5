"""Takes x for token ids and makes whole numbers of it.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    ids = x.astype(np.int32)
    return ids @ w_q, ids @ w_k, ids @ w_v
