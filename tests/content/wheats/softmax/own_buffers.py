"""Uses ufunc out= on arrays it has made itself."""
import numpy as np


def softmax(x, axis=-1):
    dtype = x.dtype if np.issubdtype(x.dtype, np.floating) else np.float64
    out = np.empty(x.shape, dtype=dtype)
    np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=axis, keepdims=True), out=out)
    return out
