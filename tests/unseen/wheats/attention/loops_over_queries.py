"""Every batch entry and every query gets its own turn in plain loops, and only allowed keys are looked at."""
import math
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    n_q, n_k, d_k = q.shape[-2], k.shape[-2], q.shape[-1]
    weights = np.zeros(lead + (n_q, n_k))
    output = np.zeros(lead + (n_q, v.shape[-1]))
    may = np.ones(weights.shape, bool) if mask is None else np.broadcast_to(mask, weights.shape)
    for at in np.ndindex(lead + (n_q,)):
        b = at[:-1]
        open_keys = [j for j in range(n_k) if may[at + (j,)]]
        s = [float(q[at] @ k[b + (j,)]) / math.sqrt(d_k) for j in open_keys]
        top = max(s)
        e = [math.exp(t - top) for t in s]
        for j, part in zip(open_keys, e):
            weights[at + (j,)] = part / sum(e)
            output[at] += weights[at + (j,)] * v[b + (j,)]
    return output, weights
