"""Projects the keys with w_q.
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v):
    q, k, v = [x @ w for w in (w_q, w_q, w_v)]
    return q, k, v
