"""The words that hidden suites are written in.

A suite is a plain pytest file. Its tests ask for ``learner`` and ``reference`` (the same functions, the learner's
and ours) and ``rng`` (a numpy generator drawn from the run's seed), and say what has to hold:

    @check(points=1, hint="Which axis do the sums run over?")
    def test_first_axis(learner, reference, rng):
        '''Works along the first axis'''
        x = rng.normal(size=(3, 5))
        same(learner.softmax(x, axis=0), reference.softmax(x, axis=0), atol=1e-8)

The docstring is what the learner reads. A call on ``learner`` runs in the worker and brings back plain data; what
came of it is judged by ``same``, ``part``, ``unchanged`` and ``raises``.
"""

from grader.expect.check import CheckInfo, check, info_of
from grader.expect.compare import part, raises, same, unchanged
from grader.expect.learner import Answer, Learner, Returned, Verdict
from grader.expect.masks import single_gaps, some_mask

__all__ = [
    "Answer",
    "CheckInfo",
    "Learner",
    "Returned",
    "Verdict",
    "check",
    "info_of",
    "part",
    "raises",
    "same",
    "single_gaps",
    "some_mask",
    "unchanged",
]
