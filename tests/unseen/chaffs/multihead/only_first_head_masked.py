"""In a loop over the heads only the first head gets the mask."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"heads: {num_heads}, features: {d}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    t = np.swapaxes(x, -3, -2)
    return t.reshape(*t.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    outs, ws = [], []
    for h in range(num_heads):
        o, w = scaled_dot_product_attention(q[..., h, :, :], k[..., h, :, :], v[..., h, :, :], mask)
        outs.append(o)
        ws.append(w)
        mask = None
    return np.concatenate(outs, axis=-1) @ w_o, np.stack(ws, axis=-3)
