"""Projects the keys from the queries and the values from the keys.
expect: exception
"""


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = q @ w_k
    v = k @ w_v
    return q, k, v
