"""Results are rounded to two places, and axes of length 1 are squeezed away."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    out = []
    for w in [w_q, w_k, w_v]:
        y = np.round(x @ w, 2)
        out.append(np.squeeze(y))
    return tuple(out)
