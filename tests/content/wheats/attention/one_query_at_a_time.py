"""Loops over the queries and stacks the rows."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    if mask is None:
        mask = np.ones((n_q, n_k), dtype=bool)
    mask = np.broadcast_to(mask, q.shape[:-2] + (n_q, n_k))
    rows = []
    for i in range(n_q):
        s = (k @ q[..., i, :, None])[..., 0] / np.sqrt(q.shape[-1])
        s = np.where(mask[..., i, :], s, -np.inf)
        e = np.exp(s - s.max(axis=-1)[..., None])
        rows.append(e / e.sum(axis=-1)[..., None])
    weights = np.stack(rows, axis=-2)
    return weights @ v, weights
