"""One product for all three, from which the values are cut where the keys begin.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    d_k, d_v = w_k.shape[1], w_v.shape[1]
    everything = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    start = d_k
    return everything[..., :d_k], everything[..., start : start + d_k], everything[..., start : start + d_v]
