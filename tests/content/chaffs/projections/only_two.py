"""Forgets the values.
expect: wrong_type
"""


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    return q, k
