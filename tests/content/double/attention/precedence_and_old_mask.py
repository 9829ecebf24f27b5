"""D_k ** 1 / 2 halves d_k instead of taking its root, and the last mask is kept for calls without one."""
import numpy as np
from softmax import softmax

_state = dict(mask=None)


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = q @ np.swapaxes(k, -1, -2) / (d_k ** 1 / 2)
    if mask is not None:
        _state["mask"] = mask
    if _state["mask"] is not None:
        scores = np.where(_state["mask"], scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights
