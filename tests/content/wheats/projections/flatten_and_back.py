"""Makes one tall matrix of x and gives the result its leading axes back."""


def linear(x, w):
    flat = x.reshape(-1, x.shape[-1]).dot(w)
    return flat.reshape(*x.shape[:-1], w.shape[-1])


def project_qkv(tokens, w_q, w_k, w_v):
    return linear(tokens, w_q), linear(tokens, w_k), linear(tokens, w_v)
