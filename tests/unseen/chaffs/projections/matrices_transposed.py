"""The weight matrices are transposed, as if stored like the layers of a framework."""
import numpy as np


def linear(x, w):
    return x @ w.T


def project_qkv(x, w_q, w_k, w_v):
    return linear(x, w_q), linear(x, w_k), linear(x, w_v)
