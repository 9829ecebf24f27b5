"""A list that holds one array many times at first, and another one for each head when the loop has ended."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model = {d_model} and num_heads = {num_heads} do not go together")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    nothing = np.zeros(v[..., 0, :, :].shape)
    outputs, weights = [nothing] * num_heads, [nothing] * num_heads
    for h in reversed(range(num_heads)):
        here = (..., h, slice(None), slice(None))
        outputs[h], weights[h] = scaled_dot_product_attention(q[here], k[here], v[here], mask)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
