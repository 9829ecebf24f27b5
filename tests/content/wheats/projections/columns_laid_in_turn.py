"""With one width for all the columns are laid side by side in turn, and taken apart in turn."""
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    if not w_q.shape == w_k.shape == w_v.shape:
        return x @ w_q, x @ w_k, x @ w_v
    in_turn = np.stack([w_q, w_k, w_v], axis=-1).reshape(len(w_q), -1)
    joined = x @ in_turn
    return tuple(joined[..., start::3] for start in range(3))
