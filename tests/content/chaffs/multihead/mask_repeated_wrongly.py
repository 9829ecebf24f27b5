"""Batch and heads are flattened to one axis and the mask is tiled where it should be repeated.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut {d_model} features into {num_heads} heads")
    return x.reshape(*lead, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    *lead, n, d = x.shape
    split_heads(x, num_heads)
    batch = int(np.prod(lead))

    def flat(y):
        return split_heads(y, num_heads).reshape(batch * num_heads, n, d // num_heads)

    q, k, v = map(flat, project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.broadcast_to(mask, (*lead, n, n)).reshape(batch, n, n)
        mask = np.tile(mask, (num_heads, 1, 1))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    out = out.reshape(*lead, num_heads, n, d // num_heads)
    return merge_heads(out) @ w_o, weights.reshape(*lead, num_heads, n, n)
