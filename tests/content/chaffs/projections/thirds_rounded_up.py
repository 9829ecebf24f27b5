"""Cuts one product for all three into thirds, rounded up, whatever the widths are.
expect: wrong_shape
"""
import math

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    together = np.dot(x, np.hstack([w_q, w_k, w_v]))
    third = math.ceil(together.shape[-1] / 3)
    return tuple(np.split(together, [third, 2 * third], axis=-1))
