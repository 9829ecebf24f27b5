"""Projects the values with w_k.
expect: wrong_shape
"""


def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_k
    return q, k, v
