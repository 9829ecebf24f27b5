"""The values are cached by shape, so a second input of the same shape gets the old ones.
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


class _Cache(dict):
    def get_or(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]


_cache = _Cache()


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    v = _cache.get_or(v.shape, v)
    q, k, v = (split_heads(t, num_heads) for t in (q, k, v))
    if mask is not None:
        mask = mask[..., None, :, :]
    y, a = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(y) @ w_o, a
