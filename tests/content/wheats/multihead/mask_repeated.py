"""Copies the mask once per head, and joins the three projections into one product."""
import numpy as np


def softmax(x):
    e = np.exp(x - np.amax(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def split_heads(x, num_heads):
    d = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, which is below 1 (d_model={d})")
    if d % num_heads != 0:
        raise ValueError(f"d_model={d} has a remainder of {d % num_heads} for num_heads={num_heads}")
    y = x.reshape(x.shape[:-1] + (num_heads, d // num_heads))
    axes = list(range(y.ndim))
    axes[-2], axes[-3] = axes[-3], axes[-2]
    return y.transpose(axes)


def merge_heads(x):
    lead = tuple(range(x.ndim - 3))
    k = len(lead)
    y = np.transpose(x, lead + (k + 1, k, k + 2))
    return y.reshape(y.shape[: k + 1] + (-1,))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    qkv = np.matmul(x, np.hstack([w_q, w_k, w_v]))
    q, k, v = (split_heads(part, num_heads) for part in np.split(qkv, 3, axis=-1))
    scores = np.matmul(q, k.swapaxes(-2, -1)) / np.sqrt(k.shape[-1])
    if mask is not None:
        mask = np.repeat(np.expand_dims(mask, -3), num_heads, axis=-3)
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(merge_heads(np.matmul(weights, v)), w_o), weights
