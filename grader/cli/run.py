"""``grade [EXERCISE ...]``: grades, shows the report, records progress."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import COMMANDS, DEFAULT
from grader.cli.common import (
    Place,
    columns,
    echo,
    isolation_option,
    lesson_option,
    linker,
    open_progress,
    painter,
    say_not_kept,
    the_lesson,
)
from grader.errors import GradeError, StoreError
from grader.reporters import DEFAULT_OUTPUT, FORMATS, renderer
from grader.sandbox.launch import Starting
from grader.workflows.workspace import Workspace, find_workspace

if TYPE_CHECKING:
    from collections.abc import Collection

    from grader.lesson import Exercise, Lesson
    from grader.model import Isolation, Report

GRADESCOPE = Path("/autograder/results")


@click.command("run")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE ...]")
@click.option(
    "--in",
    "folder",
    type=Place(),
    metavar="DIR",
    help="Grade this folder, which has exercises/ or the files themselves; no progress is kept.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How the report is written.",
)
@click.option(
    "--output",
    type=Place(),
    metavar="FILE",
    help="Where it goes; - for standard output. Without it: results.json for gradescope, result.json for github, and "
    "standard output for the others.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="What the inputs are drawn from. Without it: a number that comes from the files themselves.",
)
@isolation_option("How your code is kept apart; auto takes the strongest that works here.")
@click.option("--all", "every", is_flag=True, help="Show every check that did not pass, not only the first.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever the points: for platforms that read the file.")
@lesson_option
def command(
    exercises: tuple[str, ...],
    folder: Path | None,
    format_name: str,
    output: Path | None,
    seed: int | None,
    isolation: Isolation | None,
    every: bool,  # noqa: FBT001 - click passes options by name
    exit_zero: bool,  # noqa: FBT001
    lesson_folder: Path | None,
) -> int:
    """Grade exercises: all of them, or those you name.

    The report goes to standard output or to a file. A file is always written, also when the grader itself fails, and
    an old one is removed first.
    """
    from grader.workflows.files import make_way
    from grader.workflows.grade import failed_report, grade

    output = None if str(output) == "-" else output or _default_output(format_name)
    if output is not None:
        make_way(output)
    starting = Starting(isolation)
    lesson: Lesson | None = None
    chosen: tuple[Exercise, ...] = ()
    workspace: Workspace | None = None
    try:
        lesson = the_lesson(lesson_folder)
        chosen = lesson.choose(exercises, commands=[name for name in COMMANDS if name != DEFAULT])
        if folder is None:
            workspace = find_workspace()
        report = grade(lesson, chosen, folder or workspace.root, starting=starting, seed=seed)  # type: ignore[union-attr]
    except Exception as error:
        why = str(error) if isinstance(error, GradeError) else repr(error)
        _deliver(failed_report(lesson, chosen, seed, why), format_name, output, every=every)
        raise
    finally:
        starting.cancel()
    told = _record(workspace, report) if workspace else ()
    root = folder or workspace.root  # type: ignore[union-attr]
    _deliver(report, format_name, output, root, every=every, told=told)
    if report.grader_failed:
        return 3
    return 0 if report.passed or exit_zero else 1


def _default_output(format_name: str) -> Path | None:
    name = DEFAULT_OUTPUT.get(format_name)
    if name is None:
        return None
    on_gradescope = format_name == "gradescope" and GRADESCOPE.is_dir()
    return GRADESCOPE / name if on_gradescope else Path(name)


def _record(workspace: Workspace, report: Report) -> Collection[str]:
    """Keeps the attempt; gives the remarks on how the files were kept apart that were shown here before."""
    with open_progress(workspace) as progress:
        try:
            progress.record(report.exercises, report.seed)
            return [note for note in report.weaker if not progress.say_once(note)]
        except StoreError as error:
            say_not_kept(error)
            return ()


def _deliver(
    report: Report,
    format_name: str,
    output: Path | None,
    root: Path | None = None,
    *,
    every: bool,
    told: Collection[str] = (),
) -> None:
    """Writes the report where it belongs.

    Args:
        report: what to write.
        format_name: how.
        output: where to, None for standard output.
        root: the files' folder, if it is known: a place in the report is then a link.
        every: every check that did not pass in full.
        told: remarks that need not be shown once more to whoever reads a terminal.
    """
    if format_name == "text":
        from grader.reporters.text import render

        if output is None:
            if not report.error:  # else the error is shown as every error is
                new = replace(report, notes=tuple(note for note in report.notes if note not in told))
                text = render(new, width=columns(), paint=painter(), every=every).rstrip("\n")
                echo(linker(root, [exercise.path for exercise in report.exercises])(text) if root else text)
            return
        text = render(report, every=every)
    else:
        text = renderer(format_name)(report)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)
    if format_name == "github":
        _tell_workflow(report)


def _write(output: Path, text: str) -> None:
    from grader.workflows.files import write_result

    try:
        write_result(output, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise GradeError(f"--output {output} cannot be written: {error.strerror}") from error


def _tell_workflow(report: Report) -> None:
    """Shows the annotations, and hands the result on where a workflow step asks for it."""
    import os

    from grader.reporters.github import classroom, workflow_commands

    click.echo(workflow_commands(report), nl=False)
    target = os.environ.get("GITHUB_OUTPUT")
    if target:
        with open(target, "a", encoding="utf-8") as file:
            file.write(f"result={classroom(report)}\n")
