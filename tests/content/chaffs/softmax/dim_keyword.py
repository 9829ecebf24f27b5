"""Calls the parameter dim, so softmax(x, axis=0) cannot be called.
expect: wrong_signature
"""
import numpy as np


def softmax(x, dim=-1):
    e = np.exp(x - np.max(x, axis=dim, keepdims=True))
    return e / np.sum(e, axis=dim, keepdims=True)
