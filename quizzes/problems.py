"""What is wrong with a bank, said so that it can be mended: place, code, sentence, line, caret, fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizzes.record import Record
from quizzes.terminal import clean_line, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from quizzes.model import Place

SHOWN_COLUMNS = 96
MAX_KEPT = 500
# Comparing two words takes some 20 microseconds.
MAX_COMPARED = 30_000


class Problem(Record, kw_only=False):
    """One fault. ``E`` codes are errors, ``L`` codes are warnings; ``error`` overrules that for drafts."""

    line: int
    column: int
    code: str
    message: str
    fix: str = ""
    error: bool = True


class Problems:
    """The list that every stage of reading a bank adds to. It keeps no more than anybody would read."""

    def __init__(self) -> None:
        self._found: dict[Problem, None] = {}
        self.errors = 0  # how many make the bank unusable, kept or not
        self.dropped = 0
        self._compared = 0

    def add(self, code: str, place: Place, message: str, fix: str = "", *, error: bool | None = None) -> None:
        """Note a fault; the same one twice counts once."""
        wrong = code.startswith("E") if error is None else error
        problem = Problem(place.line, place.column, code, message, fix, wrong)
        if problem in self._found:
            return
        self.errors += wrong
        if self.full:
            self.dropped += 1
        else:
            self._found[problem] = None

    @property
    def full(self) -> bool:
        """Whether what is added now is only counted."""
        return len(self._found) >= MAX_KEPT

    def may_compare(self, count: int) -> bool:
        """Tell whether a misspelt word may be compared with so many more, and count them."""
        self._compared += count
        return not self.full and self._compared <= MAX_COMPARED

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self._found, key=lambda one: (one.line, one.column, one.code, one.message)))

    def __len__(self) -> int:
        return len(self._found)


class BankError(Exception):
    """A bank that cannot be used. ``problems`` holds every fault found, ``report`` the text to show."""

    def __init__(self, name: str, problems: Sequence[Problem], lines: Sequence[str]) -> None:
        self.problems = tuple(problems)
        self.report = render(name, problems, lines)
        super().__init__(self.report)


def render(name: str, problems: Iterable[Problem], lines: Sequence[str]) -> str:
    """Return the problems as text, each with its source line, a caret under the place, and the fix."""
    return "\n".join(_render_one(name, problem, lines) for problem in problems)


def _render_one(name: str, problem: Problem, lines: Sequence[str]) -> str:
    kind = "error" if problem.error else "warning"
    where = f"{clean_line(name)}:{problem.line}:{problem.column}" if problem.line else clean_line(name)
    out = [f"{where}: {problem.code} {kind}: {clean_line(problem.message)}"]
    if 1 <= problem.line <= len(lines):
        out += _excerpt(lines[problem.line - 1], problem.column)
    if problem.fix:
        out.append(f"    fix: {clean_line(problem.fix)}")
    return "\n".join(out)


def _excerpt(line: str, column: int) -> list[str]:
    """The source line, cut to a window around the column, and a caret under it.

    A tab is shown as one blank and what a terminal would obey as one ``?``, so that the caret stays true.
    """
    at = min(max(column - 1, 0), len(line))
    start = max(0, at - SHOWN_COLUMNS // 2) if len(line) > SHOWN_COLUMNS else 0
    shown = "".join(
        " " if one == "\t" else one if one.isprintable() else "?" for one in line[start : start + SHOWN_COLUMNS]
    )
    lead = "..." if start else ""
    return [f"    {lead}{shown}".rstrip(), " " * (4 + len(lead) + width(shown[: at - start])) + "^"]


def clip(text: str, length: int = 60) -> str:
    """Return a text short enough for a message."""
    return text if len(text) <= length else text[: length - 3] + "..."


def quoted(text: str) -> str:
    """Return a YAML scalar of the text that means nothing else, for showing in a fix."""
    return "'" + clip(text).replace("\n", " ").replace("'", "''") + "'"
