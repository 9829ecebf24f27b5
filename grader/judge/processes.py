"""The worker's processes for one submission, one after the other: a worker has one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from grader.lesson import Exercise, Lesson
    from grader.sandbox.child import Child
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

EXPLAINING_S = 10.0  # CPU time that goes into saying what is wrong with an exercise, at most


class Processes:
    """Gives out a process for each exercise: the one that is there, if it is as good as new.

    It is so where all files that it has imported are plain (``grader/worker/plain.py``), since they are imported anew
    for each exercise and leave nothing else behind. Otherwise the next exercise gets a new one.

    Args:
        zygote: forks them.
        submission: the learner's files.
        lesson: what they belong to.

    Attributes:
        plain: whether the files are that the process has imported.
    """

    def __init__(self, zygote: Zygote, submission: Submission, lesson: Lesson) -> None:
        self.zygote = zygote
        self.submission = submission
        self.lesson = lesson
        self.plain = False
        self._child: Child | None = None
        self._fit_for: tuple[int, int, str] | None = None

    def child(self, exercise: Exercise) -> tuple[Child, bool]:
        """A process for an exercise, and whether it has the files already.

        Raises:
            SandboxError: the worker does not answer.
        """
        limits = exercise.limits
        # Without a file system of its own a process has opened beforehand what one file imports, and no other.
        fit_for = (limits.memory_mib, limits.output_kib, exercise.id if self.zygote.preloads else "")
        if self._child is not None and self._child.ended is None and self.plain and self._fit_for == fit_for:
            return self._child, True
        self.close()
        longest_s = sum(one.limits.exercise_s + EXPLAINING_S for one in self.lesson.exercises)
        self._child, self._fit_for = self.zygote.fork(replace(limits, exercise_s=longest_s)), fit_for
        return self._child, False

    def close(self) -> None:
        """Ends the process and whatever it left; the next exercise gets a new one."""
        if self._child is not None:
            child, self._child = self._child, None
            child.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
