"""Leading axes are peeled off by recursion until one plain matrix is left."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads > 0:
        raise ValueError(f"num_heads: {num_heads}; d_model: {d_model}; no even split")
    if x.ndim > 2:
        return np.stack([split_heads(part, num_heads) for part in x])
    return x.reshape(x.shape[0], num_heads, -1).transpose(1, 0, 2)


def merge_heads(x):
    if x.ndim > 3:
        return np.stack([merge_heads(part) for part in x])
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if x.ndim > 2:
        n = x.shape[-2]
        masks = [None] * len(x) if mask is None else np.broadcast_to(mask, x.shape[:-1] + (n,))
        pairs = [multi_head_attention(p, w_q, w_k, w_v, w_o, num_heads, m) for p, m in zip(x, masks)]
        return np.stack([p[0] for p in pairs]), np.stack([p[1] for p in pairs])
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ w_o, weights
