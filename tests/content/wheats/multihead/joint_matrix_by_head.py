"""One product with a matrix that is put together head by head, and cut in the same order."""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads {num_heads} is no divisor of d_model {d_model}")
    return x.reshape(*x.shape[:-1], num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    heads, n, size = x.shape[-3:]
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], n, heads * size)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    by_head = np.concatenate([split_heads(w, num_heads) for w in (w_q, w_k, w_v)], axis=-1)
    joint = x @ merge_heads(by_head)
    joint = np.stack(np.split(joint, num_heads, axis=-1), axis=-3)
    q, k, v = np.split(joint, 3, axis=-1)
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
