"""Flattens the scores in the order in which they lie in memory, so a transposed view comes out mixed up.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    numbers = np.asarray(x).flatten(order="K").reshape(np.shape(x))
    powers = np.exp(numbers - numbers.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
