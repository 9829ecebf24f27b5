"""``grade solution EXERCISE``: the reference, with its comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import lesson_option, open_progress, the_lesson
from grader.errors import UsageError
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path


@click.command("solution")
@click.argument("exercise")
@click.option("--reveal", is_flag=True, help="Show it though the exercise is not passed yet.")
@lesson_option
def command(exercise: str, reveal: bool, lesson_folder: Path | None) -> int:  # noqa: FBT001 - click passes it by name
    """Show the reference with its comments, after a pass."""
    lesson = the_lesson(lesson_folder)
    (chosen,) = lesson.choose((exercise,))
    if not reveal:
        with open_progress(find_workspace()) as progress:
            best = progress.best().get(chosen.id)
        if best is None or not best.is_passed:
            raise UsageError(
                f"{chosen.id} is not passed yet. `grade hint {chosen.id}` helps on; "
                f"`grade solution {chosen.id} --reveal` shows the reference all the same."
            )
    click.echo(chosen.reference.read_text(encoding="utf-8"), nl=False)
    return 0
