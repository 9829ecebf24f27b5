"""The ValueError is raised but names neither number."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    parts = np.array_split(x, num_heads, axis=-1)
    return np.stack(parts, axis=-3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(x.shape[:-2] + (-1,))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    if mask is not None:
        mask = mask[..., None, :, :]
    out, weights = scaled_dot_product_attention(
        split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), mask=mask
    )
    return merge_heads(out) @ w_o, weights
