"""The function has another name.
expect: missing_function
"""


def project(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_v
