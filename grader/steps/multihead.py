"""The steps of multi-head attention, and of splitting and merging heads."""

import numpy as np

from grader.expect.steps import Probe


def probes(rng):
    """Splitting and merging first, since attention uses both; what holds for special sizes only comes last."""
    yield Probe("split_heads", (rng.normal(size=(5, 6)), 3))
    yield Probe("split_heads", (rng.normal(size=(2, 5, 6)), 2))
    yield Probe("split_heads", (rng.normal(size=(2, 1, 5, 6)), 3))
    yield Probe("split_heads", (rng.normal(size=(3, 3)), 3))
    yield Probe("split_heads", (rng.normal(size=(3, 4)), 1))
    yield Probe("merge_heads", (rng.normal(size=(3, 5, 2)),))
    yield Probe("merge_heads", (rng.normal(size=(2, 3, 5, 4)),))
    yield Probe("merge_heads", (rng.normal(size=(1, 2, 3, 5, 4)),))
    mask = rng.random(size=(5, 5)) < 0.6
    np.fill_diagonal(mask, val=True)
    matrices = tuple(rng.normal(size=(4, 6, 6)) / 2)
    x = rng.normal(size=(2, 5, 6))
    yield Probe("multi_head_attention", (x[0], *matrices, 3), {"mask": mask})
    yield Probe("multi_head_attention", (x[0], *matrices, 2))
    yield Probe("multi_head_attention", (x, *matrices, 3))
    yield Probe("multi_head_attention", (x, *matrices, 3), {"mask": np.stack([mask, mask.T[::-1, ::-1]])})
    yield Probe("multi_head_attention", (x[:, None], *matrices, 2), {"mask": mask})
    yield Probe("multi_head_attention", (x[0], *matrices, 1))
    yield Probe("multi_head_attention", (x[0], *matrices, 6))
    whole = tuple(rng.integers(-2, 3, size=shape) for shape in ((5, 6), (6, 6), (6, 6), (6, 6), (6, 6)))
    yield Probe("multi_head_attention", (*whole, 2))


def split_heads(step, x, num_heads):
    """split[..., h, i, :] = x[..., i, h * d_head : (h + 1) * d_head]."""
    return step("split features", _split(step("x", x), num_heads), "features cut into heads, heads before tokens")


def merge_heads(step, x):
    """merged[..., i, h * d_head : (h + 1) * d_head] = x[..., h, i, :]."""
    return step("merged heads", _merge(step("x", x)), "heads side by side in each token")


def multi_head_attention(step, x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """merge(Attention(split(x @ w_q), split(x @ w_k), split(x @ w_v))) @ w_o."""
    x, w_q, w_k, w_v, w_o = (step(*pair) for pair in zip(NAMES, (x, w_q, w_k, w_v, w_o), strict=True))
    q, k, v = step("q", x @ w_q, "x @ w_q"), step("k", x @ w_k, "x @ w_k"), step("v", x @ w_v, "x @ w_v")
    step.also("w_q, w_k and w_v side by side", np.concatenate([w_q, w_k, w_v], axis=-1))
    step.also("q, k and v side by side", np.concatenate([q, k, v], axis=-1))
    q = step("q by heads", _split(q, num_heads), "split_heads(q)")
    k = step("k by heads", _split(k, num_heads), "split_heads(k)")
    v = step("v by heads", _split(v, num_heads), "split_heads(v)")
    scores = step("scores", q @ np.swapaxes(k, -1, -2), "q @ k^T of each head")
    scaled = step("scaled scores", scores / np.sqrt(q.shape[-1]), "scores / sqrt(d_head)", shift=-1)
    mask = step("mask", np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask)
    hidden = ~np.expand_dims(mask, -3)  # all heads share the mask
    masked = step("masked scores", np.where(hidden, -np.inf, scaled), "-inf where the mask is False", shift=-1)
    maxima = step("maxima", np.max(masked, axis=-1, keepdims=True), "the largest score of each row")
    shifted = step("shifted scores", masked - maxima, "scores - maxima", shift=-1)
    exponentials = step("exponentials", np.exp(shifted), "exp(shifted scores)", factor=-1)
    sums = step("sums", np.sum(exponentials, axis=-1, keepdims=True), "the sum of each row of exponentials")
    weights = step("weights", exponentials / sums, "exponentials / sums")
    heads = step("heads", weights @ v, "weights @ v of each head")
    merged = step("merged heads", _merge(heads), "merge_heads(heads)")
    step.also("exponentials without a shift", np.exp(masked))
    step.also("sums without a shift", np.sum(np.exp(masked), axis=-1, keepdims=True))
    others = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))  # shifted before the mask is applied
    step.also("exponentials before the mask", others, factor=-1)
    return step("output", merged @ w_o, "merged heads @ w_o"), weights


NAMES = ("x", "w_q", "w_k", "w_v", "w_o")


def _split(x, num_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, -1), -3, -2)


def _merge(x):
    tokens = np.swapaxes(x, -3, -2)
    return tokens.reshape(*tokens.shape[:-2], -1)
