"""Inlines the attention with the root of d_model as the scale."""

import numpy as np
from projections import project_qkv
from softmax import softmax


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut d_model={d_model} into num_heads={num_heads}")
    x = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return x.swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    scores = np.einsum("...hid,...hjd->...hij", q, k) / np.sqrt(d_model)
    if mask is not None:
        scores = np.where(np.expand_dims(mask, -3), scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ v) @ w_o, weights
