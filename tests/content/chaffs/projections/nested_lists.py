"""Returns nested Python lists.
expect: wrong_type
"""


def project_qkv(x, w_q, w_k, w_v):
    return (x @ w_q).tolist(), (x @ w_k).tolist(), (x @ w_v).tolist()
