"""Only the queries have heads: keys and values are cut to the width of one head, and all heads share them.
expect: wrong_value
"""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads <= 0 or d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} cannot be shared out among {num_heads} heads")
    return x.reshape(*x.shape[:-1], num_heads, -1).swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads <= 0 or d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} cannot be shared out among {num_heads} heads")
    d_head = d_model // num_heads
    q, k, v = project_qkv(x, w_q, w_k[:, :d_head], w_v[:, :d_head])
    outputs, weights = [], []
    for h in range(num_heads):
        output, w = scaled_dot_product_attention(q[..., h * d_head : (h + 1) * d_head], k, v, mask)
        outputs.append(output)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
