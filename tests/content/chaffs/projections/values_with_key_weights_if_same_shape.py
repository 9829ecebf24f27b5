"""Uses w_k for the values when w_k and w_v have the same shape.
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v):
    if w_k.shape == w_v.shape:
        w_v = w_k
    return x @ w_q, x @ w_k, x @ w_v
