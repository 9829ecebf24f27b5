"""``grade hint EXERCISE``: a ladder of hints, one more at each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, fill, here, lesson_option, open_progress, the_lesson

if TYPE_CHECKING:
    from pathlib import Path


@click.command("hint")
@click.argument("exercise")
@lesson_option
def command(exercise: str, lesson_folder: Path | None) -> int:
    """Show one more hint for an exercise, and those you have seen."""
    lesson = the_lesson(lesson_folder)
    (chosen,) = lesson.choose((exercise,))
    with open_progress(here()) as progress:
        before = progress.hints_shown(chosen.id)
        shown = progress.show_hint(chosen.id, len(chosen.hints))
    for number, hint in enumerate(chosen.hints[:shown], 1):
        echo(fill(hint, f"{number}. "))
    echo()
    left = len(chosen.hints) - shown
    if left:
        echo(f"{left} more: `grade hint {chosen.id}` again.")
    elif before == shown:
        echo(fill(f"These are all the hints. `grade solution {chosen.id} --reveal` shows the reference."))
    else:
        echo("That was the last hint.")
    return 0
