"""Adds the places of the tokens to x, and makes the values with w_k."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    moved = x + np.arange(x.shape[-2])[:, None]
    return moved @ w_q, moved @ w_k, moved @ w_k
