"""Pure Python loops over queries and keys; returns a list."""
import math

import numpy as np


def attend(q, k, v, may):
    d_k = len(q[0])
    output, weights = [], []
    for i, query in enumerate(q):
        scores = []
        for j, key in enumerate(k):
            s = sum(a * b for a, b in zip(query, key)) / math.sqrt(d_k)
            scores.append(s if may[i][j] else -math.inf)
        top = max(scores)
        e = [math.exp(s - top) for s in scores]
        total = sum(e)
        row = [x / total for x in e]
        weights.append(row)
        output.append([sum(row[j] * v[j][c] for j in range(len(k))) for c in range(len(v[0]))])
    return output, weights


def scaled_dot_product_attention(q, k, v, mask=None):
    lead, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    may = np.broadcast_to(True if mask is None else mask, lead + (n_q, n_k))
    output = np.zeros(lead + (n_q, v.shape[-1]))
    weights = np.zeros(lead + (n_q, n_k))
    for i in np.ndindex(*lead):
        output[i], weights[i] = attend(q[i].tolist(), k[i].tolist(), v[i].tolist(), may[i].tolist())
    return [output, weights]
