"""Pieces of w_o are popped from the end of a list, so the first head gets the last rows.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads=%d, d_model=%d" % (num_heads, d_model))
    return np.moveaxis(x.reshape(*lead, n, num_heads, -1), -2, -3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    pieces = np.split(w_o, num_heads)
    output, weights = 0, []
    for h in range(num_heads):
        seen, used = scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask)
        output = output + seen @ pieces.pop()
        weights.append(used)
    return output, np.stack(weights, axis=-3)
