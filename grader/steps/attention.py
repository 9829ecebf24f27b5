"""The steps of scaled dot-product attention."""

import numpy as np

from grader.expect.steps import Probe


def probes(rng):
    """With a mask, without one, in a batch of two, with a mask of its own for each, with a mask for the keys."""
    q, k, v = rng.normal(size=(3, 6)), rng.normal(size=(5, 6)), rng.normal(size=(5, 2))
    mask = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 1, 0], [1, 1, 0, 1, 0]]) > 0  # something in each row and column
    yield Probe("scaled_dot_product_attention", (q, k, v), {"mask": mask})
    yield Probe("scaled_dot_product_attention", (q, k, v))
    q, k, v = rng.normal(size=(2, 3, 6)), rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 5, 4))
    yield Probe("scaled_dot_product_attention", (q, k, v))
    yield Probe("scaled_dot_product_attention", (q, k, v), {"mask": np.stack([mask, mask[::-1, [2, 1, 4, 0, 3]]])})
    yield Probe("scaled_dot_product_attention", (q, k, v), {"mask": mask[0]})
    yield Probe("scaled_dot_product_attention", (q[None], k[None], v[None]), {"mask": mask})
    yield Probe("scaled_dot_product_attention", (q[0, :2], k[0, :4], v[0, :4]))
    whole = tuple(rng.integers(-2, 3, size=shape) for shape in ((3, 6), (5, 6), (5, 2)))
    yield Probe("scaled_dot_product_attention", whole)


def scaled_dot_product_attention(step, q, k, v, mask=None):
    """softmax(q @ k^T / sqrt(d_k)) @ v."""
    q, k, v = step("q", q), step("k", k), step("v", v)
    scores = step("scores", q @ np.swapaxes(k, -1, -2), "q @ k^T")
    scaled = step("scaled scores", scores / np.sqrt(q.shape[-1]), "scores / sqrt(d_k)", shift=-1)
    mask = step("mask", np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask)
    masked = step("masked scores", np.where(mask, scaled, -np.inf), "-inf where the mask is False", shift=-1)
    maxima = step("maxima", np.max(masked, axis=-1, keepdims=True), "the largest score of each row")
    shifted = step("shifted scores", masked - maxima, "scores - maxima", shift=-1)
    exponentials = step("exponentials", np.exp(shifted), "exp(shifted scores)", factor=-1)
    sums = step("sums", np.sum(exponentials, axis=-1, keepdims=True), "the sum of each row of exponentials")
    weights = step("weights", exponentials / sums, "exponentials / sums")
    others = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))  # shifted before the mask is applied
    step.also("exponentials before the mask", others, factor=-1)
    step.also("exponentials without a shift", np.exp(masked))
    step.also("sums without a shift", np.sum(np.exp(masked), axis=-1, keepdims=True))
    step.also("sums of what the mask leaves", np.sum(np.where(masked > -np.inf, others, 0), axis=-1, keepdims=True))
    step.also("log of the sums", maxima + np.log(sums))
    step.also("exponentials @ v", exponentials @ v)
    return step("output", weights @ v, "weights @ v"), weights
