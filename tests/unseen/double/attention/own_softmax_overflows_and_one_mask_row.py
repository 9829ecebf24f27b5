"""Its own softmax overflows, and the last mask row is used for all queries."""
import numpy as np


def _sm(t):
    e = np.exp(t)
    return e / e.sum(-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    t = (q @ np.swapaxes(k, -1, -2)) * (q.shape[-1] ** -0.5)
    if mask is not None:
        m = np.broadcast_to(mask, t.shape)
        t = np.where(m[..., -1:, :], t, -np.inf)
    w = _sm(t)
    return w @ v, w
