"""Puts the tokens in front of everything else and works with (n, ..., num_heads, d_head) until the end."""
import numpy as np
from projections import project_qkv
from softmax import softmax


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model {d_model} over num_heads {num_heads} leaves a rest")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (np.moveaxis(split_heads(p, num_heads), -2, 0) for p in project_qkv(x, w_q, w_k, w_v))
    scores = np.einsum("q...d,k...d->...qk", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, -np.inf)
    weights = softmax(scores)
    heads = np.einsum("...qk,k...d->q...d", weights, v)
    output = heads.reshape(*heads.shape[:-2], -1) @ w_o
    return np.moveaxis(output, 0, -2), weights
