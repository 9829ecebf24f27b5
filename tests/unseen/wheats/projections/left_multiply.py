"""Multiplies from the left with transposed matrices and swaps back."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    columns = x.swapaxes(-1, -2)
    q, k, v = [(w.T @ columns).swapaxes(-1, -2) for w in (w_q, w_k, w_v)]
    return q, k, v
