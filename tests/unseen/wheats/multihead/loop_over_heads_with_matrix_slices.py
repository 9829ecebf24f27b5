"""Each head takes its own columns of the matrices and its own rows of w_o, and the head outputs are added up."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def _width(d_model, num_heads):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model: {num_heads} does not divide {d_model}")
    return d_model // num_heads


def split_heads(x, num_heads):
    w = _width(x.shape[-1], num_heads)
    return np.stack([x[..., h * w:(h + 1) * w] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    w = _width(x.shape[-1], num_heads)
    total, patterns = 0, []
    for h in range(num_heads):
        cols = slice(h * w, (h + 1) * w)
        q, k, v = project_qkv(x, w_q[:, cols], w_k[:, cols], w_v[:, cols])
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        total = total + out @ w_o[cols]
        patterns.append(weights)
    return total, np.stack(patterns, axis=-3)
