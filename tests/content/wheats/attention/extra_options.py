"""Extra keyword options, type hints, a printed line, a warning and a main block."""
from __future__ import annotations

import warnings

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    mask: np.ndarray | None = None,
    causal: bool = False,
    dtype: type | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    if q.dtype.kind == "i":
        warnings.warn("integer queries")
    scores = np.einsum("...qd,...kd->...qk", q, k, dtype=dtype)
    scores = np.true_divide(scores, np.sqrt(q.shape[-1]))
    print("scores", scores.shape)
    if causal:
        tri = np.tri(*scores.shape[-2:], dtype=bool)
        mask = tri if mask is None else mask & tri
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    print(scaled_dot_product_attention(rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), np.eye(4))[0])
