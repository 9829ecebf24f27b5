"""Hidden checks of double."""

import numpy as np

from grader.expect import check, same, unchanged


@check(points=2, hint="One number times the array.")
def test_values(learner, reference, rng):
    """Doubles every entry"""
    for x in (np.array([1.0, 2.0]), rng.normal(size=3)):
        same(learner.double(x), reference.double(x), atol=1e-8)


@check(points=1, hint="Make a new array.")
def test_leaves_x_alone(learner, rng):
    """Leaves its argument as it was"""
    unchanged(learner.double(rng.normal(size=3)))
