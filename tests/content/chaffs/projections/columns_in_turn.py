"""Multiplies with all three matrices side by side, and then takes every third column for each part.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    everything = x @ np.concatenate((w_q, w_k, w_v), axis=-1)
    return tuple(everything[..., start::3] for start in range(3))
