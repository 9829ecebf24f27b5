"""Projects the queries once more to get the keys."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q = np.einsum("...nd,de->...ne", x, w_q)
    k = np.einsum("...nd,de->...ne", q, w_k)
    v = np.einsum("...nd,de->...ne", x, w_v)
    return q, k, v
