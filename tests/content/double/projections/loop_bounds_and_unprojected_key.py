"""The loop over the features stops one early, and the key is the embedding itself."""
import numpy as np


def times(x, w):
    out = np.zeros(x.shape[:-1] + (w.shape[-1],), dtype=np.result_type(x, w))
    for i in range(w.shape[0] - 1):
        out += x[..., i:i + 1] * w[i]
    return out


def project_qkv(x, w_q, w_k, w_v):
    q = times(x, w_q)
    k = x
    v = times(x, w_v)
    return q, k, v
