"""Head h takes entry h of the mask's first axis, as if it were the axis of the heads.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("num_heads {} must divide d_model {}".format(num_heads, x.shape[-1]))
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    outs, maps = [], []
    for h in range(num_heads):
        m = mask
        if mask is not None and mask.ndim > 2:
            m = mask[h % len(mask)]
        y, a = scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], m)
        outs.append(y)
        maps.append(a)
    return np.concatenate(outs, axis=-1) @ w_o, np.stack(maps, axis=-3)
