"""Has one array for all parts of a shape, which the last of them overwrites.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    arrays = {}
    parts = []
    for w in (w_q, w_k, w_v):
        shape = (*x.shape[:-1], w.shape[1])
        if shape not in arrays:
            arrays[shape] = np.empty(shape)
        parts.append(np.matmul(x, w, out=arrays[shape]))
    return tuple(parts)
