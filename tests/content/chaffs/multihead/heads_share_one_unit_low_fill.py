"""Softmax over the axis of the heads, after masked scores were set to the lowest float.
expect: wrong_value
"""
import numpy as np

from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} with d_model={d_model}")
    return np.moveaxis(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def over_heads(scores):
    scores = scores - scores.max(axis=-3, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=-3, keepdims=True)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, w_q, w_k, w_v))
    scores = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, np.finfo(scores.dtype).min)
    weights = over_heads(scores)
    return merge_heads(weights @ v) @ w_o, weights
