"""The words in which all reporters speak of outcomes and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model import Cause, CheckResult, ExerciseResult, Mistake, Outcome, WrongStep
from grader.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTCOMES = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.NOT_STARTED: "not started",
    Outcome.COULD_NOT_CHECK: "could not be checked",
}


def verdict(exercise: ExerciseResult) -> str:
    """An exercise's outcome in words: ``failed, wrong value``."""
    words = OUTCOMES[exercise.outcome]
    if exercise.outcome is Outcome.FAILED and exercise.cause is None:
        return "started"
    return f"{words}, {cause(exercise.cause)}" if exercise.cause else words


def cause(value: Cause) -> str:
    """A cause in words: ``wrong value``."""
    return value.value.replace("_", " ")


def place(check: CheckResult) -> str:
    """File and line: ``exercises/attention.py:12``."""
    path = visible(check.path)
    return f"{path}:{check.line}" if check.line else path


def each(mistake: Mistake) -> list[tuple[str, Mistake]]:
    """A mistake and those that behave the same, each behind its title: ``Either: ...``, ``Or: ...`` of several."""
    if not mistake.alternatives:
        return [(mistake.title, mistake)]
    first = (f"Either: {mistake.title}", mistake)
    return [first, *((f"Or: {other.title}", other) for other in mistake.alternatives)]


def named(mistake: Mistake) -> str:
    """A mistake's title, with the titles of those that behave the same: ``Either: ... Or: ...``."""
    return " ".join(title for title, _ in each(mistake))


def about(exercise: ExerciseResult) -> list[tuple[str, ...]]:
    """What is known about why an exercise is wrong, as titles with texts: its mistakes, or what is peculiar about it.

    Of mistakes that behave the same each has its own texts, so that what is said of one is not said of all.
    """
    told: list[tuple[str, ...]] = []
    for mistake in exercise.mistakes:
        at = f" (line {mistake.line})" if mistake.line else ""
        told += [(title + at, one.explanation, one.look) for title, one in each(mistake)]
    return told or ([("", exercise.symptom)] if exercise.symptom else [])


def wrong_step(step: WrongStep) -> str:
    """The first wrong step in words, its place left out."""
    return f"`{step.variable}` is {step.found}; it should be {step.should_be}"


def first_wrong_step(step: WrongStep) -> str:
    """The same with its place, as a line of its own."""
    return f"First wrong step: {visible(step.path)}:{step.line}, {wrong_step(step)}"


def details(check: CheckResult) -> Iterator[tuple[str, str]]:
    """What is known of a check that did not pass, as labels and texts, the most telling first."""
    example = check.counterexample
    if example is not None:
        labelled = ("call", example.call), ("got", example.got), ("expected", example.expected)
        yield from ((label, text) for label, text in (*labelled, ("differs", example.differs)) if text)
    if check.hint:
        yield "hint", check.hint


def explained(exercise: ExerciseResult, check: CheckResult) -> str:
    """A check that did not pass, as a paragraph; the first of an exercise after what is known of why it is wrong."""
    known = about(exercise) if check is exercise.first_problem else []
    return "\n".join([*(" ".join(filter(None, told)) for told in known), whole(check)])


def whole(check: CheckResult) -> str:
    """A check that did not pass, as a paragraph."""
    lines = [check.message, *(f"{label}: {text}" for label, text in details(check))]
    if check.path:
        lines.insert(1, f"at {place(check)}")
    if check.stdout:
        lines.append(f"printed:\n{check.stdout}")
    return "\n".join(lines)
