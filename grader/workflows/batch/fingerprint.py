"""Numbers that change when what is graded, or what it is graded with, does."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from grader import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.lesson import Lesson
    from grader.sandbox.submission import Submission
    from grader.workflows.batch.tasks import Course


def fingerprint(lesson: Lesson) -> str:
    """A mark of the lesson's files, wherever they lie, and of the grader's version."""
    state = blake2b(__version__.encode(), digest_size=12)
    for path in lesson.files:
        content = path.read_bytes()
        state.update(f"{path.parent.name}/{path.name} {len(content)} ".encode("utf-8", "surrogateescape") + content)
    return state.hexdigest()


def key_of(submission: Submission, notes: Iterable[str], course: Course) -> str:
    """A mark of a submission's files, of what is to be said of them, and of all that its results hang on."""
    state = blake2b(digest_size=16)
    told = [course.fingerprint, str(course.seed), str(course.isolation), course.reveal.value, submission.prefix]
    for text in told:
        state.update(text.encode() + b"\0")
    for path, data in sorted(submission.files.items()):
        state.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    for path, why in sorted(submission.unreadable.items()):
        state.update(f"{path}\0{why}\0".encode("utf-8", "surrogateescape"))
    state.update("\0".join(notes).encode("utf-8", "surrogateescape"))
    return state.hexdigest()
