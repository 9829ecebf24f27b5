"""Returns (k, q, v).
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    return k, q, v
