"""Says more of an exercise that failed: which mistakes it is, and which step goes wrong first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.judge.processes import Processes
    from grader.judge.session import Judge
    from grader.model import ExerciseResult, Mistake

CALL_S, TOTAL_S = 1.0, 2.0  # more than that is not spent on explaining what one process did


def explained(
    judge: Judge, processes: Processes, result: ExerciseResult, siblings: Sequence[ExerciseResult] = ()
) -> ExerciseResult:
    """The result with the mistakes that have a name, and with the first wrong step where one is proved.

    Args:
        judge: knows the lesson and the solutions.
        processes: of the worker, with the learner's files.
        result: of one exercise.
        siblings: what has been said of the exercises before it.

    Raises:
        SandboxError: the worker broke for a reason of ours.
        Cancelled: the worker was told that nobody wants to know any more.
    """
    if result.outcome is not Outcome.FAILED:
        return result
    from grader.diagnosis.garbage import no_collection
    from grader.workflows.benches import Benches
    from grader.workflows.name import with_mistakes
    from grader.workflows.trace import with_first_wrong_step

    lesson, references = judge.lesson, judge.references
    benches = Benches(lesson[result.id], processes, references, CALL_S, TOTAL_S)
    used = [sibling for sibling in siblings if sibling.id in result.uses]
    imported = {one.id: sibling for sibling in used for mistake in sibling.mistakes for one in all_of(mistake)}
    with no_collection():
        named = with_mistakes(result, lesson, references, benches, frozenset(imported))
        if named.mistakes and imported.keys() >= {one.id for mistake in named.mistakes for one in all_of(mistake)}:
            # Nothing is wrong but what the imported file has: the step that it shows is the one.
            return replace(named, first_wrong_step=imported[named.mistakes[0].id].first_wrong_step)
        return with_first_wrong_step(named, lesson, references, benches)


def all_of(mistake: Mistake) -> tuple[Mistake, ...]:
    """A mistake with those that it may be instead."""
    return mistake, *mistake.alternatives
