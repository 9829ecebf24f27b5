"""Slices out one head at a time, stacks the weights and concatenates the outputs."""
import numpy as np

from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads <= 0 or d_model / num_heads != d_model // num_heads:
        raise ValueError("bad head count", num_heads, d_model)
    d_head = d_model // num_heads
    return np.stack([x[..., h * d_head:(h + 1) * d_head] for h in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    qs, ks, vs = split_heads(x @ w_q, num_heads), split_heads(x @ w_k, num_heads), split_heads(x @ w_v, num_heads)
    outputs, weights = [], []
    for h in range(num_heads):
        o, w = scaled_dot_product_attention(qs[..., h, :, :], ks[..., h, :, :], vs[..., h, :, :], mask)
        outputs.append(o)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
