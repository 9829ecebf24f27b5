"""Ways to call a learner's functions of one exercise, to explain what they do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.judge.bench import Bench
from grader.judge.rehearsal import Plan, plan_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from grader.diagnosis.models import Batches
    from grader.diagnosis.naming import Ask
    from grader.expect.learner import Answers
    from grader.judge.processes import Processes
    from grader.lesson import Exercise

PLANS: dict[int, Plan] = {}  # by the batches that they are of, which live as long


class Benches:
    """Imports one exercise as often as is asked for.

    Args:
        exercise: which.
        processes: of the worker, with the learner's files.
        references: the functions of each solution, by exercise.
        call_s: how long a request may take at most.
        total_s: how long all requests to one import of the files may take together.
    """

    def __init__(
        self,
        exercise: Exercise,
        processes: Processes,
        references: Mapping[str, SimpleNamespace],
        call_s: float,
        total_s: float,
    ) -> None:
        limits = replace(exercise.limits, call_s=min(exercise.limits.call_s, call_s), exercise_s=total_s)
        self._processes = processes
        self._made_of = (processes, replace(exercise, limits=limits), references[exercise.id])
        self._bench: Bench | None = None

    @property
    def current(self) -> Bench:
        """The functions as they were imported last."""
        if self._bench is None:
            self._bench = Bench(*self._made_of)
        return self._bench

    def fresh(self) -> Ask:
        """A way to call the learner's functions, which are imported anew."""
        self._bench = None
        return self.ask

    def ask(self, *all_batches: Batches) -> list[Answers]:
        """Has calls made of the functions as they were imported last.

        Raises:
            Verdict: they do not end in time, or end the process.
        """
        for batches in all_batches:
            if id(batches) not in PLANS:
                PLANS[id(batches)] = plan_of(batches)
        return self.current.answers([PLANS[id(batches)] for batches in all_batches])

    def check_wanted(self) -> None:
        """Ends the work where nobody wants it any more.

        Raises:
            Cancelled: nobody does.
        """
        self._processes.zygote.check_wanted()
