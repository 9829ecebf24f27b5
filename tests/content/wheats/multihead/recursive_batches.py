"""Goes through leading axes by recursion."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} must be at least 1 and divide d_model={d_model}")
    parts = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return np.swapaxes(parts, -2, -3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if x.ndim > 2:
        per = [
            multi_head_attention(x[b], w_q, w_k, w_v, w_o, num_heads, mask if mask is None or mask.ndim == 2 else mask[b])
            for b in range(len(x))
        ]
        return np.stack([p[0] for p in per]), np.stack([p[1] for p in per])
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    o, w = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(o) @ w_o, w
