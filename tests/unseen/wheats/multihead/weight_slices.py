"""Each head uses its own columns of the matrices, and the outputs are summed through their rows of w_o."""

import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    width = x.shape[-1]
    if num_heads <= 0 or width % num_heads:
        raise ValueError("num_heads %d does not divide %d" % (num_heads, width))
    size = width // num_heads
    return np.stack([x[..., h * size:(h + 1) * size] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not fit {d_model} features")
    d = d_model // num_heads
    total, weights = 0, []
    for start in range(0, d_model, d):
        c = slice(start, start + d)
        o, a = scaled_dot_product_attention(x @ w_q[:, c], x @ w_k[:, c], x @ w_v[:, c], mask)
        total = total + o @ w_o[c]
        weights.append(a)
    return total, np.stack(weights, axis=-3)
