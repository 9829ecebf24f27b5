"""Flattens the leading axes and does not put them back.
expect: wrong_shape
"""


def project_qkv(x, w_q, w_k, w_v):
    flat = x.reshape(-1, x.shape[-1])
    return flat @ w_q, flat @ w_k, flat @ w_v
