"""The tuple comes back as query, value, key."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    q, k, v = (x @ m for m in (w_q, w_k, w_v))
    return q, v, k
