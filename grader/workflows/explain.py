"""Says more of an exercise that failed: which mistakes it is, and which step goes wrong first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.model import ExerciseResult, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from grader.diagnosis.naming import Imported
    from grader.judge.processes import Processes
    from grader.judge.session import Judge
    from grader.lesson import Exercise
    from grader.model import Mistake

CALL_S, TOTAL_S = 1.0, 2.0  # more than that is not spent on explaining what one process did


def explained(
    judge: Judge, processes: Processes, result: ExerciseResult, siblings: Sequence[ExerciseResult] = ()
) -> ExerciseResult:
    """The result with the mistakes that have a name, and with the first wrong step where one is proved.

    A file that imports a wrong one is told nothing that what is wrong there may do to it.

    Args:
        judge: knows the lesson and the solutions.
        processes: of the worker, with the learner's files.
        result: of one exercise.
        siblings: what has been said of exercises before it.

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
    with no_collection():
        wrong = _wrong_siblings(judge, processes, result, siblings)
        imported = imported_from(sibling.mistakes for sibling in wrong.values())
        named = with_mistakes(result, lesson, references, benches, imported)
        for sibling in wrong.values():
            known = {key for mistake in sibling.mistakes for key in mistake.ids}
            if named.mistakes and known >= {key for mistake in named.mistakes for key in mistake.ids}:
                # Nothing is wrong but what the imported file has: the step that it shows is the one.
                return replace(named, first_wrong_step=sibling.first_wrong_step)
        told = with_first_wrong_step(named, lesson, references, benches)
    # A value that comes from an imported function that is wrong is no fault of the line that takes it.
    in_own_file = told.first_wrong_step is not None and told.first_wrong_step.path == result.path
    return named if wrong and in_own_file else told


def imported_from(wrong: Iterable[Sequence[Mistake]]) -> Imported:
    """What ``diagnose`` wants to know of wrong files that are imported, given the mistakes known of each."""
    from grader.diagnosis.naming import NAMELESS

    return frozenset(ids for mistakes in wrong for ids in [mistake.ids for mistake in mistakes] or [NAMELESS])


def _wrong_siblings(
    judge: Judge, processes: Processes, result: ExerciseResult, siblings: Sequence[ExerciseResult]
) -> dict[str, ExerciseResult]:
    """The wrong ones among the exercises that one uses; those that nobody has graded are looked into."""
    graded = {sibling.id: sibling for sibling in siblings}
    wrong: dict[str, ExerciseResult] = {}
    for stem in result.uses:
        sibling = graded.get(stem) or _looked_into(judge, processes, judge.lesson[stem], wrong)
        if sibling is not None and sibling.outcome is not Outcome.PASSED:
            wrong[stem] = sibling
    return wrong


def _looked_into(
    judge: Judge, processes: Processes, exercise: Exercise, wrong: Mapping[str, ExerciseResult]
) -> ExerciseResult | None:
    """An exercise that nobody has graded, with its mistakes if it is wrong; None if nobody can."""
    from grader.workflows.benches import Benches
    from grader.workflows.name import diagnosis_of

    if exercise.mistakes is None:
        return None
    benches = Benches(exercise, processes, judge.references, CALL_S, TOTAL_S)
    diagnosis = diagnosis_of(exercise, judge.references, benches)
    foreign = [wrong[stem].mistakes for stem in benches.current.siblings if stem in wrong]
    if foreign and not diagnosis.right:
        diagnosis = diagnosis_of(exercise, judge.references, benches, imported_from(foreign))
    outcome = Outcome.PASSED if diagnosis.right else Outcome.FAILED
    return ExerciseResult(
        exercise.id, exercise.title, exercise.filename, outcome, 0.0, 0.0, (), mistakes=diagnosis.mistakes
    )
