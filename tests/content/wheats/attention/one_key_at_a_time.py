"""Takes one key after the other, with a very low number for hidden ones, and rescales all that was summed so far."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    highest = np.full(scores.shape[:-1], -np.inf)
    norm = np.zeros(scores.shape[:-1])
    output = np.zeros((*scores.shape[:-1], v.shape[-1]))
    for j in range(scores.shape[-1]):
        higher = np.maximum(highest, scores[..., j])
        shrink, power = np.exp(highest - higher), np.exp(scores[..., j] - higher)
        norm = norm * shrink + power
        output = output * shrink[..., None] + power[..., None] * v[..., j, None, :]
        highest = higher
    weights = np.exp(scores - highest[..., None]) / norm[..., None]
    return output / norm[..., None], weights
