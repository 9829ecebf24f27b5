"""The value is projected from the key and not from the embedding."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    Q = x.dot(w_q)
    K = x.dot(w_k)
    V = K.dot(w_v)
    return (Q, K, V)
