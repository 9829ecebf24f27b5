"""``grade init DIR``: a folder to work in."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from grader.cli.common import Place, lesson_option, the_lesson

if TYPE_CHECKING:
    from pathlib import Path


@click.command("init")
@click.argument("folder", type=Place())
@lesson_option
def command(folder: Path, lesson_folder: Path | None) -> int:
    """Make a folder to work in; a file that is there is never overwritten."""
    from grader.workflows.stubs import make_workspace

    lesson = the_lesson(lesson_folder)
    written, kept = make_workspace(lesson, folder)
    for path in written:
        click.echo(f"made  {path}")
    for path in kept:
        click.echo(f"kept  {path}, which was there")
    step = "" if folder.samefile(".") else f"cd {shlex.quote(str(folder))} && "
    which = f" --lesson {shlex.quote(str(lesson_folder.resolve()))}" if lesson_folder else ""
    click.echo(f"\nNow: {step}grade{which}")
    return 0
