"""Processes of a learner's that explain an exercise, one after the other: the worker ends one when the next starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from grader.judge.bench import Bench
from grader.judge.rehearsal import Plan, plan_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from grader.diagnosis.models import Batches
    from grader.diagnosis.naming import Ask
    from grader.expect.learner import Answer
    from grader.lesson import Exercise, Lesson
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

PLANS: dict[int, Plan] = {}  # by the batches that they are of, which live as long


class Benches:
    """Makes processes for one exercise.

    Args:
        exercise: which.
        lesson: what it belongs to.
        submission: the learner's files.
        zygote: forks them.
        references: the functions of each solution, by exercise.
        call_s: how long a request may take at most.
        total_s: how long all requests to one process may take together.
    """

    def __init__(
        self,
        exercise: Exercise,
        lesson: Lesson,
        submission: Submission,
        zygote: Zygote,
        references: Mapping[str, SimpleNamespace],
        call_s: float,
        total_s: float,
    ) -> None:
        limits = replace(exercise.limits, call_s=min(exercise.limits.call_s, call_s), exercise_s=total_s)
        self._made_of = (zygote, lesson, replace(exercise, limits=limits), submission, references[exercise.id])
        self._bench: Bench | None = None

    @property
    def current(self) -> Bench:
        """The process that is there; a new one if there is none yet."""
        if self._bench is None:
            self._bench = Bench(*self._made_of)
        return self._bench

    def fresh(self) -> Ask:
        """A way to call the learner's functions in a new process; the one before is ended."""
        self._close()
        return self.ask

    def ask(self, batches: Batches) -> list[list[Answer]]:
        """Has calls made in the process that is there.

        Raises:
            Verdict: they do not end in time, end the process, or have no answers that make sense.
        """
        if id(batches) not in PLANS:
            PLANS[id(batches)] = plan_of(batches)
        return self.current.answers(PLANS[id(batches)])

    def check_wanted(self) -> None:
        """Ends the work where nobody wants it any more.

        Raises:
            Cancelled: nobody does.
        """
        self._made_of[0].check_wanted()

    def _close(self) -> None:
        if self._bench is not None:
            self._bench.close()
            self._bench = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
