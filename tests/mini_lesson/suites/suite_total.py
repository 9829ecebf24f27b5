"""Hidden checks of total."""

import numpy as np

from grader.expect import check, same


@check(points=1, hint="Without an axis it is the last.")
def test_last_axis(learner, reference, rng):
    """Sums the last axis"""
    x = rng.normal(size=(2, 3))
    same(learner.total(x), reference.total(x), atol=1e-8)


@check(points=2, hint="Hand the axis on as it came.")
def test_any_axis(learner, reference, rng):
    """Sums any axis"""
    x = rng.normal(size=(2, 3, 5))
    for axis in (0, 1, -1):
        same(learner.total(x, axis=axis), reference.total(x, axis=axis), atol=1e-8)


@check(points=1, hint="The sum of integers is exact.")
def test_integers(learner, reference):
    """Sums integers"""
    x = np.array([[1, 2], [3, 4]])
    same(learner.total(x), reference.total(x), atol=1e-8)
