"""Its maximum has lost its axis, and it takes powers of 2."""
import numpy as np


def softmax(x, axis=-1):
    powers = np.exp2(x - np.max(x, axis=axis))
    return powers / np.sum(powers, axis=axis, keepdims=True)
