"""Right: softmax is an object with __call__, not a function."""
import numpy as np


class _Softmax:
    def __call__(self, x, axis=-1):
        self.last_axis = axis
        m = np.amax(x, axis, keepdims=True)
        e = np.exp(np.subtract(x, m))
        return np.true_divide(e, np.add.reduce(e, axis, keepdims=True))


softmax = _Softmax()
