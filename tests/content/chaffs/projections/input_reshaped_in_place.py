"""Sets x.shape, which changes the argument.
expect: changed_input
"""


def project_qkv(x, w_q, w_k, w_v):
    lead = x.shape[:-1]
    x.shape = (-1, x.shape[-1])
    return tuple((x @ w).reshape(lead + (-1,)) for w in (w_q, w_k, w_v))
