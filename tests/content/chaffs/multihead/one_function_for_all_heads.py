"""Makes a function for each head in a loop, and all of them look at the loop's last number.
expect: wrong_value
"""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads for {d_model} features")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    parts = [split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v)]
    todo = []
    for h in range(num_heads):
        def head():
            return scaled_dot_product_attention(*(part[..., h, :, :] for part in parts), mask)
        todo.append(head)
    outputs, weights = zip(*(head() for head in todo))
    return np.concatenate(outputs, axis=-1) @ w_o, np.stack(weights, axis=-3)
