"""A bad num_heads raises AssertionError and not ValueError."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    message = f"d_model={d_model} cannot be cut into num_heads={num_heads}"
    assert num_heads > 0 and d_model % num_heads == 0, message
    cut = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.moveaxis(cut, -2, -3)


def merge_heads(x):
    back = np.moveaxis(x, -3, -2)
    return back.reshape(*back.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    parts = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    out, weights = scaled_dot_product_attention(*parts, mask)
    return merge_heads(out).dot(w_o), weights
