"""``grade list``: the exercises, what is done, and which is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, here, lesson_option, painter, the_lesson
from grader.store import Progress
from grader.text import points

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list")
@lesson_option
def command(lesson_folder: Path | None) -> int:
    """Show the exercises, what is done, and which is next."""
    lesson = the_lesson(lesson_folder)
    workspace = here()
    paint = painter()
    with Progress(workspace.state) as progress:
        best = progress.best()
    names = max(map(len, lesson.stems))
    following = None
    for exercise in lesson.exercises:
        done = best.get(exercise.id)
        got = done.points if done else 0.0
        complete = done is not None and got >= done.max_points
        if complete:
            status = paint("passed", "green")
        elif got > 0:
            status = paint("started", "yellow")
        else:
            status = "not started" if done is None or done.outcome == "not_started" else paint("tried", "yellow")
        if not complete and following is None:
            following = exercise
        score = f"{points(got)}/{points(exercise.points)}"
        echo(f"{exercise.id:<{names}}  {score:>7}  {status:<11}  {exercise.title}")
    echo()
    if following is None:
        echo("All passed.")
    else:
        echo(f"Next: edit {workspace.exercises.name}/{following.filename}, then run `grade {following.id}`.")
    return 0
