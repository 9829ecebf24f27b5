"""Makes whole tiles of three keys and no smaller one, and reads the mask the other way round."""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k = k.shape[-2]
    scores = np.full(q.shape[:-1] + (n_k,), -np.inf)
    for tile in range(n_k // 3 or 1):
        at = slice(3 * tile, 3 * tile + 3)
        scores[..., at] = np.einsum("...qd,...kd->...qk", q / np.sqrt(q.shape[-1]), k[..., at, :])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores)
    return weights @ v, weights
