"""Gives out the files that learners edit, takes them back to the start, and keeps what was there."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.lesson.stubs import stub_of
from grader.sandbox.submission import read_plain_file
from grader.workflows.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from grader.lesson import Exercise, Lesson
    from grader.sandbox.submission import Submission
    from grader.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Replaced:
    """A file that has the content it should, and where its former content is now.

    Attributes:
        path: of the file.
        backup: None where there was nothing to keep: it had that content already, or was not there.
        written: whether it was written at all.
    """

    path: Path
    backup: Path | None
    written: bool = True


def stub_text(exercise: Exercise) -> str:
    """The text of an exercise's stub."""
    return stub_of(exercise.reference.read_text(encoding="utf-8"))


def is_untouched(submission: Submission, exercise: Exercise) -> bool:
    """Whether an exercise's file is the stub still, but for white space."""
    return submission.files.get(exercise.filename, b"").split() == stub_text(exercise).encode().split()


def make_workspace(lesson: Lesson, folder: Path) -> tuple[list[Path], list[Path]]:
    """Makes a folder a workspace; never overwrites a file.

    Returns:
        The files that were written, and those that were there already.

    Raises:
        UsageError: the folder cannot be made or written.
    """
    target = folder / "exercises"
    written: list[Path] = []
    kept: list[Path] = []
    try:
        target.mkdir(parents=True, exist_ok=True)
        for exercise in lesson.exercises:
            path = target / exercise.filename
            try:
                with path.open("x", encoding="utf-8", newline="\n") as file:
                    file.write(stub_text(exercise))
                written.append(path)
            except FileExistsError:
                kept.append(path)
    except OSError as error:
        raise UsageError(f"{error.filename or target} cannot be made: {error.strerror}") from error
    return written, kept


def reset(workspace: Workspace, exercise: Exercise) -> Replaced:
    """Puts the stub in place of the learner's file, which is kept as a backup.

    Raises:
        UsageError: what is there is no plain file, or cannot be replaced.
    """
    return _replace(workspace, exercise, stub_text(exercise).encode())


def restore(workspace: Workspace, exercise: Exercise) -> Replaced:
    """Puts the newest backup back; what is there now becomes a backup itself.

    Raises:
        UsageError: there is no backup.
    """
    backups = backups_of(workspace, exercise)
    if not backups:
        raise UsageError(f"there is no backup of {exercise.filename} in {_folder(workspace)}")
    replaced = _replace(workspace, exercise, backups[-1].read_bytes())
    backups[-1].unlink()
    return replaced


def backups_of(workspace: Workspace, exercise: Exercise) -> list[Path]:
    """The backups of one file, the newest last."""
    with contextlib.suppress(FileNotFoundError):  # no backup was ever made
        return sorted(path for path in _folder(workspace).iterdir() if path.name.startswith(f"{exercise.id}."))
    return []


def _folder(workspace: Workspace) -> Path:
    return workspace.state / "backups"


def _replace(workspace: Workspace, exercise: Exercise, content: bytes) -> Replaced:
    """Writes a file in one step, after its former content has reached the backup."""
    path = workspace.exercises / exercise.filename
    backup = None
    try:
        if os.path.lexists(path):
            before = read_plain_file(path)
            if isinstance(before, str):
                raise UsageError(f"{path} {before}; it was left alone")
            if before == content:
                return Replaced(path, None, written=False)
            folder = _folder(workspace)
            folder.mkdir(parents=True, exist_ok=True)
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
            backup = folder / f"{exercise.id}.{stamp}.py"
            write_whole(backup, before)
        write_whole(path, content)
    except OSError as error:
        raise UsageError(f"{error.filename or path} cannot be written: {error.strerror}") from error
    return Replaced(path, backup)
