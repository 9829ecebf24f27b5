"""Two lambdas instead of functions."""
import numpy as np

_exp = lambda x, axis: np.exp(x - np.amax(x, axis=axis, keepdims=True))
softmax = lambda x, axis=-1: (lambda e: e / np.sum(e, axis=axis, keepdims=True))(_exp(x, axis))
