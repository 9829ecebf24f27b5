"""The mask is taken as an argument but never handed to the attention."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model, got {num_heads} and {d_model}")
    return np.stack(np.split(x, num_heads, -1), -3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    if mask is not None:
        mask = np.asarray(mask, dtype=bool)[..., None, :, :]
    context, weights = scaled_dot_product_attention(
        split_heads(q, num_heads),
        split_heads(k, num_heads),
        split_heads(v, num_heads)
    )
    return merge_heads(context) @ w_o, weights
