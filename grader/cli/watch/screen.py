"""What the learner sees, as lines: verdict, first problem, what the code printed, progress, keys."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from grader.model import ExerciseResult, Outcome
from grader.reporters.text import fitting, problem, problems, table
from grader.text import points, shorten

if TYPE_CHECKING:
    from grader.reporters.text import Paint
    from grader.workflows.watch.state import State

MAX_PRINTED = 8  # lines
BAR = 20
KEYS = {
    "h": ("hint", "one more hint for this exercise"),
    "n": ("next", "go to the next exercise"),
    "p": ("previous", "go to the exercise before"),
    "l": ("list", "all exercises, and how far you are"),
    "r": ("regrade", "grade this exercise again"),
    "t": ("trace", "run this exercise line by line"),
    "q": ("quit", "end; Ctrl-C does too, and Ctrl-Z leaves it for a while"),
    "?": ("help", "this page; any key goes back"),
}


class Page(Enum):
    """What takes up the screen."""

    VERDICT = auto()
    LIST = auto()
    HELP = auto()


@dataclass(slots=True)
class View:
    """What is on the screen beside the state of the exercises.

    Attributes:
        page: what takes up the screen.
        below: lines asked for by a key, below the verdict.
        notes: remarks on the run itself.
        trouble: why nothing can be graded.
        busy: whether grading takes long enough to say so.
        has_keys: whether there are keys to press.
    """

    page: Page = Page.VERDICT
    below: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    trouble: str = ""
    busy: bool = False
    has_keys: bool = True


def frame(state: State, view: View, size: tuple[int, int], paint: Paint) -> list[str]:
    """The lines of the whole screen, no more than fit."""
    columns, rows = size
    width = fitting(columns)
    match view.page:
        case Page.LIST:
            body = _list(state, width, paint)
        case Page.HELP:
            body = [f"{key}  {what}" for key, (_, what) in KEYS.items()]
        case Page.VERDICT:
            body = _verdict(state, view, width, paint)
    foot = ["", _progress(state, width)]
    if view.has_keys:
        line = "   ".join(f"{key} {word}" for key, (word, _) in KEYS.items())
        foot += textwrap.wrap(line, width)
    room = max(1, rows - 1 - len(foot))
    if len(body) > room:
        body = [*body[: room - 1], "..."]
    return [*body, *foot]


def _verdict(state: State, view: View, width: int, paint: Paint) -> list[str]:
    lines: list[str] = []
    trouble = view.trouble or state.trouble
    if trouble:
        return [*_wrapped(f"Nothing can be graded now: {trouble}", width), *_extras(state, view, width)]
    if state.passed:
        lines += [*_graded(state, state.results[state.passed], width, paint), ""]
    lines += _current(state, view, width, paint)
    return [*lines, *_extras(state, view, width)]


def _current(state: State, view: View, width: int, paint: Paint) -> list[str]:
    """The current exercise: its verdict, or that it is on its way."""
    stem = state.current
    result = state.results.get(stem)
    if result is None or (view.busy and state.is_waiting(stem)):
        lines = [f"{stem}: being graded ..."]
        if view.busy and state.grading == stem:
            lines = [f"{stem}: being graded; it may take {state.lesson[stem].limits.exercise_s:g} s ..."]
        elif view.busy and state.grading is not None:
            lines = [f"{stem}: to be graded, after {state.grading} ..."]
        if state.problem and state.problem[0] == stem:
            lines += ["", *problem(stem, state.problem[1], width, paint)]
        return lines
    return _graded(state, result, width, paint)


def _graded(state: State, result: ExerciseResult, width: int, paint: Paint) -> list[str]:
    """A verdict, its first problem, and what the code printed."""
    lines = table(state.report(result.id), width, paint)
    if result.outcome is Outcome.NOT_STARTED:
        exercise = state.lesson[result.id]
        functions = " and ".join(exercise.functions)
        lines += ["", *_wrapped(f"{exercise.title}: write {functions} in {result.path}, and save.", width)]
    elif result.outcome is not Outcome.PASSED:
        how = f"`grade {result.id} --all`"
        lines += ["", *problems(result, width, paint, how_to_see_all=how)]
    return [*lines, *_printed(result, width)]


def _printed(result: ExerciseResult, width: int) -> list[str]:
    """What the learner's code printed, in the check to look at first, or in the first that printed at all."""
    texts = [check.stdout for check in result.checks if check.stdout.strip()]
    if not texts:
        return []
    first = result.first_problem
    text = first.stdout if first and first.stdout.strip() else texts[0]
    lines = text.strip("\n").splitlines()
    more = len(lines) - MAX_PRINTED
    shown = [f"  {shorten(line.expandtabs(4), width - 2)}" for line in lines[:MAX_PRINTED]]
    return ["", "printed:", *shown, *([f"  ... and {more} more lines"] if more > 0 else [])]


def _extras(state: State, view: View, width: int) -> list[str]:
    lines = ["", *view.below] if view.below else []
    for note in [*view.notes, *state.notes]:
        lines += ["", *_wrapped(f"Note: {note}", width)]
    return lines


def _list(state: State, width: int, paint: Paint) -> list[str]:
    report = state.report()
    if not report.exercises:
        return ["No exercise has been graded yet."]
    lines = table(report, width - 2, paint)
    return [
        f"{'>' if result.id == state.current else ' '} {line}"
        for result, line in zip(report.exercises, lines, strict=True)
    ]


def _progress(state: State, width: int) -> str:
    total = len(state.lesson.exercises)
    passed = total - len(state.unfinished)
    filled = BAR * passed // total
    report = state.report()
    score = f"{points(report.points)} of {state.lesson.points} points"
    text = f"[{'#' * filled}{'-' * (BAR - filled)}] {passed} of {total} passed, {score}"
    return shorten(f"{text}. All passed." if passed == total else text, width)


def _wrapped(text: str, width: int) -> list[str]:
    return [line for part in text.splitlines() for line in textwrap.wrap(part, width, break_on_hyphens=False)]
