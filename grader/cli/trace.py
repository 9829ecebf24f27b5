"""``grade trace EXERCISE``: what each line makes, beside the steps of the reference."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from grader.cli.common import Place, columns, echo, fill, lesson_option, painter, the_lesson
from grader.errors import UsageError
from grader.text import visible
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from grader.diagnosis.steps import Explained, Row

MOST_ALIKE = 3  # rows of one line and variable, in a loop, before the others are only counted
NARROW = 60


@click.command("trace")
@click.argument("exercise")
@click.option(
    "--in",
    "folder",
    type=Place(),
    metavar="DIR",
    help="Trace in this folder, which has exercises/ or the files themselves.",
)
@click.option("--all", "every", is_flag=True, help="Show numbers as well, and every turn of a loop.")
@lesson_option
def command(exercise: str, folder: Path | None, every: bool, lesson_folder: Path | None) -> int:  # noqa: FBT001 - by name
    """Show what each line of your code makes on a small input, and which is the first to go wrong."""
    from grader.sandbox.launch import Starting
    from grader.sandbox.submission import read_submission
    from grader.workflows.stubs import is_untouched
    from grader.workflows.trace import trace

    lesson = the_lesson(lesson_folder)
    (chosen,) = lesson.choose((exercise,))
    folder = folder or find_workspace().root
    starting = Starting()
    try:
        explained = trace(lesson, chosen, folder, starting=starting)
    finally:
        starting.cancel()
    submission = read_submission(folder)
    if not _came_back(explained) and is_untouched(submission, chosen):
        raise UsageError(f"there is nothing to trace: {submission.prefix}{chosen.filename} is not started")
    if not explained.rows:
        file, function = f"{submission.prefix}{chosen.filename}", explained.probe.function
        raise UsageError(f"there is nothing to trace: a call of {function} runs no line of {file}")
    _show(explained, chosen.id, every=every)
    return 0


def _came_back(explained: Explained) -> bool:
    """Whether the call returned anything that can be looked at, as far as it was traced."""
    returned = [row.traced for row in explained.rows if row.traced.kind == "returned"]
    return not explained.complete or any(traced.caller[0] < 0 for traced in returned)


def _show(explained: Explained, exercise: str, *, every: bool) -> None:
    from grader.expect.show import show_call
    from grader.reporters.words import first_wrong_step

    echo(fill(show_call(explained.probe.function, explained.probe.args, explained.probe.named, explained.names)))
    shown, left_out = _chosen(explained, every=every)
    if shown:
        _table(explained, shown)
    echo()
    if left_out:
        echo(fill(f"Left out: {left_out} more, such as numbers and later turns of loops; --all shows them."))
    if not explained.complete:
        echo(fill("The call goes on, but what comes after is too much to look at."))
    if explained.right:
        echo("The result is right.")
    elif not _came_back(explained):
        echo(fill(f"The call returned nothing that can be looked at. `grade {exercise}` says why."))
    elif explained.first is None:
        echo(fill("The result is not right. Which line is the first wrong one cannot be said for certain."))
    else:
        echo(fill(first_wrong_step(explained.first)))


def _chosen(explained: Explained, *, every: bool) -> tuple[list[int], int]:
    """Which rows to show, and how many others there are."""
    named = {row.key for row in explained.rows if row.is_bound}
    shown: list[int] = []
    seen: dict[tuple[str, int, str], int] = {}
    for at, row in enumerate(explained.rows):
        line = row.traced.path, row.traced.line, row.label
        seen[line] = seen.get(line, 0) + 1
        new = row.is_bound or row.key not in named  # what a variable holds need not be shown on its way there
        if every or at == explained.at or (row.is_array and new and seen[line] <= MOST_ALIKE):
            shown.append(at)
    return shown, len(explained.rows) - len(shown)


def _table(explained: Explained, shown: list[int]) -> None:
    """A row a value: line, variable, shape, what it is; in two lines each where the terminal is narrow."""
    rows = [explained.rows[at] for at in shown]
    width = min(columns(), 100)
    narrow = width < NARROW
    shapes = max(len(row.shape) for row in rows)
    names = min(max(len(row.label) for row in rows), 28, max(8, width - shapes - 10))
    paint = painter()
    path = ""
    echo()
    echo(f"{'line':>5}  {'variable':<{names}}  {'shape':>{shapes}}" + ("" if narrow else "  what it is"))
    for at, row in zip(shown, rows, strict=True):
        if row.traced.path != path:
            path = row.traced.path
            echo(f"      {visible(path)}")
        mark = ">" if at == explained.at else " "
        head = f"{mark}{row.traced.line:>4}  {_cut(row.label, names):<{names}}  {row.shape:>{shapes}}"
        first, indent = (head, 6) if narrow else (f"{head}  ", len(head) + 2)
        what = textwrap.wrap(_what(row, explained), width - indent, break_on_hyphens=False) or [""]
        lines = [first.rstrip(), *(" " * indent + line for line in what)] if narrow else [
            first + what[0], *(" " * indent + line for line in what[1:])
        ]  # fmt: skip
        for line in lines:
            echo(paint(line.rstrip(), "red") if mark == ">" else line.rstrip())


def _what(row: Row, explained: Explained) -> str:
    if row.named.text:
        return row.named.text
    return "no step of the reference" if not explained.right else "a step of another way"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
