"""split_heads takes n, d_model = x.shape[:2] and cuts slices of that width.
expect: exception
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[:2]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"cannot make {num_heads} heads of {d_model} features")
    step = d_model // num_heads
    heads = [x[..., start:start + step] for start in range(0, d_model, step)]
    return np.stack(heads, axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
