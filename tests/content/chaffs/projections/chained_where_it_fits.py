"""Makes the keys from the queries where the shapes allow it, rather than from x.
expect: wrong_value
"""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    h = np.asarray(x)
    out = []
    for w in (w_q, w_k, w_v):
        y = h @ w
        out.append(y)
        if y.shape == x.shape:
            h = y
    return tuple(out)
