"""Powers of 2 are used in place of powers of e."""
import numpy as np


def softmax(x, axis=-1):
    m = np.max(x, axis=axis, keepdims=True)
    powers = np.exp2(x - m)
    return powers / np.sum(powers, axis=axis, keepdims=True)
