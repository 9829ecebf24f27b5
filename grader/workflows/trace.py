"""Traces an exercise: what each line of the learner's made, and which is the first to have made something wrong."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.diagnosis.reference import load_steps
from grader.diagnosis.steps import Explained, follow
from grader.errors import UsageError
from grader.expect import Verdict
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.model import Cause, ExerciseResult, Outcome
from grader.sandbox.submission import read_submission
from grader.sandbox.zygote import connect
from grader.text import visible
from grader.workflows.benches import Benches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import SimpleNamespace

    from grader.diagnosis.models import Batches
    from grader.expect.steps import Probe, Trace
    from grader.lesson import Exercise, Lesson
    from grader.sandbox.launch import Starting

# Who waits for a report waits no longer than this for a line to be named; a trace that is asked for may take longer.
CALL_S, REPORT_S, COMMAND_S = 0.3, 0.6, 10.0
BY_VALUE = {Cause.WRONG_VALUE, Cause.WRONG_SHAPE, Cause.WRONG_TYPE}
load_steps = cache(load_steps)


def trace_exercise(
    exercise: Exercise,
    references: Mapping[str, SimpleNamespace],
    benches: Benches,
    *,
    within_s: float,
    even_if_right: bool = False,
) -> Explained | None:
    """Traces the functions of one exercise.

    Args:
        exercise: has a file with its steps named.
        references: the functions of each solution, by exercise.
        benches: the processes that make the calls.
        within_s: how long all calls may take together.
        even_if_right: whether to look into a right result, where there is no wrong one.

    Returns:
        What is known, None where nothing came back that could be looked at.
    """
    if exercise.steps is None:
        return None
    ends = time.monotonic() + within_s

    def call(batches: Batches) -> list[Any] | None:
        try:
            ((answers,),) = (told.apart() for told in benches.ask(batches))
        except Verdict:
            return None  # a trace has an end of its own for each of them
        return [answer.value if answer.kind == "value" else None for answer in answers]

    def trace(probe: Probe) -> Trace | None:
        left = ends - time.monotonic()
        return benches.current.trace(probe, min(left, exercise.limits.call_s, CALL_S)) if left > 0 else None

    functions = {name: function for solution in references.values() for name, function in vars(solution).items()}
    return follow(load_steps(exercise.steps, exercise.functions), call, trace, functions, even_if_right=even_if_right)


def with_first_wrong_step(
    result: ExerciseResult, lesson: Lesson, references: Mapping[str, SimpleNamespace], benches: Benches
) -> ExerciseResult:
    """A result with the first wrong line named, where values are wrong and the line is known for certain.

    A mistake that has been named, if it is the only one, gets that line.
    """
    if result.outcome is not Outcome.FAILED or not any(check.cause in BY_VALUE for check in result.checks):
        return result
    explained = trace_exercise(lesson[result.id], references, benches, within_s=REPORT_S)
    if explained is None or explained.first is None:
        return result
    step, mistakes = explained.first, result.mistakes
    if len(mistakes) == 1 and mistakes[0].line is None and step.path == result.path:
        mistakes = (replace(mistakes[0], line=step.line),)  # one mistake, one line: they are the same
    return replace(result, first_wrong_step=step, mistakes=mistakes)


def trace(lesson: Lesson, exercise: Exercise, folder: Path, *, starting: Starting) -> Explained:
    """Traces one exercise of a folder.

    Raises:
        UsageError: the folder cannot be read, or there is nothing to trace.
        LessonError: the lesson's own files are at fault.
        SandboxError: no worker could be started, or it broke for a reason of ours.
    """
    try:
        submission = read_submission(folder)
    except OSError as error:
        raise UsageError(f"{visible(str(folder))} cannot be traced: {error.strerror}") from error
    if exercise.steps is None:
        raise UsageError(f"the lesson names no steps for {exercise.id}")
    references = load_references(lesson)
    with connect(starting) as zygote, Processes(zygote, submission, lesson) as processes:
        benches = Benches(exercise, processes, references, CALL_S, COMMAND_S)
        explained = trace_exercise(exercise, references, benches, within_s=COMMAND_S, even_if_right=True)
    if explained is None:
        raise UsageError(
            f"there is nothing to trace: {submission.prefix}{exercise.filename} cannot be called. "
            f"`grade {exercise.id}` says why."
        )
    return explained
