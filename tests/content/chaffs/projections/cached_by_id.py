"""Caches each product by the ids of its arrays, so arrays changed in between give old results.
expect: wrong_value
"""


_products = {}


def product(x, w):
    key = (id(x), id(w))
    if key not in _products:
        _products[key] = (x, w, x @ w)
    return _products[key][2].copy()


def project_qkv(x, w_q, w_k, w_v):
    return product(x, w_q), product(x, w_k), product(x, w_v)
