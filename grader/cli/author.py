"""``grade author``: commands for people who write lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, fill, lesson_option, the_lesson
from grader.text import count

if TYPE_CHECKING:
    from pathlib import Path

    from grader.author.check import Checked


@click.group("author")
def command() -> None:
    """Check what a lesson is made of."""


@command.command("check", short_help="Run the suites on every known mistake.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE ...]")
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=300,
    show_default=True,
    metavar="N",
    help="How many pairs of mistakes to try of each exercise; 0 for none.",
)
@lesson_option
def check_command(exercises: tuple[str, ...], pairs: int, lesson_folder: Path | None) -> int:
    """Run the suites on every mistake of the models; exit with 1 if a suite lets one pass."""
    from grader.author.check import check

    lesson = the_lesson(lesson_folder)
    results = check(lesson, lesson.choose(exercises), pairs=pairs)
    for result in results:
        _show(result)
    return 1 if any(result.survivors or result.faults for result in results) else 0


def _show(result: Checked) -> None:
    tried, possible = result.pairs
    echo(
        fill(
            f"{count(result.decisions, 'decision')}, {count(result.singles, 'mistake')} "
            f"and {tried} of {possible} pairs tried: "
            + (f"{len(result.survivors)} passed by the suite" if result.survivors else "all refused")
            + (
                f", but for {result.idle} that {'changes' if result.idle == 1 else 'change'} nothing here"
                if result.idle
                else ""
            ),
            f"{result.exercise:<12} ",
        )
    )
    warnings = (f"warning: {text}" for text in result.warnings)
    for line in (*result.faults, *(f"survives: {name}" for name in result.survivors), *warnings):
        echo(fill(line, "  "))


@command.command("matrix", short_help="Print which check refuses which mistake.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE ...]")
@lesson_option
def matrix_command(exercises: tuple[str, ...], lesson_folder: Path | None) -> int:
    """Print which check refuses which mistake, as Markdown: docs/kill-matrix.md."""
    from grader.author.matrix import matrix

    lesson = the_lesson(lesson_folder)
    echo(matrix(lesson, lesson.choose(exercises)).rstrip("\n"))
    return 0
