"""Whether the lesson's own files have changed. An author at work changes them."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from grader.lesson import Lesson

Stamp = tuple[int, int, int]


class LessonFiles:
    """The files of a lesson as they were when it was loaded."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._stamps = self._stamped()
        self._digest = self._content()

    @property
    def folders(self) -> set[Path]:
        """Where they lie."""
        return {self._lesson.manifest.parent, *self._lesson.folders}

    def were_touched(self) -> bool:
        """Whether any was written since this was last asked."""
        before, self._stamps = self._stamps, self._stamped()
        return before != self._stamps

    def have_changed(self) -> bool:
        """Whether their content is another than it was then."""
        return self._content() != self._digest

    def _stamped(self) -> dict[Path, Stamp]:
        return {path: _stamp(path) for path in self._lesson.files}

    def _content(self) -> bytes:
        state = blake2b()
        for path in self._lesson.files:
            try:
                content = path.read_bytes()
            except OSError as error:  # between an editor's two steps it may be away
                content = str(error.errno).encode()
            state.update(f"{path}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
        return state.digest()


def _stamp(path: Path) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)
