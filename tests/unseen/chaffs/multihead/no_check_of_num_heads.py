"""Nothing checks num_heads, so the only complaint is whatever reshape or the division says."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    d_head = d_model // num_heads
    return x.reshape(*x.shape[:-1], num_heads, d_head).swapaxes(-3, -2)


def merge_heads(x):
    y = x.swapaxes(-3, -2)
    return y.reshape(*y.shape[:-2], y.shape[-2] * y.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.expand_dims(mask, axis=-3)
    out, attn = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, attn
