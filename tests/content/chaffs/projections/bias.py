"""Adds a constant to every projection as a bias.
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v):
    bias = 0.01
    return x @ w_q + bias, x @ w_k + bias, x @ w_v + bias
