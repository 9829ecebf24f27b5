"""Adds up each head's output times its rows of w_o, with no concatenation."""
from collections import namedtuple

import numpy as np

MultiHead = namedtuple("MultiHead", ["output", "weights"])


class HeadError(ValueError):
    pass


def _slices(d_model, num_heads):
    if num_heads < 1 or d_model % num_heads:
        raise HeadError(f"{num_heads} heads for {d_model} features")
    d = d_model // num_heads
    return [slice(i, i + d) for i in range(0, d_model, d)]


def split_heads(x, num_heads):
    return np.stack([x[..., s] for s in _slices(x.shape[-1], num_heads)], axis=x.ndim - 2)


def merge_heads(x):
    h, n, d = x.shape[-3:]
    out = np.empty(x.shape[:-3] + (n, h * d), dtype=x.dtype)
    for i, s in enumerate(_slices(h * d, h)):
        out[..., s] = x[..., i, :, :]
    return out


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    output = 0.0
    weights = []
    for s in _slices(x.shape[-1], num_heads):
        q, k, v = x @ w_q[:, s], x @ w_k[:, s], x @ w_v[:, s]
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -1e9)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        w = e / e.sum(axis=-1, keepdims=True)
        output = output + w @ v @ w_o[s]
        weights.append(w)
    return MultiHead(output, np.stack(weights, axis=-3))
