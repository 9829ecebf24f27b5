"""Names the mistakes of an exercise that failed: loads its model, asks the learner's functions, compares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from grader.diagnosis.models import load_model
from grader.diagnosis.naming import Diagnosis, diagnose
from grader.judge.bench import Bench
from grader.model import Cause, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from grader.expect.learner import Send
    from grader.lesson import Exercise, Lesson
    from grader.model import ExerciseResult
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

REQUEST_S, TOTAL_S = 1.0, 2.0  # more than that is not spent on a name
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
    zygote: Zygote,
    lesson: Lesson,
    submission: Submission,
    references: Mapping[str, SimpleNamespace],
) -> ExerciseResult:
    """The result with the mistakes that explain it, or with what is peculiar about it; as it was if it passed.

    Raises:
        LessonError: the model is at fault.
        SandboxError: the worker broke for a reason of ours.
    """
    causes = {check.cause for check in result.checks}
    if result.outcome is not Outcome.FAILED or not causes & TELLING or causes & HOPELESS:
        return result
    diagnosis = diagnosis_of(lesson[result.id], zygote, lesson, submission, references)
    return replace(result, mistakes=diagnosis.mistakes, symptom=diagnosis.symptom)


def diagnosis_of(
    exercise: Exercise,
    zygote: Zygote,
    lesson: Lesson,
    submission: Submission,
    references: Mapping[str, SimpleNamespace],
) -> Diagnosis:
    """What is known about one exercise of a submission, whether it passed or not; nothing where there is no model.

    Raises:
        LessonError: the model is at fault.
        SandboxError: the worker broke for a reason of ours.
    """
    if exercise.mistakes is None:
        return Diagnosis()
    limits = replace(exercise.limits, call_s=min(exercise.limits.call_s, REQUEST_S), exercise_s=TOTAL_S)
    model = load_model(exercise.mistakes, exercise.functions)
    reference = references[exercise.id]
    with _Benches(replace(exercise, limits=limits), lesson, submission, zygote, reference) as benches:
        return diagnose(model, reference, benches.fresh)


class _Benches:
    """Processes that have called nothing yet, one after the other: the worker sweeps all away when one ends."""

    def __init__(
        self,
        exercise: Exercise,
        lesson: Lesson,
        submission: Submission,
        zygote: Zygote,
        reference: SimpleNamespace,
    ) -> None:
        self._made_of = (zygote, lesson, exercise, submission, reference)
        self._bench: Bench | None = None

    def fresh(self) -> Send:
        """A way to call the learner's functions in a new process; the one before is ended."""
        self._close()
        self._bench = Bench(*self._made_of)
        return self._bench.learner().send

    def _close(self) -> None:
        if self._bench is not None:
            self._bench.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
