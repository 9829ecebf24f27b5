"""``grade hint EXERCISE``: a ladder of hints, one more at each call.

Where the last attempt was told a mistake, the ladder starts with what to look at for that one.
"""

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
        look = progress.look(chosen.id)
        before = progress.hints_shown(chosen.id)
        shown = progress.show_hint(chosen.id, len(chosen.hints))
    if look:
        echo(fill(look, "For your last attempt: "))
        echo()
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
