"""``grade hint EXERCISE``: a ladder of hints, one more at each call.

Where the last attempt was told a mistake, the ladder starts with what to look at for that one. Where nothing can be
kept, all hints are shown: nobody could get beyond the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, fill, lesson_option, open_progress, say_not_kept, the_lesson
from grader.errors import StoreError
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from collections.abc import Sequence
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
    with open_progress(find_workspace()) as progress:
        for line in _lines(chosen, progress):
            echo(line)
    return 0


def _lines(exercise: Exercise, progress: Progress) -> list[str]:
    if progress.path is not None:
        try:
            return one_more_hint(exercise, progress, again=f"`grade hint {exercise.id}` again")
        except StoreError as error:
            say_not_kept(error)
    return all_hints(exercise)


def all_hints(exercise: Exercise) -> list[str]:
    """All hints, as lines, for who could not be shown one more the next time."""
    return [*_numbered(exercise.hints), "", *fill("These are all, since which you have seen is not kept.").splitlines()]


def _numbered(hints: Sequence[str]) -> list[str]:
    return [line for number, hint in enumerate(hints, 1) for line in fill(hint, f"{number}. ").splitlines()]


def one_more_hint(exercise: Exercise, progress: Progress, *, again: str) -> list[str]:
    """The hints shown so far and one more, as lines; ``again`` is how to get the next.

    Raises:
        StoreError: the progress database cannot be used.
    """
    look = progress.look(exercise.id)
    before = progress.hints_shown(exercise.id)
    shown = progress.show_hint(exercise.id, len(exercise.hints))
    lines = [*fill(look, "For your last attempt: ").splitlines(), ""] if look else []
    lines += _numbered(exercise.hints[:shown])
    left = len(exercise.hints) - shown
    if left:
        end = f"{left} more: {again}."
    elif before == shown:
        end = fill(f"These are all the hints. `grade solution {exercise.id} --reveal` shows the reference.")
    else:
        end = "That was the last hint."
    return [*lines, "", *end.splitlines()]
