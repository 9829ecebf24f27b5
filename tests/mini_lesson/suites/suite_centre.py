"""Hidden checks of centre."""

import numpy as np

from grader.expect import check, same


@check(points=1, hint="Take the mean from every entry.")
def test_two(learner, reference):
    """Centres two numbers"""
    x = np.array([1.0, 3.0])
    same(learner.centre(x), reference.centre(x), atol=1e-8)


@check(points=1, hint="Take the mean from every entry.")
def test_many(learner, reference, rng):
    """Centres many numbers"""
    x = rng.normal(size=7)
    same(learner.centre(x), reference.centre(x), atol=1e-8)
