"""The steps of the projections."""

import numpy as np

from grader.expect.steps import Probe


def probes(rng):
    """One sequence, then two, then four of them in two axes, then square matrices, then integers."""
    w_q, w_k, w_v = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 7))
    yield Probe("project_qkv", (rng.normal(size=(2, 5)), w_q, w_k, w_v))
    yield Probe("project_qkv", (rng.normal(size=(3, 2, 5)), w_q, w_k, w_v))
    yield Probe("project_qkv", (rng.normal(size=(2, 3, 2, 5)), w_q, w_k, w_v))
    yield Probe("project_qkv", (rng.normal(size=(3, 4)), *rng.normal(size=(3, 4, 4))))
    yield Probe("project_qkv", tuple(rng.integers(-9, 9, size=shape) for shape in ((2, 5), (5, 3), (5, 3), (5, 7))))


def project_qkv(step, x, w_q, w_k, w_v):
    """q = x @ w_q, k = x @ w_k, v = x @ w_v."""
    x, w_q, w_k, w_v = step("x", x), step("w_q", w_q), step("w_k", w_k), step("w_v", w_v)
    if np.shape(w_q) == np.shape(w_v):
        step.also("w_q, w_k and w_v side by side", np.concatenate([w_q, w_k, w_v], axis=1))
    return step("q", x @ w_q, "x @ w_q"), step("k", x @ w_k, "x @ w_k"), step("v", x @ w_v, "x @ w_v")
