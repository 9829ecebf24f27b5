"""Right: every head goes through its own rows of w_o and the results are added up."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError(f"{x.shape[-1]} features cannot be shared by {num_heads} heads")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate(np.moveaxis(x, -3, 0), axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    split_heads(x, num_heads)  # raises if the numbers do not fit
    total, maps = 0, []
    d = x.shape[-1] // num_heads
    for h in range(num_heads):
        a, b = h * d, (h + 1) * d
        q, k, v = project_qkv(x, w_q[:, a:b], w_k[:, a:b], w_v[:, a:b])
        o, w = scaled_dot_product_attention(q, k, v, mask)
        total = total + o @ w_o[a:b]
        maps.append(w)
    return total, np.stack(maps, axis=-3)
