"""Has matmul write into fresh Fortran-ordered arrays."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    outs = []
    for w in [w_q, w_k, w_v]:
        out = np.empty(x.shape[:-1] + w.shape[1:], dtype=np.result_type(x, w), order="F")
        np.matmul(x, w, out=out)
        outs.append(out)
    return tuple(outs)
