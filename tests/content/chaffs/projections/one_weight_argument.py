"""Takes one joint weight matrix.
expect: wrong_signature
"""


def project_qkv(x, w):
    d = w.shape[1] // 3
    y = x @ w
    return y[..., :d], y[..., d:2 * d], y[..., 2 * d:]
