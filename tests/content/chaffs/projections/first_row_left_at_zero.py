"""Its loop over the tokens begins at 1.
expect: wrong_value
"""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    n = x.shape[-2]
    results = []
    for w in (w_q, w_k, w_v):
        result = np.zeros((*x.shape[:-1], w.shape[1]))
        for token in range(1, n):
            result[..., token, :] = x[..., token, :] @ w
        results.append(result)
    return tuple(results)
