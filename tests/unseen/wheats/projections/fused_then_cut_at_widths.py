"""One product with the matrices side by side is cut at their true widths."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    together = x @ np.hstack((w_q, w_k, w_v))
    a = w_q.shape[-1]
    b = a + w_k.shape[-1]
    return together[..., :a], together[..., a:b], together[..., b:]
