"""Hidden checks of softmax, from the smallest telling input to the largest."""

import itertools

import numpy as np

from grader.expect import check, same, unchanged

F64 = 1e-8
F32 = 1e-5


@check(points=1, hint="Take the exponential of every entry, then divide by the sum of them all.")
def test_one_row(learner, reference, rng):
    """Turns one row of scores into weights, however long"""
    for x in (
        np.array([0.0, 1.0]),
        rng.normal(size=3),
        rng.normal(size=7),
        np.array([0.0, -9.0, -12.5, -15.0, 2.0]),
        rng.normal(size=523) + np.linspace(-3.0, 3.0, 523),  # more than a block holds, and no whole number of blocks
    ):
        same(learner.softmax(x), reference.softmax(x), atol=F64)


@check(points=1, hint="With no axis given it is the last one: each row sums to 1 by itself.")
def test_last_axis(learner, reference, rng):
    """Works along the last axis when none is named"""
    for shape in ((2, 3), (3, 2), (5, 7), (3, 3), (2, 3, 5), (2, 1, 5, 3)):
        x = rng.normal(size=shape)
        same(learner.softmax(x), reference.softmax(x), atol=F64)


@check(points=1, hint="The maximum and the sum both run along `axis`, and keep it with length 1.")
def test_first_axis(learner, reference, rng):
    """Works along axis 0"""
    for shape in ((2, 3), (5, 3), (3, 3), (3,)):
        x = rng.normal(size=shape)
        same(learner.softmax(x, axis=0), reference.softmax(x, axis=0), atol=F64)


@check(points=1, hint="Nothing may depend on the axis being the first or the last.")
def test_middle_axis(learner, reference, rng):
    """Works along a middle axis"""
    for shape in ((2, 3, 5), (5, 3, 2), (3, 3, 3)):
        x = rng.normal(size=shape)
        same(learner.softmax(x, axis=1), reference.softmax(x, axis=1), atol=F64)


@check(points=1, hint="numpy counts a negative axis from the end, if it is handed on as it is.")
def test_negative_axis(learner, reference, rng):
    """Works along axes counted from the end"""
    x = rng.normal(size=(2, 3, 5))
    for axis in (-1, -2, -3):
        same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64)
    x = rng.normal(size=(3, 2))
    same(learner.softmax(x, axis=-2), reference.softmax(x, axis=-2), atol=F64)


@check(points=1, hint="The same three steps work for any number of axes.")
def test_any_number_of_axes(learner, reference, rng):
    """Works for arrays of one to five axes, along each of them"""
    arrays = [rng.normal(size=shape) for shape in ((5,), (2, 1, 3), (2, 3, 5, 7), (2, 1, 3, 2, 5))]
    for x in (*arrays, np.asfortranarray(rng.normal(size=(2, 3, 5)))):
        for axis in range(-x.ndim, x.ndim):
            same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64)


@check(
    points=1,
    hint="Take the largest score away before the exponential: the result stays as it was, overflow goes.",
)
def test_large_scores(learner, reference, rng):
    """Stays finite for scores of 10,000 and of -10,000"""
    for x in (
        np.array([10_000.0, 9_999.0]),
        np.array([-10_000.0, -10_001.0, -9_999.5]),
        np.array([10_000.0, -10_000.0, 9_999.0]),
        rng.normal(size=(3, 5)) + 9_990,
        rng.normal(size=(3, 5)) - 9_990,
        rng.normal(size=(5, 3)) + 1_000 * np.array([[0.7], [0.8], [0.9], [1.0], [1.1]]),
    ):
        same(learner.softmax(x), reference.softmax(x), atol=F64)
    x = rng.normal(size=(2, 3, 5)) - 9_990
    for axis in (0, 1, -1):
        same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64)


@check(points=1, hint="Each slice needs its own largest score: with one for all, the small rows vanish.")
def test_slices_far_apart(learner, reference, rng):
    """Keeps slices apart whose scores differ by thousands"""
    levels = np.array([[0.0], [-1_500.0], [3_000.0], [-9_000.0], [9_000.0]])
    rows = levels + rng.normal(size=(5, 3))
    same(learner.softmax(rows[:2]), reference.softmax(rows[:2]), atol=F64)
    same(learner.softmax(rows), reference.softmax(rows), atol=F64)
    same(learner.softmax(rows.T, axis=0), reference.softmax(rows.T, axis=0), atol=F64)
    stacked = rows[:, :, None] + 950 * np.arange(2.0)
    for axis in (0, 1, 2):
        same(learner.softmax(stacked, axis=axis), reference.softmax(stacked, axis=axis), atol=F64)


