"""Prints lines and reads lines: all that a quiz needs, and all that a pipe or a screen reader can give.

Nothing is repainted, no key is read by itself, no colour carries meaning. What a person or a bank wrote is
made safe before it is printed. When the input is no terminal its lines are echoed, so that a transcript reads
like a session.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections import deque
from typing import TYPE_CHECKING, TextIO

from quizzes.terminal import clean_line, plainer, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_COLUMNS = 20
MAX_COLUMNS = 100
MAX_LINE = 10_000


class EndOfInputError(Exception):
    """There is nothing more to read."""


class Prompter:
    """Talks with one person, over the standard streams or over given lines."""

    def __init__(self, lines: Iterable[str] | None = None) -> None:
        self._given = deque(lines) if lines is not None else None
        self.interactive = self._given is None and sys.stdin is not None and sys.stdin.isatty()

    @property
    def columns(self) -> int:
        """The width to keep to; a window may have been made smaller since the last line."""
        return min(max(_columns(), MIN_COLUMNS), MAX_COLUMNS)

    def say(self, text: str = "", indent: str = "", first: str | None = None) -> None:
        """Print a text, wrapped to the width; ``first`` is what its first line begins with."""
        self._write("\n".join(wrap(text, self.columns, indent, first)) + "\n")

    def listing(self, text: str) -> None:
        """Print code: indented, never rewrapped where it fits."""
        for line in text.rstrip("\n").split("\n"):
            self.say(line, "    ")

    def ask(self, prompt: str) -> str:
        """Print a prompt and return the line that is typed; EndOfInputError at the end of input."""
        self._write(f"{clean_line(prompt)} ")
        line = self._next_line()
        if not self.interactive:
            self._write(clean_line(line) + "\n")
        return line

    def _next_line(self) -> str:
        if self._given is not None:
            if not self._given:
                raise EndOfInputError
            return self._given.popleft()
        if sys.stdin is None:
            raise EndOfInputError
        line = sys.stdin.readline(MAX_LINE)
        if not line:
            raise EndOfInputError
        if not line.endswith("\n") and len(line) >= MAX_LINE:
            # The rest of a line that nobody typed must not become the next answer.
            while (more := sys.stdin.readline(MAX_LINE)) and not more.endswith("\n"):
                continue
        return _repaired(line.rstrip("\r\n"))

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _repaired(line: str) -> str:
    """Return a line whose bytes the stream's encoding could not read, read as UTF-8 if they are that."""
    if line.isascii() or not any("\udc80" <= character <= "\udcff" for character in line):
        return line
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
    try:
        return line.encode(encoding, "surrogateescape").decode("utf-8")
    except UnicodeError:
        return line


def _columns() -> int:
    """Return the width that the user asks for, or that of the terminal, or 80."""
    if (asked := os.environ.get("COLUMNS", "")).isdecimal() and int(asked[:6]):
        return int(asked[:6])
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


def make_streams_safe() -> None:
    """Let no character end a quiz: print plainer what cannot be encoded, keep what cannot be decoded."""
    codecs.register_error("quiz-plainer", plainer)
    # A process may be started with its streams closed; Python then has none to print to.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream, errors in (
        (sys.stdout, "quiz-plainer"),
        (sys.stderr, "quiz-plainer"),
        (sys.stdin, "surrogateescape"),
    ):
        _reconfigure(stream, errors)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _reconfigure(stream: TextIO | None, errors: str) -> None:
    if stream is not None and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=errors)
