"""Splits x and projects each head's slice with a diagonal block of the weights.
expect: wrong_value
"""
import numpy as np


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot split {d_model} features into {num_heads} heads")
    x = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return np.swapaxes(x, -3, -2)


def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    xs = split_heads(x, num_heads)
    d = xs.shape[-1]
    block = lambda w: np.stack([w[h * d:(h + 1) * d, h * d:(h + 1) * d] for h in range(num_heads)])
    q, k, v = xs @ block(w_q), xs @ block(w_k), xs @ block(w_v)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
