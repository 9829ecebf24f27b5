"""Cuts the values to d_k features.
expect: wrong_shape
"""


def project_qkv(x, w_q, w_k, w_v):
    d_k = w_k.shape[1]
    return x @ w_q, x @ w_k, (x @ w_v)[..., :d_k]
