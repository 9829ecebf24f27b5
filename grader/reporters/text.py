"""The report for a terminal: verdict first, then the reason, then what to do next.

Words carry the meaning; colour only repeats it. A check takes at most eight lines of the width given.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from grader.model import Cause, CheckResult, ExerciseResult, Mistake, Outcome, Report
from grader.reporters.words import OUTCOMES, cause, details, named, place, verdict, wrong_step
from grader.text import count, no_commands, points, shorten, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    Paint = Callable[[str, str], str]

MAX_LINES = 8
MISTAKE_LINES = 4
LABEL = 12  # columns that a label such as "expected" takes
NARROWEST, WIDEST = 40, 100
COLOURS = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.NOT_STARTED: "yellow",
    Outcome.COULD_NOT_CHECK: "magenta",
}


def plain(text: str, _colour: str) -> str:
    """No colour."""
    return text


def render(report: Report, *, width: int = 80, paint: Paint = plain, every: bool = False) -> str:
    """Renders the report.

    Args:
        report: what to show.
        width: columns of the terminal.
        paint: colours a text, given the colour's name.
        every: every check that did not pass in full, not only the first of each exercise.
    """
    width = fitting(width)
    if report.error:
        return f"The grader could not do its job, which is no fault of yours.\n{report.error}\n"
    lines = table(report, width, paint)
    for exercise in report.exercises:
        if exercise.outcome is Outcome.NOT_STARTED:
            lines += [line for note in exercise.notes for line in ["", *_wrapped(note, width, 0, 3)]]
        if exercise.outcome in (Outcome.PASSED, Outcome.NOT_STARTED):
            continue
        lines += ["", *problems(exercise, width, paint, every=every)]
    for exercise in report.exercises:
        lines += _printed(exercise, width)
    lines += [line for note in report.notes for line in ["", *textwrap.wrap(f"Note: {note}", width)]]
    return no_commands("\n".join([*lines, "", *_next(report, width)]) + "\n")


def fitting(columns: int) -> int:
    """The width in which a terminal of so many columns is written to."""
    return max(NARROWEST, min(columns, WIDEST))


def table(report: Report, width: int, paint: Paint) -> list[str]:
    """A line an exercise: name, points, verdict, file."""
    names = max(len(exercise.id) for exercise in report.exercises)
    scores = [f"{points(e.points)}/{points(e.max_points)}" for e in report.exercises]
    wide = max(map(len, scores))
    lines = []
    for exercise, score in zip(report.exercises, scores, strict=True):
        said = verdict(exercise)
        first = exercise.first_problem
        where = place(first) if first else ""
        if names + 2 + wide + 2 + len(said) > width:
            said = OUTCOMES[exercise.outcome]
        bare = names + 2 + wide + 2 + len(said)
        line = f"{exercise.id:<{names}}  {score:>{wide}}  {paint(said, COLOURS[exercise.outcome])}"
        if where and bare + 2 + len(where) <= width:
            line += "  " + " " * (min(width, 80) - bare - 2 - len(where)) + where
        lines.append(line)
    return lines


def problems(
    exercise: ExerciseResult, width: int, paint: Paint, *, every: bool = False, how_to_see_all: str = "--all"
) -> list[str]:
    """What an exercise fails on: the first check that did not pass, in full; the others by name.

    Args:
        exercise: its result.
        width: of the lines.
        paint: colours a text, given the colour's name.
        every: the others in full as well.
        how_to_see_all: what shows them.
    """
    found = [check for check in exercise.checks if check.outcome is not Outcome.PASSED]
    shown = found if every else found[:1]
    lines = [line for mistake in exercise.mistakes for line in _mistake(exercise, mistake, width)]
    if exercise.symptom:
        lines += _wrapped(exercise.symptom, width, 0, 2)
    lines += [line for check in shown for line in problem(exercise.id, check, width, paint)]
    if exercise.first_wrong_step is not None:
        step = exercise.first_wrong_step
        lines += _labelled("step", f"{visible(step.path)}:{step.line}: {wrong_step(step)}", width, {"step": 2})
    others = found[len(shown) :]
    if others and all(check.message == shown[0].message for check in others):
        lines += _wrapped(f"The same for {count(len(others), 'more check')}.", width, 2, 1)
    elif others:
        names = ", ".join(check.id.replace("_", " ") for check in others)
        lines += _wrapped(
            f"{count(len(others), 'more check')} not passed ({how_to_see_all} shows them): {names}", width, 2, 3
        )
    for note in exercise.notes:
        lines += _wrapped(note, width, 2, 2)
    return lines


def _mistake(exercise: ExerciseResult, mistake: Mistake, width: int) -> list[str]:
    """A mistake in at most four lines: its name, what comes of it, what to look at."""
    if mistake.alternatives:  # what tells them apart is the learner's to see: there is room for the names alone
        return _wrapped(named(mistake), width, 0, 3)
    at = f" ({exercise.path}:{mistake.line})" if mistake.line else ""
    name = _wrapped(mistake.title + at, width, 0, 2)
    return [
        *name,
        *_wrapped(mistake.explanation, width, 2, MISTAKE_LINES - 1 - len(name)),
        *_wrapped(mistake.look, width, 2, 1),
    ]


def problem(stem: str, check: CheckResult, width: int, paint: Paint) -> list[str]:
    """A check in at most eight lines: what it asks, what is wrong, the call that shows it, what to look at."""
    kind = cause(check.cause) if check.cause else OUTCOMES[check.outcome]
    head = shorten(f"{stem}: {check.title}", width - len(kind) - 3)
    lines = [f"{head} - {paint(kind, COLOURS[check.outcome])}"]
    at = place(check)
    message = f"{check.message} ({at})" if check.line and at not in check.message else check.message
    told = [("", message), *details(check)]
    most = {"": 2, "call": 2, "hint": 2}
    for shortened in ("call", "", "hint"):  # what is the first to do with one line when there are too many
        if len(lines) + sum(len(_labelled(*one, width, most)) for one in told) > MAX_LINES:
            most[shortened] = 1
    return [*lines, *(line for one in told for line in _labelled(*one, width, most))]


def _labelled(label: str, text: str, width: int, most: dict[str, int]) -> list[str]:
    """A text in lines of a width, behind a label."""
    if not label:
        return _wrapped(text, width, 2, most[label])
    if label not in most:
        return [f"  {label:<{LABEL - 2}}{shorten(text, width - LABEL)}"]
    body = textwrap.wrap(text, width - LABEL, max_lines=most[label], placeholder=" ...", break_on_hyphens=False)
    return [f"  {'' if number else label:<{LABEL - 2}}{line}" for number, line in enumerate(body)]


def _printed(exercise: ExerciseResult, width: int) -> list[str]:
    """A line for what the learner's code printed: printing is allowed, and shown."""
    texts = [check.stdout for check in exercise.checks if check.stdout.strip()]
    if not texts:
        return []
    first = exercise.first_problem
    text = first.stdout if first and first.stdout.strip() else texts[0]
    start, *more = text.strip().splitlines()
    rest = f" (and {len(more)} more lines)" if len(more) > 1 else " (and one more line)" if more else ""
    label = f"{exercise.id} printed: "
    return ["", label + shorten(start.replace("\t", " "), width - len(label) - len(rest)) + rest]


