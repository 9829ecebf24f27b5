"""Multiplies into one array of its own, of which each part is a copy."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    widest = max(w_q.shape[1], w_v.shape[1])
    room = np.empty((*x.shape[:-1], widest))
    parts = []
    for w in (w_q, w_k, w_v):
        view = room[..., : w.shape[1]]
        view[...] = x @ w
        parts.append(view.copy())
    return tuple(parts)
