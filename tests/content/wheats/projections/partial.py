"""functools.partial with an extra keyword for a bias that is off."""
from functools import partial


def _project(x, w_q, w_k, w_v, *, bias=None):
    parts = [x @ w for w in (w_q, w_k, w_v)]
    if bias is not None:
        parts = [p + b for p, b in zip(parts, bias)]
    return parts[0], parts[1], parts[2]


project_qkv = partial(_project, bias=None)