def _next(report: Report, width: int) -> list[str]:
    """The sum, and what to do next."""
    total = f"{points(report.points)} of {points(report.max_points)} points."
    if any(check.cause == "grader_error" for exercise in report.exercises for check in exercise.checks):
        return _wrapped(f"{total} Some checks could not be made; that is the grader's fault, not yours.", width, 0, 3)
    todo = next((e for e in report.exercises if e.outcome is not Outcome.PASSED), None)
    if todo is None:
        return [f"{total} All passed."]
    first = todo.first_problem
    if first is not None and first.cause is Cause.MISSING_PREREQUISITE:
        return _wrapped(f"{total} Next: what {todo.id} needs first, then run `grade {todo.id}`.", width, 0, 3)
    verb = "Start with" if todo.outcome is Outcome.NOT_STARTED else "Next: edit"
    return _wrapped(
        f"{total} {verb} {todo.path}, then run `grade {todo.id}`. Stuck? `grade hint {todo.id}`", width, 0, 3
    )


def _wrapped(text: str, width: int, indent: int, most: int) -> list[str]:
    """A text in lines of a width, with dots where there are more than the most."""
    space = " " * indent
    # A command in backticks is to be copied whole, so its spaces are no place to break.
    bound = re.sub(r"`[^`]{1,40}`", lambda command: command.group().replace(" ", "\0"), text)
    lines = textwrap.wrap(
        bound,
        width,
        initial_indent=space,
        subsequent_indent=space,
        break_on_hyphens=False,
        max_lines=most,
        placeholder=" ...",
    )
    return [line.replace("\0", " ") for line in lines]
