"""Hidden checks of project_qkv, from the smallest telling input to the largest."""

import numpy as np

from grader.expect import check, part, same, unchanged

F64 = 1e-8
F32 = 1e-5
NAMES = ("q", "k", "v")


def inputs(rng, *shape, d_k=2, d_v=7):
    """Embeddings of a shape, and the three matrices, with entries such that the products are of order 1."""
    d_model = shape[-1]
    scale = 1 / np.sqrt(d_model)
    return (
        rng.normal(size=shape),
        rng.normal(size=(d_model, d_k)) * scale,
        rng.normal(size=(d_model, d_k)) * scale,
        rng.normal(size=(d_model, d_v)) * scale,
    )


@check(points=1, hint="One row of q for each token: x @ w_q.")
def test_queries(learner, reference, rng):
    """Makes the queries"""
    for given in (inputs(rng, 1, 2, d_k=1, d_v=3), inputs(rng, 3, 5)):
        part(learner.project_qkv(*given), 0, reference.project_qkv(*given)[0], atol=F64, names=NAMES)


@check(points=1, hint="Keys come second, and are made with w_k.")
def test_keys(learner, reference, rng):
    """Makes the keys"""
    for given in (inputs(rng, 1, 2, d_k=1, d_v=3), inputs(rng, 3, 5)):
        part(learner.project_qkv(*given), 1, reference.project_qkv(*given)[1], atol=F64, names=NAMES)


@check(points=1, hint="Values come third, and are made with w_v, which may have a width of its own.")
def test_values(learner, reference, rng):
    """Makes the values"""
    for given in (inputs(rng, 1, 2, d_k=1, d_v=3), inputs(rng, 3, 5)):
        part(learner.project_qkv(*given), 2, reference.project_qkv(*given)[2], atol=F64, names=NAMES)


@check(points=1, hint="When all sizes are equal a mixed-up matrix or order no longer shows in the shapes.")
def test_equal_sizes(learner, reference, rng):
    """Keeps the three apart when all sizes are equal"""
    for given in (
        inputs(rng, 3, 3, d_k=3, d_v=3),
        inputs(rng, 5, 3, d_k=2, d_v=2),
        inputs(rng, 2, 5, d_k=5, d_v=5),
    ):
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)


@check(points=1, hint="One token is a row too: the result keeps the axis of length 1.")
def test_one_token(learner, reference, rng):
    """Takes a single token, and very many"""
    for given in (
        inputs(rng, 1, 5),
        inputs(rng, 2, 1, 5),
        inputs(rng, 1, 1, d_k=3, d_v=2),
        inputs(rng, 523, 2, d_k=1, d_v=2),  # more than a block holds, and no whole number of blocks
    ):
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)


@check(points=1, hint="`@` works on the last two axes and lets a leading one be.")
def test_one_leading_axis(learner, reference, rng):
    """Takes a batch: one leading axis"""
    for given in (
        inputs(rng, 2, 3, 5, d_k=7, d_v=11),
        inputs(rng, 3, 3, 3, d_k=3, d_v=3),
        inputs(rng, 5, 2, 3),
    ):
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)


@check(points=1, hint="`@` lets any number of leading axes be.")
def test_two_leading_axes(learner, reference, rng):
    """Takes two leading axes, and three"""
    turned = map(np.asfortranarray, inputs(rng, 2, 3, 2, 5))  # the same as any, but it lies in memory otherwise
    for given in (inputs(rng, 2, 3, 5, 7, d_k=11, d_v=13), inputs(rng, 3, 2, 1, 2, 5), [*turned]):
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)


@check(points=1, hint="Integers are numbers like others; nothing has to be divided or rounded.")
def test_integers(learner, reference, rng):
    """Takes integers"""
    for dtype in (np.int64, np.int32):
        given = [rng.integers(-3, 4, size=shape).astype(dtype) for shape in ((3, 5), (5, 2), (5, 2), (5, 7))]
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)
    mixed = [rng.integers(-3, 4, size=(3, 5)), *inputs(rng, 3, 5)[1:]]
    same(learner.project_qkv(*mixed), reference.project_qkv(*mixed), atol=F64, names=NAMES)


@check(points=1, hint="The result is as precise as the input; do not round it or go by way of float16.")
def test_float32(learner, reference, rng):
    """Takes float32"""
    given = [array.astype(np.float32) for array in inputs(rng, 2, 3, 5)]
    expected = reference.project_qkv(*(array.astype(np.float64) for array in given))
    same(learner.project_qkv(*given), expected, atol=F32, names=NAMES)


@check(points=1, hint="`x *= ...`, `x[...] = ...` and `out=x` write into the caller's array; make a new one.")
def test_leaves_arguments_alone(learner, reference, rng):
    """Leaves its arguments as they were"""
    for given in (inputs(rng, 3, 5), inputs(rng, 3, 3, d_k=3, d_v=3), inputs(rng, 2, 3, 5), inputs(rng, 2, 1, 3, 5)):
        unchanged(learner.project_qkv(*given))
        unchanged(learner.project_qkv(*(array.astype(np.float32) for array in given)))
    unchanged(learner.project_qkv(*(rng.integers(-3, 4, size=shape) for shape in ((3, 5), (5, 2), (5, 2), (5, 7)))))
    # To change nothing and do nothing earns nothing.
    same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)


@check(
    points=1,
    hint="Keep nothing between calls: no global, no mutable default, no cache, no array made only once.",
)
def test_every_call_afresh(learner, reference, rng):
    """Answers each call by itself, whatever was asked before"""
    first, second = inputs(rng, 3, 5), inputs(rng, 3, 5)
    mixed = (first[0], *second[1:])
    for given in (first, second, first, inputs(rng, 2, 5), mixed, first):
        same(learner.project_qkv(*given), reference.project_qkv(*given), atol=F64, names=NAMES)
    for call in (learner.project_qkv.each, learner.project_qkv.refilled):
        for returned, given in zip(call(first, second, mixed, first), (first, second, mixed, first), strict=True):
            same(returned, reference.project_qkv(*given), atol=F64, names=NAMES)
