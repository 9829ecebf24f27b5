"""The submissions of a folder as an LMS, a Git host or a person leaves them: which there are, and what to call them."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.reporters.gradebook import cell
from grader.store.ledger import is_results
from grader.text import one_line, visible
from grader.workflows.batch.archives import SUFFIXES, is_stray

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
MARKED = re.compile(r"\.(?:[0-9a-f]{10}|[0-9a-f]{32})\Z", re.IGNORECASE)  # as names are that were made here
TOLD_APART = re.compile(r"\.(?:[0-9a-f]{10}|[0-9a-f]{32})\)\s*\Z")  # and as they are shown then
MOST_SHOWN = 200
MARK, LONG_MARK = 5, 16  # bytes; nobody can find another name with the same long one
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)  # names that Windows keeps


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission as it lies in the folder.

    Attributes:
        name: the whole name in the folder.
        folder: where it lies.
        file: a name for its report and feedback, fit for every file system and every shell, and nobody else's.
        alike: whether its name looks like another's when it is shown.
    """

    name: str
    folder: Path
    file: str
    alike: bool = False

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / self.name

    @property
    def shown(self) -> str:
        """The name as it can be shown anywhere, nobody else's either."""
        shown = one_line(self.name, MOST_SHOWN)
        return f"{shown} ({self.file})" if self.alike else shown

    @property
    def key(self) -> str:
        """The name as a database can hold it, whatever bytes it has."""
        return os.fsencode(self.name).decode("utf-8", "backslashreplace")

    @property
    def names(self) -> set[str]:
        """All by which a person may call it: as it is, as it is shown, without suffix, and that of its report."""
        shown = {self.shown, cell(self.shown), one_line(self.name, MOST_SHOWN), one_line(self.stem)}
        return {self.name, self.stem, self.file} | shown

    @property
    def stem(self) -> str:
        """The name without an archive's or a file's suffix."""
        return stem_of(self.name)


def stem_of(name: str) -> str:
    """A name without the suffix of an archive, a Python file or a notebook."""
    return next((name[: -len(end)] for end in SUFFIXES if name.lower().endswith(end) and len(name) > len(end)), name)


def entries_of(folder: Path, out: Path | None = None) -> list[Entry]:
    """The submissions in a folder, by name; what systems leave in folders is none, and neither are results.

    Raises:
        UsageError: the folder cannot be read.
    """
    names, _ = _names(folder, out)
    stems = Counter(stem_of(name).casefold() for name in names)
    files = {name: _file_name(name, alone=stems[stem_of(name).casefold()] == 1) for name in names}
    taken = Counter(map(str.casefold, files.values()))  # a short mark can be made to be another's
    twice = {name for name, file in files.items() if taken[file.casefold()] > 1}
    files |= {name: _marked(name, LONG_MARK) for name in twice}
    alike = _alike(names)
    return [Entry(name, folder, files[name], name in alike) for name in names]


def _alike(names: Iterable[str]) -> set[str]:
    """The names that look like another one in a cell of the gradebook, where that one is just as it looks, or neither.

    Also those that look as if they had been told apart in this way: so no name can be chosen to look like another's.
    """
    shown = {name: cell(one_line(name, MOST_SHOWN)) for name in names}
    often = Counter(shown.values())
    return {name for name in shown if (often[shown[name]] > 1 and shown[name] != name) or TOLD_APART.search(name)}


def results_in(folder: Path, out: Path) -> list[str]:
    """The folders of earlier results in a folder of submissions, by name.

    Raises:
        UsageError: the folder cannot be read.
    """
    return _names(folder, out)[1]


def _names(folder: Path, out: Path | None) -> tuple[list[str], list[str]]:
    """The names of submissions, and those of earlier results."""
    own = os.path.realpath(out) if out else ""
    try:
        with os.scandir(folder) as found:
            listed = [one for one in found if not is_stray(one.name) and os.path.realpath(one.path) != own]
            earlier = {
                one.name for one in listed if one.is_dir(follow_symlinks=False) and is_results(folder / one.name)
            }
    except OSError as error:
        raise UsageError(f"{visible(str(folder))} cannot be read: {error.strerror}") from error
    return sorted(one.name for one in listed if one.name not in earlier), sorted(earlier)


def _file_name(name: str, *, alone: bool) -> str:
    """The name itself where it is plain, nobody else's and none that is made here; else what is made of it."""
    stem = stem_of(name)
    if alone and SAFE_NAME.match(stem) and not (RESERVED.match(stem) or MARKED.search(stem) or stem.endswith(".")):
        return stem
    return _marked(name, MARK)


def _marked(name: str, size: int) -> str:
    """What is plain in a name, and a mark of the whole."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", stem_of(name)).strip("-")[:60] or "submission"
    return f"{plain}.{blake2b(os.fsencode(name), digest_size=size).hexdigest()}"
