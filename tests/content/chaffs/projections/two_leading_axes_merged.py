"""Puts one leading axis back and merges a second one into the positions.
expect: wrong_shape
"""


def project_qkv(x, w_q, w_k, w_v):
    if x.ndim == 2:
        return x @ w_q, x @ w_k, x @ w_v
    flat = x.reshape(-1, x.shape[-1])
    q, k, v = flat @ w_q, flat @ w_k, flat @ w_v
    b = x.shape[0]
    return q.reshape(b, -1, q.shape[1]), k.reshape(b, -1, k.shape[1]), v.reshape(b, -1, v.shape[1])
