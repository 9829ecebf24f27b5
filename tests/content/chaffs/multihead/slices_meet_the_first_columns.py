"""x is split, and each head takes its own rows of the matrices but the first columns.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, but d_model = {d_model} needs at least one head")
    if d_model % num_heads > 0:
        raise ValueError(f"d_model = {d_model} is no multiple of num_heads = {num_heads}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    together = np.swapaxes(x, -2, -3)
    return together.reshape(*together.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"{num_heads} heads for d_model {x.shape[-1]}")
    size = x.shape[-1] // num_heads
    heads, weights = [], []
    for start in range(0, x.shape[-1], size):
        own = slice(start, start + size)
        q, k, v = (x[..., own] @ w[own, :size] for w in (w_q, w_k, w_v))
        head, used = scaled_dot_product_attention(q, k, v, mask)
        heads.append(head)
        weights.append(used)
    return np.concatenate(heads, axis=-1) @ w_o, np.stack(weights, axis=-3)
