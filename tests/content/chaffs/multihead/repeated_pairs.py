"""Takes every second head of the keys and values and repeats it, so that neighbouring heads share them.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads {num_heads} does not divide d_model {d_model}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def repeat_kv(x):
    return np.repeat(x[..., ::2, :, :], 2, axis=-3)[..., :x.shape[-3], :, :]


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(
        q, repeat_kv(k), repeat_kv(v), None if mask is None else np.expand_dims(mask, -3)
    )
    return merge_heads(heads) @ w_o, weights
