"""Every num_heads-th feature goes to a head, and merging undoes it the same way, so heads are not neighbouring slices."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads {num_heads}, d_model {d}")
    return np.stack([x[..., h::num_heads] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    h, n, w = x.shape[-3:]
    out = np.empty(x.shape[:-3] + (n, h * w), dtype=x.dtype)
    for i in range(h):
        out[..., i::h] = x[..., i, :, :]
    return out


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = mask[..., None, :, :]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, weights
