"""One fused product is cut into three equal parts, which is wrong when d_v differs from d_k."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    fused = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    return tuple(np.split(fused, 3, axis=-1))
