"""``grade reset EXERCISE``: back to the stub; what was there is kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from grader.cli.common import lesson_option, the_lesson
from grader.errors import UsageError
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path


@click.command("reset")
@click.argument("exercise")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--restore", is_flag=True, help="Put the newest backup back instead.")
@lesson_option
def command(exercise: str, yes: bool, restore: bool, lesson_folder: Path | None) -> int:  # noqa: FBT001 - by name
    """Start an exercise afresh; what you wrote is kept as a backup."""
    from grader.workflows import stubs

    lesson = the_lesson(lesson_folder)
    (chosen,) = lesson.choose((exercise,))
    workspace = find_workspace()
    path = workspace.exercises / chosen.filename
    if not yes:
        what = "The newest backup comes back in place of" if restore else "The untouched stub takes the place of"
        if not sys.stdin.isatty():
            raise UsageError(f"reset asks before it replaces {path}; --yes answers for you")
        click.echo(f"{what} {path}.\nWhat is there now is kept as a backup.")
        click.confirm("Go on?", abort=True)
    replaced = stubs.restore(workspace, chosen) if restore else stubs.reset(workspace, chosen)
    if not replaced.written:
        click.echo(f"{path} is as it was: there was nothing to replace.")
        return 0
    before = f"before it: {replaced.backup}" if replaced.backup else "there was no such file before"
    click.echo(f"{path} is {'restored' if restore else 'the stub again'}; {before}")
    if replaced.backup and not restore:
        click.echo(f"`grade reset {chosen.id} --restore` puts it back.")
    return 0
