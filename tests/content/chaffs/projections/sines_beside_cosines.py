"""Adds sines of the positions to the first half of x and cosines to the other half.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    n, width = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10_000 ** (np.arange(0, width, 2) / width)
    encoding = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    with_positions = x + encoding[:, :width]
    return tuple(with_positions @ w for w in (w_q, w_k, w_v))
