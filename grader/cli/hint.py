"""``grade hint EXERCISE``: a ladder of hints, one more at each call.

Where the last attempt was told a mistake, the ladder starts with what to look at for that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, fill, here, lesson_option, open_progress, the_lesson

if TYPE_CHECKING:
    from pathlib import Path

    from grader.lesson import Exercise
    from grader.store import Progress


@click.command("hint")
@click.argument("exercise")
@lesson_option
def command(exercise: str, lesson_folder: Path | None) -> int:
    """Show one more hint for an exercise, and those you have seen."""
    lesson = the_lesson(lesson_folder)
    (chosen,) = lesson.choose((exercise,))
    with open_progress(here()) as progress:
        for line in one_more_hint(chosen, progress, again=f"`grade hint {chosen.id}` again"):
            echo(line)
    return 0


def one_more_hint(exercise: Exercise, progress: Progress, *, again: str) -> list[str]:
    """The hints shown so far and one more, as lines; ``again`` is how to get the next.

    Raises:
        StoreError: the progress database cannot be used.
    """
    look = progress.look(exercise.id)
    before = progress.hints_shown(exercise.id)
    shown = progress.show_hint(exercise.id, len(exercise.hints))
    lines = [*fill(look, "For your last attempt: ").splitlines(), ""] if look else []
    lines += [
        line for number, hint in enumerate(exercise.hints[:shown], 1) for line in fill(hint, f"{number}. ").splitlines()
    ]
    left = len(exercise.hints) - shown
    if left:
        end = f"{left} more: {again}."
    elif before == shown:
        end = fill(f"These are all the hints. `grade solution {exercise.id} --reveal` shows the reference.")
    else:
        end = "That was the last hint."
    return [*lines, "", *end.splitlines()]
