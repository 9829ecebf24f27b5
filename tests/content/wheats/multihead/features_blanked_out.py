"""A head keeps the full width and has all foreign features of its queries set to 0."""

import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("num_heads {} must divide d_model {}".format(num_heads, x.shape[-1]))
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    split_heads(x, num_heads)
    d_model = x.shape[-1]
    owner = np.repeat(np.arange(num_heads), d_model // num_heads)
    mine = (owner == np.arange(num_heads)[:, None]).astype(float)[:, None, :]
    q = (x @ w_q)[..., None, :, :] * mine
    k = (x @ w_k)[..., None, :, :]
    v = (x @ w_v)[..., None, :, :] * mine
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_model / num_heads)
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, -np.inf)
    weights = softmax(scores)
    return (weights @ v).sum(axis=-3) @ w_o, weights
