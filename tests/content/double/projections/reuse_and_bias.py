"""The key uses the query matrix, and a bias of 1 is added to the query."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    def linear(w, b=0):
        return np.dot(x, w) + b

    return linear(w_q, 1), linear(w_q), linear(w_v)
