"""The matrices of the projections are kept in a dictionary by d_model and never renewed; w_o is that of the call.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    features = x.shape[-1]
    if num_heads <= 0 or features % num_heads != 0:
        raise ValueError(f"{features} features do not make {num_heads} heads")
    size = features // num_heads
    return np.stack([x[..., i * size:i * size + size] for i in range(num_heads)], axis=-3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None, *, kept={}):
    q, k, v = project_qkv(x, *kept.setdefault(x.shape[-1], (w_q, w_k, w_v)))
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
