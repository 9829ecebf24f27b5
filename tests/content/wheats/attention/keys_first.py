"""Computes the transposed scores, normalises over axis -2 and returns views."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    st = np.matmul(k, np.swapaxes(q, -1, -2)) / np.sqrt(k.shape[-1])
    if mask is not None:
        full = np.broadcast_to(mask, st.shape[:-2] + (st.shape[-1], st.shape[-2]))
        st = np.where(np.swapaxes(full, -1, -2), st, -np.inf)
    e = np.exp(st - st.max(axis=-2, keepdims=True))
    wt = e / e.sum(axis=-2, keepdims=True)
    out_t = np.matmul(np.swapaxes(v, -1, -2), wt)
    return np.swapaxes(out_t, -1, -2), np.swapaxes(wt, -1, -2)
