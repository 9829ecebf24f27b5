"""Pure Python sums, with the leading axes taken one by one."""
import numpy as np


def times(row, w):
    result = []
    for column in range(len(w[0])):
        total = 0
        for a, w_row in zip(row, w):
            total += a * w_row[column]
        result.append(total)
    return result


def project_qkv(x, w_q, w_k, w_v):
    results = []
    for w in (w_q, w_k, w_v):
        out = np.zeros(x.shape[:-1] + (w.shape[1],))
        for i in np.ndindex(*x.shape[:-1]):
            out[i] = times(x[i].tolist(), w.tolist())
        results.append(out)
    return tuple(results)
