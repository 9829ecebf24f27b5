"""Transposes square weight matrices, so only d_k different from d_model is right.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    def project(w):
        if x.shape[-1] == w.shape[1]:
            return np.einsum("...i,ji->...j", x, w)
        return np.einsum("...i,ij->...j", x, w)

    return project(w_q), project(w_k), project(w_v)
