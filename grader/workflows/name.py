"""Names the mistakes of an exercise that failed: loads its model, asks the learner's functions, compares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.diagnosis.models import load_model
from grader.diagnosis.naming import NOTHING, Diagnosis, diagnose
from grader.model import Cause, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from grader.diagnosis.naming import Imported
    from grader.lesson import Exercise, Lesson
    from grader.model import ExerciseResult
    from grader.workflows.benches import Benches

# Where something of ours or of the machine stood in the way, or no function was called, there is nothing to compare.
TELLING = {
    Cause.WRONG_VALUE,
    Cause.WRONG_SHAPE,
    Cause.WRONG_TYPE,
    Cause.CHANGED_INPUT,
    Cause.EXCEPTION,
    Cause.WRONG_SIGNATURE,
}
HOPELESS = {Cause.TIMEOUT, Cause.MEMORY, Cause.CRASH, Cause.OUTPUT_FLOOD, Cause.PROTOCOL, Cause.GRADER_ERROR}


def with_mistakes(
    result: ExerciseResult,
    lesson: Lesson,
    references: Mapping[str, SimpleNamespace],
    benches: Benches,
    imported: Imported = NOTHING,
) -> ExerciseResult:
    """The result with the mistakes that explain it, or with what is peculiar about it; as it was if it passed.

    Args:
        result: of the exercise.
        lesson: what it belongs to.
        references: the functions of each solution, by exercise.
        benches: the learner's functions.
        imported: the mistakes that the files which this one imports are known to have, as for ``diagnose``.

    Raises:
        LessonError: the model is at fault.
        SandboxError: the worker broke for a reason of ours.
    """
    causes = {check.cause for check in result.checks}
    if result.outcome is not Outcome.FAILED or not causes & TELLING or causes & HOPELESS:
        return result
    diagnosis = diagnosis_of(lesson[result.id], references, benches, imported)
    return replace(result, mistakes=diagnosis.mistakes, symptom=diagnosis.symptom)


def diagnosis_of(
    exercise: Exercise,
    references: Mapping[str, SimpleNamespace],
    benches: Benches,
    imported: Imported = NOTHING,
) -> Diagnosis:
    """What is known about one exercise of a submission, whether it passed or not; nothing where there is no model.

    Raises:
        LessonError: the model is at fault.
        SandboxError: the worker broke for a reason of ours.
    """
    if exercise.mistakes is None:
        return Diagnosis()
    model = load_model(exercise.mistakes, exercise.functions)
    return diagnose(model, references[exercise.id], benches.fresh, benches.check_wanted, imported)
