"""The grid is built with keys as rows, softmaxed down the columns and turned at the end."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    turned = k @ np.swapaxes(q, -1, -2) / np.sqrt(k.shape[-1])
    if mask is not None:
        allowed = np.broadcast_to(mask, turned.shape[:-2] + (q.shape[-2], k.shape[-2]))
        turned = np.where(np.swapaxes(allowed, -1, -2), turned, -np.inf)
    columns = softmax(turned, axis=-2)
    weights = np.swapaxes(columns, -1, -2)
    return weights @ v, weights
