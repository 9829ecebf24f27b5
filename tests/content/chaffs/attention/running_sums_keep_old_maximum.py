"""Takes one key after the other and lets the running maximum grow without rescaling what was summed so far.
expect: wrong_value
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    highest = np.full(scores.shape[:-1], -np.inf)
    norm = np.zeros(scores.shape[:-1])
    output = np.zeros((*scores.shape[:-1], v.shape[-1]))
    for j in range(scores.shape[-1]):
        score = scores[..., j]
        highest = np.maximum(highest, score)
        power = np.exp(score - highest)
        norm += power
        output += power[..., None] * v[..., j, None, :]
    weights = np.exp(scores - highest[..., None]) / norm[..., None]
    return output / norm[..., None], weights
