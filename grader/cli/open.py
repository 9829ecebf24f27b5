"""``grade open [EXERCISE]``: the learner's editor, at the line to look at first."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import click

from grader.cli.common import echo, lesson_option, open_progress, the_lesson
from grader.errors import GradeError, UsageError
from grader.sandbox.launch import Starting
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from grader.lesson import Exercise, Lesson
    from grader.store import Progress
    from grader.workflows.workspace import Workspace

# How each editor is told the line; what is not here is given the file alone.
WITH_LINE = {
    ("vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ed", "gedit"): [
        "+{line}",
        "{path}",
    ],
    ("code", "code-insiders", "codium", "cursor", "windsurf"): ["--goto", "{path}:{line}"],
    ("subl", "zed", "hx", "helix", "mate"): ["{path}:{line}"],
    ("idea", "pycharm", "charm", "kate", "gnome-text-editor"): ["--line", "{line}", "{path}"],
}


@click.command("open")
@click.argument("exercise", required=False, metavar="[EXERCISE]")
@lesson_option
def command(exercise: str | None, lesson_folder: Path | None) -> int:
    """Open an exercise, the first unfinished one if none is named, at its first problem.

    The editor is that of $VISUAL or $EDITOR, else the system's own for Python files.
    """
    lesson = the_lesson(lesson_folder)
    workspace = find_workspace()
    with open_progress(workspace) as progress:
        chosen = lesson.choose((exercise,))[0] if exercise else _first_unfinished(lesson, progress)
    path, line = _place(lesson, chosen, workspace)
    command_line = editor(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "", path, line)
    if not command_line:
        raise UsageError(f"no editor was found for {path}:{line}; name yours in $VISUAL or $EDITOR")
    echo(f"{path}:{line}")
    sys.stdout.flush()  # before the editor takes the terminal
    try:
        status = subprocess.run(command_line, check=False).returncode
    except OSError as error:
        raise UsageError(f"the editor {command_line[0]!r} cannot be started: {error.strerror}") from error
    if status:
        raise GradeError(f"the editor {command_line[0]!r} ended with {status}")
    return 0


def editor(wanted: str, path: Path, line: int) -> list[str]:
    """The command line that opens a file at a line; empty where there is nothing to open it with.

    Args:
        wanted: an editor, perhaps with options, as in $EDITOR; empty for the system's own way.
        path: the file.
        line: where to go, counted from 1.
    """
    if not wanted.strip():
        opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
        return [opener, str(path)] if opener else []
    words = shlex.split(wanted)
    name = os.path.basename(words[0]).removesuffix(".exe")
    arguments = next((how for names, how in WITH_LINE.items() if name in names), ["{path}"])
    return [*words, *(part.format(path=path, line=line) for part in arguments)]


def _first_unfinished(lesson: Lesson, progress: Progress) -> Exercise:
    best = progress.best()
    unfinished = (one for one in lesson.exercises if one.id not in best or not best[one.id].is_passed)
    return next(unfinished, lesson.exercises[0])


def _place(lesson: Lesson, exercise: Exercise, workspace: Workspace) -> tuple[Path, int]:
    """The file and the line to look at: that of the first problem, else the function's own."""
    from grader.workflows.grade import grade

    path = workspace.exercises / exercise.filename
    if not path.is_file():
        raise UsageError(f"there is no file {path}; `grade reset {exercise.id}` makes it anew")
    starting = Starting()
    try:
        (result,) = grade(lesson, (exercise,), workspace.root, starting=starting).exercises
    finally:
        starting.cancel()
    problem = result.first_problem
    if problem and problem.line:
        return workspace.root / problem.path, problem.line
    return path, _definition(path, exercise.functions[0])


def _definition(path: Path, function: str) -> int:
    """The line on which a function is defined, 1 if none does."""
    start = re.compile(rf"(async\s+)?def\s+{function}\b")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((number for number, line in enumerate(lines, 1) if start.match(line)), 1)
