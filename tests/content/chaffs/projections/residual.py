"""Adds x to the values when the shapes allow it.
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v):
    v = x @ w_v
    if v.shape == x.shape:
        v = v + x
    return x @ w_q, x @ w_k, v
