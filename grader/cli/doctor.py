"""``grade doctor``: what this machine has."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from grader.cli.common import columns, echo, lesson_option, painter, the_lesson
from grader.errors import UsageError
from grader.workflows.workspace import Workspace, find_workspace

if TYPE_CHECKING:
    from pathlib import Path


@click.command("doctor")
@lesson_option
def command(lesson_folder: Path | None) -> int:
    """Say what this machine has, which isolation is in force, and why no stronger one."""
    from grader.workflows.doctor import examine

    workspace: Workspace | None
    try:
        workspace = find_workspace()
    except UsageError:
        workspace = None
    findings = examine(the_lesson(lesson_folder), workspace)
    paint = painter()
    wide = max(len(finding.name) for finding in findings)
    for finding in findings:
        text = finding.found if finding.well else f"! {finding.found}"
        body = textwrap.wrap(text, max(20, min(columns(), 100) - wide - 2), break_on_hyphens=False) or [""]
        for number, line in enumerate(body):
            label = f"{'' if number else finding.name:<{wide}}"
            echo(f"{label}  {line if finding.well else paint(line, 'yellow')}")
    usable = any(finding.name == "in force" and finding.well for finding in findings)
    return 0 if usable else 3
