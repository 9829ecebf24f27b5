"""Output buffers take x's dtype, so integer embeddings truncate the results."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    outs = []
    for w in (w_q, w_k, w_v):
        buf = np.zeros(x.shape[:-1] + (w.shape[1],), dtype=x.dtype)
        for j in range(w.shape[1]):
            buf[..., j] = (x * w[:, j]).sum(axis=-1)
        outs.append(buf)
    return tuple(outs)
