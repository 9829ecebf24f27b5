"""The mask is copied once for each head with np.repeat in place of broadcasting."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads not in range(1, d_model + 1) or d_model % num_heads:
        raise ValueError(f"{num_heads} heads are not possible with {d_model} features")
    return np.array(np.split(x, num_heads, axis=-1)).transpose(*range(1, x.ndim - 1), 0, x.ndim - 1, x.ndim)


def merge_heads(x):
    order = list(range(x.ndim))
    order[-3], order[-2] = order[-2], order[-3]
    y = x.transpose(order)
    return y.reshape(*y.shape[:-2], y.shape[-1] * y.shape[-2])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = np.repeat(np.expand_dims(mask, -3), num_heads, axis=-3)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return [merge_heads(out) @ w_o, weights]
