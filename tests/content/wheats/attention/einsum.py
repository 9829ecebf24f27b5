"""Three einsums and no transpose."""
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = np.einsum("...id,...jd->...ij", q, k) * d_k ** -0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / np.einsum("...ij->...i", weights)[..., None]
    return np.einsum("...ij,...jd->...id", weights, v), weights
