"""Cuts one product at multiples of d_v in place of d_k.
expect: wrong_shape
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    d = w_v.shape[1]
    all_three = x @ np.hstack([w_q, w_k, w_v])
    return all_three[..., :d], all_three[..., d:2 * d], all_three[..., 2 * d:]
