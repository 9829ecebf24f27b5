"""A private float copy is made and all steps happen in place on it."""
import numpy as np


def softmax(x, axis=-1):
    work = np.array(x, dtype=np.result_type(x, np.float32), copy=True)
    work -= np.maximum.reduce(work, axis=axis, keepdims=True)
    np.exp(work, out=work)
    work /= np.add.reduce(work, axis=axis, keepdims=True)
    return work
