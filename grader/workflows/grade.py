"""Grades a folder: starts the worker, loads the judge meanwhile, and puts the report together."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from grader import __version__
from grader.errors import UsageError
from grader.model import Cause, CheckResult, ExerciseResult, Outcome, Report
from grader.sandbox.submission import UNSEEN, Submission, read_submission
from grader.text import visible

if TYPE_CHECKING:
    from pathlib import Path

    from grader.judge.session import Judge
    from grader.lesson import Exercise, Lesson
    from grader.sandbox.launch import Starting
    from grader.sandbox.zygote import Zygote

# Files that Python or pytest would pick up by themselves, and a learner may not know that they do.
PICKED_UP = {
    "conftest": "pytest runs it by itself",
    "sitecustomize": "Python runs it at its start",
    "usercustomize": "Python runs it at its start",
}


def grade(
    lesson: Lesson,
    exercises: tuple[Exercise, ...],
    folder: Path,
    *,
    starting: Starting,
    seed: int | None = None,
) -> Report:
    """Grades the exercises in a folder.

    Args:
        lesson: what they belong to.
        exercises: which to grade.
        folder: has ``exercises/``, or the files themselves.
        starting: the worker, on its way.
        seed: what the suites' inputs are drawn from; without one it comes from the files themselves.

    Raises:
        UsageError: the folder cannot be read.
        LessonError: the lesson's own files are at fault.
        SandboxError: no worker could be started, or it broke for a reason of ours.
    """
    try:
        submission = read_submission(folder)
    except OSError as error:
        raise UsageError(f"{visible(str(folder))} cannot be graded: {error.strerror}") from error
    return grade_submission(lesson, exercises, submission, starting=starting, seed=seed)


def grade_submission(
    lesson: Lesson,
    exercises: tuple[Exercise, ...],
    submission: Submission,
    *,
    starting: Starting,
    seed: int | None = None,
) -> Report:
    """Grades the exercises in files that were read already; see ``grade``."""
    started = time.perf_counter()
    # Only now, so that importing pytest and numpy overlaps with the worker's start.
    from grader.judge.session import judging
    from grader.sandbox.zygote import connect

    reports: list[Report] = []

    def work(judge: Judge) -> None:
        with connect(starting) as zygote:
            report = grade_on(judge, zygote, exercises, submission, submission.digest if seed is None else seed)
            weaker = tuple(weaker_isolation(zygote))
            reports.append(replace(report, weaker=weaker, notes=(*weaker, *report.notes)))

    judging(lesson, exercises, work)
    return replace(reports[0], elapsed_s=time.perf_counter() - started)


def grade_on(
    judge: Judge, zygote: Zygote, exercises: tuple[Exercise, ...], submission: Submission, seed: int
) -> Report:
    """Grades the exercises in files that were read already, with a judge and a worker that are there.

    Raises:
        SandboxError: the worker broke for a reason of ours.
    """
    from grader.judge.processes import Processes
    from grader.workflows.explain import explained

    started = time.perf_counter()
    lesson = judge.lesson
    results: list[ExerciseResult] = []
    with Processes(zygote, submission, lesson) as processes:
        for result in judge.grade_all(exercises, processes, seed):
            results.append(explained(judge, processes, result, results))
    return Report(
        grader=__version__,
        lesson=lesson.id,
        seed=seed,
        isolation=zygote.isolation,
        exercises=tuple(_still_raising(result, lesson, submission) for result in results),
        notes=tuple(stray_files(submission)),
        elapsed_s=time.perf_counter() - started,
    )


def _still_raising(result: ExerciseResult, lesson: Lesson, submission: Submission) -> ExerciseResult:
    """Says of an exercise that was written, and still ends as the stub did, which line it is."""
    from grader.workflows.stubs import is_untouched

    exercise = lesson[result.id]
    problem = result.first_problem
    if result.outcome is not Outcome.NOT_STARTED or problem is None or is_untouched(submission, exercise):
        return result
    where = f"{problem.path}:{problem.line}"
    note = f"{exercise.filename} was edited, but still ends with raise NotImplementedError at {where}: take it out"
    return replace(result, notes=(*result.notes, note))


def weaker_isolation(zygote: Zygote) -> list[str]:
    """Says that a stronger isolation was not to be had, and why."""
    why_not = [f"{name} was not to be had: {why}" for name, why in zygote.why_not.items()]
    if why_not:
        why_not.insert(0, f"the files ran with weaker isolation ({zygote.isolation}); `grade doctor` says more")
    return why_not


def stray_files(submission: Submission) -> list[str]:
    """Says of each file whose name Python has taken that it is left out of account, and why to rename it."""
    notes = []
    for path in sorted({*submission.files, *submission.unreadable}):
        stem = path.removesuffix(".py").removesuffix("/__init__")
        shown = visible(submission.prefix + path)
        if stem in PICKED_UP:
            notes.append(f"{shown} is not used here, but {PICKED_UP[stem]}: remove or rename it")
        elif stem == "numpy" or stem in sys.stdlib_module_names:
            notes.append(f"{shown} is not used here, but hides Python's own {stem} from your files: rename it")
        elif submission.unreadable.get(path) == UNSEEN:
            notes.append(f"{shown} {UNSEEN}")
    return notes


def failed_report(lesson: Lesson | None, exercises: tuple[Exercise, ...], seed: int | None, error: str) -> Report:
    """The report of a run in which the grader itself failed: nothing was judged, and it says why."""
    fault = Cause.GRADER_ERROR
    return Report(
        grader=__version__,
        lesson=lesson.id if lesson else "",
        seed=seed or 0,
        isolation=None,
        exercises=tuple(
            ExerciseResult(
                id=exercise.id,
                title=exercise.title,
                path=exercise.filename,
                outcome=Outcome.COULD_NOT_CHECK,
                cause=fault,
                points=0.0,
                max_points=float(exercise.points),
                checks=(
                    CheckResult(
                        id="all",
                        title="All checks",
                        outcome=Outcome.COULD_NOT_CHECK,
                        cause=fault,
                        points=0.0,
                        max_points=float(exercise.points),
                        message=f"the grader's own fault, not yours: {error}",
                    ),
                ),
            )
            for exercise in exercises
        ),
        error=error,
    )
