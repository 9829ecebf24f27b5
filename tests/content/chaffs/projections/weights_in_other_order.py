"""Takes the weights in the order w_k, w_q, w_v.
expect: wrong_value
"""


def project_qkv(x, w_k, w_q, w_v):
    return x @ w_q, x @ w_k, x @ w_v
