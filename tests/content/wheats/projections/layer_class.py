"""A small Linear class, as in a deep learning library."""
import numpy as np


class Linear:
    def __init__(self, weight):
        self.weight = np.array(weight)

    def __call__(self, x):
        return np.tensordot(x, self.weight, axes=([-1], [0]))


def project_qkv(x, w_q, w_k, w_v):
    return tuple(map(lambda layer: layer(x), [Linear(w_q), Linear(w_k), Linear(w_v)]))
