"""Online softmax in blocks of 32, whose sum is not rescaled when the maximum grows.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=np.result_type(x, np.float32)), axis, -1)
    top, total = -np.inf, 0.0
    for start in range(0, x.shape[-1], 32):
        block = x[..., start : start + 32]
        top = np.maximum(top, block.max(axis=-1, keepdims=True))
        total = total + np.exp(block - top).sum(axis=-1, keepdims=True)
    return np.moveaxis(np.exp(x - top) / total, -1, axis)