@check(points=1, hint="The exponential of -inf is 0 by itself, as long as -inf meets no other infinity first.")
def test_minus_infinity(learner, reference, rng):
    """Gives entries of -inf the weight 0, exactly"""
    few = np.array([0.5, -np.inf, 1.0])
    same(learner.softmax(few), reference.softmax(few), atol=F64, exact_zeros=True)
    x = rng.normal(size=(5, 7))
    x[rng.random(size=x.shape) < 0.4] = -np.inf
    x[:, 3] = x[2, :] = rng.normal()
    for axis in (0, 1):
        same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64, exact_zeros=True)
    x = rng.normal(size=(2, 3, 5))
    x[0, 1, 2] = x[1, 0, 0] = x[1, 2, 4] = -np.inf
    for axis in (0, 1, 2):
        same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64, exact_zeros=True)
    late = np.array([[-np.inf, -np.inf, -np.inf, 0.5, 2.0], [1.0, -np.inf, -np.inf, 0.5, -np.inf]])
    same(learner.softmax(late), reference.softmax(late), atol=F64, exact_zeros=True)
    same(learner.softmax(late.T, axis=0), reference.softmax(late.T, axis=0), atol=F64, exact_zeros=True)
    one_left = np.array([-np.inf, 10_000.0, -np.inf])
    same(learner.softmax(one_left), reference.softmax(one_left), atol=F64, exact_zeros=True)
    low = np.array([-10_000.0, -np.inf, -9_999.0])  # lower than many a number that is put in place of -inf
    same(learner.softmax(low), reference.softmax(low), atol=F64, exact_zeros=True)


@check(points=1, hint="Weights are fractions: the array that takes them must not be one of integers.")
def test_integers(learner, reference, rng):
    """Takes integers"""
    for dtype in (np.int64, np.int32):
        same(learner.softmax(np.array([2, 0, 1], dtype)), reference.softmax(np.array([2, 0, 1])), atol=F64)
        x = rng.integers(-3, 4, size=(3, 5)).astype(dtype)
        for axis in (0, -1):
            same(learner.softmax(x, axis=axis), reference.softmax(x, axis=axis), atol=F64)
    x = rng.integers(-3, 4, size=(2, 3, 5))
    same(learner.softmax(x, axis=1), reference.softmax(x, axis=1), atol=F64)


@check(points=1, hint="The result is as precise as the input; do not round it or go by way of float16.")
def test_float32(learner, reference, rng):
    """Takes float32"""
    for shape, axis in itertools.product(((3, 5), (2, 3, 5)), (0, -1)):
        x = rng.normal(size=shape).astype(np.float32)
        same(learner.softmax(x, axis=axis), reference.softmax(x.astype(np.float64), axis=axis), atol=F32)
    # Beyond 88 an exponential overflows in float32, and much farther out float32 itself is too coarse for weights.
    large = (rng.normal(size=(2, 5)) + np.array([[100], [-110]])).astype(np.float32)
    same(learner.softmax(large), reference.softmax(large.astype(np.float64)), atol=F32)


@check(points=1, hint="`x -= ...`, `x[...] = ...` and `out=x` write into the caller's array; make a new one.")
def test_leaves_x_alone(learner, reference, rng):
    """Leaves its argument as it was"""
    plain = rng.normal(size=(3, 5))
    unchanged(learner.softmax(plain))
    unchanged(learner.softmax(plain, axis=0))
    unchanged(learner.softmax(rng.normal(size=7)))
    unchanged(learner.softmax(rng.normal(size=(2, 3, 5)) + 9_990, axis=1))
    unchanged(learner.softmax(plain.astype(np.float32)))
    unchanged(learner.softmax(rng.integers(-3, 4, size=(3, 5))))
    unchanged(learner.softmax(np.array([0.5, -np.inf, 1.0])))
    same(learner.softmax(plain), reference.softmax(plain), atol=F64)  # to change nothing and do nothing earns nothing


@check(
    points=1,
    hint="Keep nothing between calls: no global, no mutable default, no cache, no array made only once.",
)
def test_every_call_afresh(learner, reference, rng):
    """Answers each call by itself, whatever was asked before"""
    first, second, third = rng.normal(size=(3, 3, 5))
    for x in (first, second, first, rng.normal(size=(5, 3)), second):
        same(learner.softmax(x), reference.softmax(x), atol=F64)
    inputs = (first, second, third, first)
    for returned, x in zip(learner.softmax.each(*((x,) for x in inputs)), inputs, strict=True):
        same(returned, reference.softmax(x), atol=F64)
    for returned, x in zip(learner.softmax.refilled(*((x,) for x in inputs)), inputs, strict=True):
        same(returned, reference.softmax(x), atol=F64)
    same(learner.softmax(first, axis=0), reference.softmax(first, axis=0), atol=F64)
    same(learner.softmax(first, axis=1), reference.softmax(first, axis=1), atol=F64)
    same(learner.softmax(first), reference.softmax(first), atol=F64)
