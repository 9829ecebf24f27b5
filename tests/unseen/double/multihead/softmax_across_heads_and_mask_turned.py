"""Its own softmax runs across the heads, and the mask is turned so that columns attend to rows."""
import numpy as np
from projections import project_qkv


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads {num_heads} does not divide d_model {d}")
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d // num_heads), -3, -2)


def merge_heads(x):
    y = np.swapaxes(x, -3, -2)
    return y.reshape(*y.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        m = np.swapaxes(mask, -1, -2)
        s = np.where(m[..., None, :, :], s, -1e9)
    along = -3
    e = np.exp(s - s.max(axis=along, keepdims=True))
    w = e / e.sum(axis=along, keepdims=True)
    return merge_heads(w @ v) @ w_o, w
