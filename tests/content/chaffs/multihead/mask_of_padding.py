"""A mask of two axes is taken for one of padding, with a row for each sequence.
expect: wrong_shape
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} and d_model={d_model}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def extend(mask):
    if mask is None:
        return None
    if mask.ndim == 2:
        mask = mask[:, None]
    return np.expand_dims(mask, -3)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, extend(mask))
    return merge_heads(heads) @ w_o, weights
