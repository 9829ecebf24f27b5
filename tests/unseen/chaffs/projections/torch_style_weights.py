"""Treats the matrices as (out, in), like a linear layer of PyTorch, and transposes them."""

import numpy as np


def linear(x, weight):
    return x @ weight.T


def project_qkv(x, w_q, w_k, w_v):
    return tuple(linear(x, w) for w in (w_q, w_k, w_v))
