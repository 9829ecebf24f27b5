"""Takes x as the last argument.
expect: exception
"""


def project_qkv(w_q, w_k, w_v, x):
    return x @ w_q, x @ w_k, x @ w_v
