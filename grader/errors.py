"""One tree of exceptions; each class owns the exit code it ends the program with.

    GradeError                exit 3   the grader could not do its job
    ├── UsageError            exit 2   the command was used wrongly
    ├── LessonError           exit 3   a lesson's own files are at fault (manifest, suite, reference)
    ├── SandboxError          exit 3   no worker could be started, or it broke for a reason of ours
    └── StoreError            exit 3   the progress database cannot be used; it is left alone

``Cancelled`` stands beside the tree: it is no error.

The module imports nothing of ours, so that every layer may raise from it.
"""

from __future__ import annotations


class GradeError(Exception):
    """The grader could not do its job; the message says what, where and what to do next."""

    exit_code = 3


class UsageError(GradeError):
    """The command was used wrongly."""

    exit_code = 2


class LessonError(GradeError):
    """A lesson's own files are at fault, never the learner's."""


class SandboxError(GradeError):
    """No worker could be started, or it broke for a reason of ours."""


class StoreError(GradeError):
    """The progress database cannot be used; it is left as it is."""


class Cancelled(BaseException):
    """Nobody wants to know the verdict any more: something newer has come. What handles errors lets it pass."""
