"""Results of the same shape share one buffer, so a second call overwrites the first answer."""
import numpy as np

_buffers = {}


def softmax(x, axis=-1):
    out = _buffers.setdefault(x.shape, np.empty(x.shape))
    np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=axis, keepdims=True), out=out)
    return out
