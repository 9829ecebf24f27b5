"""Reuses w_q as a work array for w_k.
expect: changed_input
"""


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    w = w_q
    w[...] = w_k
    k = x @ w
    return q, k, x @ w_v
