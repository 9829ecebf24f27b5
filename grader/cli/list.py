"""``grade list``: the exercises, what is done, and which is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import columns, echo, fill, lesson_option, open_progress, painter, the_lesson
from grader.text import points, shorten
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list")
@lesson_option
def command(lesson_folder: Path | None) -> int:
    """Show the exercises, what is done, and which is next."""
    lesson = the_lesson(lesson_folder)
    workspace = find_workspace()
    paint = painter()
    with open_progress(workspace) as progress:
        best = progress.best()
    width = columns()
    names = max(map(len, lesson.stems))
    following = None
    for exercise in lesson.exercises:
        done = best.get(exercise.id)
        got = done.points if done else 0.0
        passed = done is not None and done.is_passed
        if passed:
            status, colour = "passed", "green"
        elif got > 0:
            status, colour = "started", "yellow"
        else:
            status, colour = "tried" if done is not None and done.is_started else "not started", "yellow"
        if not passed and following is None:
            following = exercise
        score = f"{points(got)}/{points(exercise.points)}"
        title = shorten(exercise.title, width - names - 24)
        echo(f"{exercise.id:<{names}}  {score:>7}  {paint(f'{status:<11}', colour)}  {title}".rstrip())
    echo()
    if following is None:
        echo("All passed.")
    else:
        echo(fill(f"Next: edit {workspace.exercises.name}/{following.filename}, then run `grade {following.id}`."))
    return 0
