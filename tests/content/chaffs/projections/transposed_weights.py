"""Multiplies by the transposed weights, as a library layer does.
expect: exception
"""


def project_qkv(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T
