"""Adds sines and cosines of the positions to x, in turn, which needs an even width.
expect: wrong_value
"""
import numpy as np


def positions(n, width):
    encoding = np.zeros((n, width))
    at = np.arange(n)[:, None]
    frequency = np.exp(np.arange(0, width, 2) * (-np.log(10_000.0) / width))
    encoding[:, 0::2] = np.sin(at * frequency)
    encoding[:, 1::2] = np.cos(at * frequency)
    return encoding


def project_qkv(x, w_q, w_k, w_v):
    x = x + positions(*x.shape[-2:])
    return x @ w_q, x @ w_k, x @ w_v
