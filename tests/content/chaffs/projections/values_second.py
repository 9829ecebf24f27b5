"""Returns (q, v, k).
expect: wrong_shape
"""


def project_qkv(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return q, v, k
