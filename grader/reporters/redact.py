"""A report as a learner may see it: what the instructor hides is taken out before any page is made of it.

``message`` keeps what went wrong in words of ours, the hint and the line. Whatever could carry a hidden input or value
is left out: the counterexample, what was printed, the text of an exception, and messages that hold numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.cohort import Reveal
from grader.model import Cause, CheckResult, ExerciseResult, Outcome, Report
from grader.reporters.words import OUTCOMES, cause

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = {
    Cause.WRONG_VALUE: "the values are not the right ones",
    Cause.WRONG_SHAPE: "the shape is not the right one",
    Cause.WRONG_TYPE: "what came back is of another kind than it has to be",
    Cause.CHANGED_INPUT: "it changes one of its arguments; work on a copy",
    Cause.EXCEPTION: "it raised an exception",
    Cause.WRONG_SIGNATURE: "its parameters are not those of the exercise",
    Cause.SYNTAX_ERROR: "it is not valid Python; run `grade` on it to read why",
    Cause.IMPORT_ERROR: "it cannot be imported; run `grade` on it to read why",
}
# In words of ours already, which hold nothing of an input. An error on import is worded by the learner's process, where
# the inputs of a cohort may be from the start.
SAFE = {Cause.MISSING_FUNCTION, Cause.MISSING_PREREQUISITE, Cause.UNREADABLE_FILE}


def redact(report: Report, reveal: Reveal, hidden: Mapping[tuple[str, str], Reveal]) -> Report:
    """The report with only what may be seen.

    Args:
        report: everything.
        reveal: the most that may be seen of any check.
        hidden: the most that may be seen of a check, by exercise and check.
    """
    if reveal is Reveal.FULL and not hidden:
        return report
    return replace(report, exercises=tuple(_exercise(e, reveal, hidden) for e in report.exercises))


def _exercise(exercise: ExerciseResult, reveal: Reveal, hidden: Mapping[tuple[str, str], Reveal]) -> ExerciseResult:
    levels = [reveal.at_most(hidden.get((exercise.id, check.id), Reveal.FULL)) for check in exercise.checks]
    checks = tuple(_check(check, level) for check, level in zip(exercise.checks, levels, strict=True))
    # These two come from inputs of their own, but say in numbers what a learner's lines give and should give.
    shows_all = all(level is Reveal.FULL for level in levels)
    return replace(
        exercise,
        checks=checks,
        first_wrong_step=exercise.first_wrong_step if shows_all else None,
        symptom=exercise.symptom if shows_all else "",
        mistakes=exercise.mistakes if reveal is not Reveal.POINTS else (),
    )


def _check(check: CheckResult, level: Reveal) -> CheckResult:
    if level is Reveal.FULL:
        return check
    bare = replace(check, stdout="", counterexample=None, message=_message(check))
    if level is Reveal.MESSAGE:
        return bare
    return replace(bare, cause=None, message="", hint="", line=None, path="")


def _message(check: CheckResult) -> str:
    if check.outcome is Outcome.PASSED:
        return ""
    if check.cause in SAFE:
        return check.message
    if check.cause is None:
        return OUTCOMES[check.outcome]
    if check.cause is Cause.GRADER_ERROR:
        return "it could not be checked, through a fault of the grader's own"
    return WORDS.get(check.cause, cause(check.cause))
