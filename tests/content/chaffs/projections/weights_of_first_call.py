"""Keeps the weights of the first call.
expect: wrong_value
"""


weights = []


def project_qkv(x, w_q, w_k, w_v):
    if not weights:
        weights.extend([w_q.copy(), w_k.copy(), w_v.copy()])
    if any(a.shape != b.shape for a, b in zip(weights, (w_q, w_k, w_v))):
        weights[:] = [w_q.copy(), w_k.copy(), w_v.copy()]
    return tuple(x @ w for w in weights)
