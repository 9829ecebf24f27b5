"""Recursion peels off leading axes until x is a matrix."""
import numpy as np


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError([x.shape[-1], num_heads])
    if x.ndim == 2:
        return x.reshape(len(x), num_heads, -1).transpose(1, 0, 2)
    return np.array([split_heads(part, num_heads) for part in x])


def merge_heads(x):
    if x.ndim == 3:
        return x.transpose(1, 0, 2).reshape(x.shape[1], -1)
    return np.array([merge_heads(part) for part in x])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if x.ndim > 2:
        n = x.shape[-2]
        masks = np.broadcast_to(True if mask is None else mask, x.shape[:-2] + (n, n))
        results = [multi_head_attention(a, w_q, w_k, w_v, w_o, num_heads, m) for a, m in zip(x, masks)]
        return np.stack([r[0] for r in results]), np.stack([r[1] for r in results])
    q, k, v = (split_heads(x.dot(w), num_heads) for w in (w_q, w_k, w_v))
    s = np.einsum("hid,hjd->hij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = np.exp(s - s.max(axis=2, keepdims=True))
    w = w / w.sum(axis=2, keepdims=True)
    return merge_heads(np.einsum("hij,hjd->hid", w, v)).dot(w_o), w
