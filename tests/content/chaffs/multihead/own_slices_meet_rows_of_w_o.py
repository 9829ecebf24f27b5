"""multi_head_attention cuts slices by itself and adds up their products with rows of w_o, without a check.
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
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    width = x.shape[-1] // num_heads
    total, weights = np.zeros(x.shape), []
    for h in range(num_heads):
        columns = np.arange(h * width, (h + 1) * width)
        q, k, v = project_qkv(x, w_q[:, columns], w_k[:, columns], w_v[:, columns])
        head, used = scaled_dot_product_attention(q, k, v, mask)
        total = total + head @ w_o[columns]
        weights.append(used)
    return total, np.stack(weights, axis=-3)
