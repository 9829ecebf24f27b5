"""The query matrix of the first call is kept and used in later calls.
expect: exception
"""
import numpy as np

_cache = {}


def project_qkv(x, w_q, w_k, w_v):
    if "w_q" not in _cache:
        _cache["w_q"] = w_q.copy()
    q = x @ _cache["w_q"]
    k = x @ w_k
    v = x @ w_v
    return q, k, v
