"""The joint product is cut by heads first, and everything is turned into float32."""
import numpy as np
from attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads, {d_model} features")
    return x.reshape(*x.shape[:-1], num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    heads, n, size = x.shape[-3:]
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], n, heads * size)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    x, w_q, w_k, w_v, w_o = (np.array(part, dtype="float32") for part in (x, w_q, w_k, w_v, w_o))
    d_head = split_heads(x, num_heads).shape[-1]
    joint = (x @ np.concatenate((w_q, w_k, w_v), axis=-1)).reshape(*x.shape[:-1], num_heads, 3, d_head)
    q, k, v = (joint[..., at, :].swapaxes(-3, -2) for at in range(3))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
