"""The merged heads are returned without the last matrix w_o."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def _check(d_model, num_heads):
    if num_heads <= 0 or d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")


def split_heads(x, num_heads):
    _check(x.shape[-1], num_heads)
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    _check(x.shape[-1], num_heads)
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    m = None if mask is None else mask[..., None, :, :]
    o, w = scaled_dot_product_attention(split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), m)
    merged = merge_heads(o)
    return merged, w
