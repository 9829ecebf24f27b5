"""Grades a notebook's cells: ``%load_ext grader.notebook``, then ``%%grade softmax`` at the head of a cell.

The cell is graded as the exercise's file would be, in the same sandbox: it does not run in the kernel, so it has to
hold its own imports, and nothing that it does reaches the notebook. It may import the exercises of cells that were
graded before, and those of the workspace that the notebook is in. No progress is recorded: a cell is no file.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import GradeError, UsageError
from grader.lesson import load_lesson, shipped_lesson
from grader.reporters import cell, text
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission, read_submission
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from grader.lesson import Lesson
    from grader.model import Report

USAGE = "%%grade EXERCISE [--lesson DIR]"


class CellReport:
    """A report that a notebook shows as HTML, and a terminal as text."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def _repr_html_(self) -> str:
        return cell.render(self.report)

    def __repr__(self) -> str:
        return text.render(self.report).rstrip("\n")


class Cells:
    """The cells of one notebook that were graded, by the file that each stands for."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def grade(self, line: str, body: str) -> CellReport | None:
        """Grades a cell and returns what is to be shown; the magic ``%%grade``.

        Args:
            line: what stands behind ``%%grade``.
            body: the cell, without its first line.
        """
        try:
            return CellReport(self._grade(*_arguments(line), body))
        except GradeError as error:
            sys.stderr.write(f"grade: {error}\n")
            return None

    def _grade(self, lesson: Lesson, name: str, body: str) -> Report:
        from grader.workflows.grade import grade_submission

        exercise = lesson.choose((name,))[0]
        # An empty line in place of the magic's own, so that line numbers are those that the notebook shows.
        self._files[exercise.filename] = f"\n{body}".encode("utf-8", "backslashreplace")
        submission = Submission("", {**_workspace_files(), **self._files})
        starting = Starting()
        try:
            return grade_submission(lesson, (exercise,), submission, starting=starting)
        finally:
            starting.cancel()


def _arguments(line: str) -> tuple[Lesson, str]:
    """The lesson and the exercise that are meant.

    Raises:
        UsageError: the line is no such thing.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line.strip()!r} cannot be read ({error}); it has to be {USAGE}") from error
    match words:
        case [name] if not name.startswith("-"):
            return shipped_lesson(), name
        case [name, "--lesson", folder] | ["--lesson", folder, name]:
            return load_lesson(Path(folder)), name
    raise UsageError(f"{line.strip()!r} names no exercise; it has to be {USAGE}")


def _workspace_files() -> dict[str, bytes]:
    """The learner's files, where the notebook lies in a workspace."""
    try:
        return read_submission(find_workspace(Path.cwd()).root).files
    except UsageError:
        return {}


def load_ipython_extension(ipython: Any) -> None:
    """Adds ``%%grade``; called by ``%load_ext grader.notebook``."""
    ipython.register_magic_function(Cells().grade, magic_kind="cell", magic_name="grade")
