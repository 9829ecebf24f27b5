"""Every head takes the values of the first head.
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
    split_heads(x, num_heads)
    d = x.shape[-1] // num_heads
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    outs, maps = [], []
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        o, a = scaled_dot_product_attention(q[..., s], k[..., s], v[..., :d], mask)
        outs.append(o)
        maps.append(a)
    return np.concatenate(outs, axis=-1) @ w_o, np.stack(maps, axis=-3)
