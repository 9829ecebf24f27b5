"""No split inside the attention: each head's queries are the full ones with the other heads' features zeroed, rescaled."""

import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    return np.swapaxes(x.reshape(*x.shape[:-2], n, num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    num_heads, n, d_head = x.shape[-3:]
    return np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
    d_head = d_model // num_heads
    owner = np.arange(d_model) // d_head
    select = (owner == np.arange(num_heads)[:, None])[:, None, :]  # (num_heads, 1, d_model)
    q = (x @ w_q)[..., None, :, :] * select
    k = (x @ w_k)[..., None, :, :]
    v = (x @ w_v)[..., None, :, :] * select
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_head)
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = softmax(scores)
    return (weights @ v).sum(axis=-3) @ w_o, weights
