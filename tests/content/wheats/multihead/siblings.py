"""Built from the three earlier exercises."""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot split d_model={d_model} into num_heads={num_heads} heads")
    x = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(x, -2, -3)


def merge_heads(x):
    x = np.swapaxes(x, -2, -3)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(output) @ w_o, weights
