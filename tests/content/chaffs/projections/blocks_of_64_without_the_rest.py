"""Projects the tokens in blocks of 64, as many as fit, and leaves the rows behind them at 0.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    n = x.shape[-2]
    block = min(64, n)
    parts = []
    for w in (w_q, w_k, w_v):
        part = np.zeros(x.shape[:-1] + w.shape[-1:], dtype=np.result_type(x, w))
        for start in range(0, n - block + 1, block):
            part[..., start : start + block, :] = x[..., start : start + block, :] @ w
        parts.append(part)
    return tuple(parts)
