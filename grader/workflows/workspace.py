"""Where the learner's files and the state of their work are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError

EXERCISES = "exercises"
STATE = ".grade"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder that has ``exercises/``."""

    root: Path

    @property
    def exercises(self) -> Path:
        """Where the learner's files are."""
        return self.root / EXERCISES

    @property
    def state(self) -> Path:
        """Where progress and backups are."""
        return self.root / STATE


def current_folder() -> Path:
    """The current folder.

    Raises:
        UsageError: it is gone.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("the current folder no longer exists; go to one that does") from None


def find_workspace(start: Path | None = None) -> Workspace:
    """The nearest folder with ``exercises/``, from ``start`` (the current folder) upwards.

    Raises:
        UsageError: there is none, or the current folder is gone.
    """
    start = start or current_folder()
    for folder in (start, *start.parents):
        if (folder / EXERCISES).is_dir():
            return Workspace(folder)
    raise UsageError(
        f"there is no folder {EXERCISES}/ in {start} or above it. "
        "`grade init lesson` makes one; `grade --in DIR` grades another folder."
    )
