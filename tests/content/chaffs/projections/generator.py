"""Is a generator.
expect: wrong_type
"""


def project_qkv(x, w_q, w_k, w_v):
    for w in (w_q, w_k, w_v):
        yield x @ w
