"""The leading axes are flattened for the product and not restored."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    flat = x.reshape(-1, x.shape[-1])
    parts = []
    for w in (w_q, w_k, w_v):
        y = flat @ w
        parts.append(y)
    return tuple(parts)
