"""Scales by the root of d_model AND averages the weights over the heads."""

import numpy as np
from softmax import softmax


def check(num_heads, d_model):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads ({num_heads}) must divide d_model ({d_model})")


def split_heads(x, num_heads):
    check(num_heads, x.shape[-1])
    *lead, n, d_model = x.shape
    return np.moveaxis(x.reshape(*lead, n, num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ k.swapaxes(-1, -2) / x.shape[-1] ** 0.5
    if mask is not None:
        s = np.where(mask[..., None, :, :], s, -np.inf)
    a = softmax(s)
    return merge_heads(a @ v) @ w_o, a.mean(-3)
