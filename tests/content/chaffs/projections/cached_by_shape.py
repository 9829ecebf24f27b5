"""Caches the results by the shape of x in a default argument.
expect: wrong_value
"""


def project_qkv(x, w_q, w_k, w_v, cache={}):
    key = (x.shape, w_q.shape, w_v.shape)
    if key not in cache:
        cache[key] = (x @ w_q, x @ w_k, x @ w_v)
    return cache[key]
