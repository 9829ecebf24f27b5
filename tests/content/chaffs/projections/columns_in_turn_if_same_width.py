"""With one width for all it multiplies once, and reads the columns as if the three matrices alternated.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    widths = {w_q.shape[-1], w_k.shape[-1], w_v.shape[-1]}
    if len(widths) > 1:
        return x @ w_q, x @ w_k, x @ w_v
    joined = np.matmul(x, np.hstack([w_q, w_k, w_v]))
    triples = joined.reshape(*joined.shape[:-1], -1, 3)
    return tuple(np.moveaxis(triples, -1, 0))
