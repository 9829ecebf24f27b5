"""Scores below -100 are raised to it, those of -inf as well.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    raised = np.maximum(x, -100.0)
    e = np.exp(raised - raised.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
