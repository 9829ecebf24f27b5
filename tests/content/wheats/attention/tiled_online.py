"""Goes through the keys in tiles of two with an online softmax, then fills in the weights."""
import numpy as np

TILE = 2


def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    n_q, n_k = q.shape[-2], k.shape[-2]
    lead = q.shape[:-2]
    may = np.broadcast_to(True if mask is None else mask, lead + (n_q, n_k))
    m = np.full(lead + (n_q, 1), -np.inf)
    total = np.zeros(lead + (n_q, 1))
    acc = np.zeros(lead + (n_q, v.shape[-1]))
    scores = np.empty(lead + (n_q, n_k))
    for start in range(0, n_k, TILE):
        part = slice(start, start + TILE)
        s = q @ np.swapaxes(k[..., part, :], -1, -2) / np.sqrt(q.shape[-1])
        s = np.where(may[..., part], s, -np.inf)
        scores[..., part] = s
        new_m = np.maximum(m, s.max(axis=-1, keepdims=True))
        base = np.where(np.isinf(new_m), 0.0, new_m)
        p = np.exp(s - base)
        shrink = np.exp(m - base)
        total = total * shrink + p.sum(axis=-1, keepdims=True)
        acc = acc * shrink + p @ v[..., part, :]
        m = new_m
    return acc / total, np.exp(scores - m) / total
