"""Each result is stored with the dtype of x, which cuts the fractions off for integer embeddings."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    def proj(w):
        out = np.empty(x.shape[:-1] + (w.shape[-1],), dtype=x.dtype)
        for i in np.ndindex(x.shape[:-1]):
            out[i] = x[i] @ w
        return out

    return proj(w_q), proj(w_k), proj(w_v)
