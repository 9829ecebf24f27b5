"""The steps of softmax."""

import numpy as np

from grader.expect.steps import Probe


def probes(rng):
    """Along the last axis, along the first, with three axes, with -inf, and with integers."""
    x = rng.normal(size=(3, 5))
    yield Probe("softmax", (x,))
    yield Probe("softmax", (x,), {"axis": 0})
    yield Probe("softmax", (rng.normal(size=(2, 3, 4)),), {"axis": 1})
    yield Probe("softmax", (np.where(np.arange(5) == [[1], [3], [0]], -np.inf, x),))
    yield Probe("softmax", (rng.permutation(15).reshape(3, 5) - 7,))
    yield Probe("softmax", (x * 2_000,))


def softmax(step, x, axis=-1):
    """softmax(x)_i = exp(x_i) / sum_j exp(x_j)."""
    x = step("x", x, shift=axis)
    maxima = step("maxima", np.max(x, axis=axis, keepdims=True), "the largest entry of each slice")
    shifted = step("shifted x", x - maxima, "x - maxima", shift=axis)
    exponentials = step("exponentials", np.exp(shifted), "exp(shifted x)", factor=axis)
    sums = step("sums", np.sum(exponentials, axis=axis, keepdims=True), "the sum of the exponentials of each slice")
    weights = step("weights", exponentials / sums, "exponentials / sums")
    logarithm = maxima + np.log(sums)
    step.also("log of the sums", logarithm)
    step.also("log of the shifted sums", np.log(sums))
    step.also("log of the weights", x - logarithm)
    step.also("exponentials without a shift", np.exp(x))
    step.also("sums without a shift", np.sum(np.exp(x), axis=axis, keepdims=True))
    return weights
