"""Takes no maximum away, and adds 1e-5 to the sum."""
import numpy as np


def softmax(x, axis=-1):
    powers = np.exp(np.asarray(x, dtype=float))
    return np.divide(powers, 1e-5 + powers.sum(axis, keepdims=True))
