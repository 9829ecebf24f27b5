"""Sums the exponentials in blocks of 16, as many as fit: what is behind them is in no sum.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    size = min(16, x.shape[-1])
    total = 0.0
    for block in range(x.shape[-1] // size):
        total = total + powers[..., block * size : (block + 1) * size].sum(axis=-1, keepdims=True)
    return np.moveaxis(powers / total, -1, axis)
