"""The submissions of a folder as an LMS, a Git host or a person leaves them: which there are, and what is in each."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.sandbox.submission import MAX_FILES, MAX_TOTAL_BYTES, Submission
from grader.text import one_line, visible
from grader.workflows.batch.archives import SUFFIXES, Member, Unreadable, is_stray, members_of
from grader.workflows.batch.notebooks import Notebook, defined_names, read_notebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from grader.lesson import Exercise, Lesson

FOLDER = "exercises"
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)  # names that Windows keeps


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission as it lies in the folder.

    Attributes:
        name: the whole name in the folder.
        folder: where it lies.
        file: a name for its report and feedback, fit for every file system and every shell, and nobody else's.
    """

    name: str
    folder: Path
    file: str

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / self.name

    @property
    def shown(self) -> str:
        """The name as it can be shown anywhere."""
        return one_line(self.name, 200)

    @property
    def key(self) -> str:
        """The name as a database can hold it, whatever bytes it has."""
        return os.fsencode(self.name).decode("utf-8", "backslashreplace")

    @property
    def stem(self) -> str:
        """The name without an archive's or a file's suffix."""
        return stem_of(self.name)


@dataclass(frozen=True, slots=True)
class Collected:
    """What was found in one submission: files to grade, or why there are none; and remarks."""

    submission: Submission | None
    reason: str = ""
    notes: tuple[str, ...] = field(default=())


def stem_of(name: str) -> str:
    """A name without the suffix of an archive, a Python file or a notebook."""
    return next((name[: -len(end)] for end in SUFFIXES if name.lower().endswith(end) and len(name) > len(end)), name)


def entries_of(folder: Path, out: Path | None = None) -> list[Entry]:
    """The submissions in a folder, by name; what systems leave in folders is none.

    Raises:
        UsageError: the folder cannot be read.
    """
    own = os.path.realpath(out) if out else ""
    try:
        with os.scandir(folder) as found:
            names = sorted(
                entry.name for entry in found if not is_stray(entry.name) and os.path.realpath(entry.path) != own
            )
    except OSError as error:
        raise UsageError(f"{visible(str(folder))} cannot be read: {error.strerror}") from error
    taken: dict[str, int] = {}
    for name in names:
        key = stem_of(name).casefold()
        taken[key] = taken.get(key, 0) + 1
    return [Entry(name, folder, _file_name(name, alone=taken[stem_of(name).casefold()] == 1)) for name in names]


def _file_name(name: str, *, alone: bool) -> str:
    """The name itself where it is plain and nobody else's, else what is plain in it and a mark of the whole."""
    stem = stem_of(name)
    if alone and SAFE_NAME.match(stem) and not RESERVED.match(stem) and not stem.endswith("."):
        return stem
    plain = re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-")[:60] or "submission"
    return f"{plain}.{blake2b(os.fsencode(name), digest_size=5).hexdigest()}"


def collect(entry: Entry, lesson: Lesson) -> Collected:
    """Reads one submission; never raises for what is wrong with it."""
    try:
        with members_of(entry.path) as (members, remarks):
            return _assemble(members, lesson, entry.name, tuple(remarks))
    except Unreadable as error:
        return Collected(None, one_line(str(error)))


def _assemble(members: Sequence[Member], lesson: Lesson, name: str, remarks: tuple[str, ...]) -> Collected:
    root = _root(members, lesson)
    if root is None:
        return _from_other_names(members, lesson, name, remarks)
    prefix = f"{FOLDER}/" if root.endswith(f"{FOLDER}/") else ""
    submission = Submission(prefix)
    inside = sorted((m for m in members if m.path.startswith(root)), key=lambda member: member.path)
    packages = {member.folder for member in inside if member.name == "__init__.py"}
    notebooks: list[Member] = []
    for member in inside:
        if member.path.endswith(".ipynb"):
            notebooks += [member] if member.folder == root else []
        elif _importable(member.folder, root, packages):
            _add(submission, member.path[len(root) :], member.read())
    notes = remarks + _fill_from_notebooks(submission, notebooks, lesson)
    if root and root != f"{FOLDER}/":
        notes += (f"the files were found in {one_line(root, 100)}",)
    return Collected(submission, notes=notes)


def _importable(folder: str, root: str, packages: set[str]) -> bool:
    """Whether a file is one of the root's own, or in a package all the way up to it."""
    while folder != root:
        if folder not in packages:
            return False
        folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return True


def _add(submission: Submission, path: str, content: bytes | str) -> None:
    used = sum(map(len, submission.files.values()))
    if len(submission.files) + len(submission.unreadable) >= MAX_FILES:
        submission.unreadable.setdefault("", f"holds more than {MAX_FILES} Python files")
        return
    if isinstance(content, bytes) and used + len(content) > MAX_TOTAL_BYTES:
        content = f"is too much: the files may hold {MAX_TOTAL_BYTES >> 20} MiB together"
    if isinstance(content, bytes):
        submission.files[path] = content
    else:
        submission.unreadable[path] = content


def _root(members: Iterable[Member], lesson: Lesson) -> str | None:
    """The folder that holds the exercises: at the top or one level down, under ``exercises/`` or not.

    The one with the most of them counts; of equals the one nearest the top.
    """
    wanted = {exercise.filename for exercise in lesson.exercises}
    found: dict[str, int] = {}
    for member in members:
        parts = member.folder.rstrip("/").split("/") if member.folder else []
        outer = parts[:-1] if parts and parts[-1] == FOLDER else parts
        if member.name in wanted and len(outer) <= 1:
            found[member.folder] = found.get(member.folder, 0) + 1
    if not found:
        return None
    return min(found, key=lambda folder: (-found[folder], folder.count("/") - folder.endswith(f"{FOLDER}/"), folder))


def _from_other_names(members: Sequence[Member], lesson: Lesson, name: str, remarks: tuple[str, ...]) -> Collected:
    """A submission without a file named like an exercise: a notebook, or files that define the functions."""
    near = [member for member in sorted(members, key=lambda member: member.path) if member.path.count("/") <= 2]
    submission = Submission("")
    notes = remarks + _fill_from_notebooks(submission, [m for m in near if m.path.endswith(".ipynb")], lesson)
    broken = [f"{one_line(path, 100)} {why}" for path, why in submission.unreadable.items()]
    for member in near:
        if not member.path.endswith(".py"):
            continue
        content = member.read()
        if isinstance(content, str):
            broken.append(f"{one_line(member.path, 100)} {content}")
            continue
        defines = defined_names(content.decode("utf-8", "replace"))
        for exercise in _without_file(submission, lesson):
            if defines & set(exercise.functions):
                _add(submission, exercise.filename, content)
                notes += (f"{exercise.filename} was taken from {one_line(member.path, 100)}",)
    if submission.files:
        return Collected(submission, notes=notes)
    if broken:
        return Collected(None, one_line("; ".join(broken)))
    if members:
        files = ", ".join(exercise.filename for exercise in lesson.exercises)
        return Collected(None, "; ".join(["holds none of the exercises (" + files + ")", *remarks]))
    what = "is empty" if not remarks else "holds nothing else"
    if stem_of(name) != name and not remarks:
        what = "holds no Python file and no notebook"
    return Collected(None, "; ".join([*remarks, what]))


def _without_file(submission: Submission, lesson: Lesson) -> Iterator[Exercise]:
    for exercise in lesson.exercises:
        if exercise.filename not in submission.files and exercise.filename not in submission.unreadable:
            yield exercise


def _fill_from_notebooks(submission: Submission, members: Iterable[Member], lesson: Lesson) -> tuple[str, ...]:
    """Adds the exercises that only a notebook defines; a file named like the exercise has been taken already."""
    notes: tuple[str, ...] = ()
    notebooks: list[tuple[Member, Notebook]] = []
    for member in members:
        content = member.read()
        found = read_notebook(content) if isinstance(content, bytes) else content
        if isinstance(found, Notebook):
            notebooks.append((member, found))
            continue
        notes += (f"{one_line(member.path, 100)} {one_line(found)}",)
        if not submission.files:
            submission.unreadable[member.path] = found
    for exercise in [*_without_file(submission, lesson)]:
        # One named like the exercise is its own; others may hold a copy, for later exercises to use.
        for member, notebook in sorted(notebooks, key=lambda one: stem_of(one[0].name) != exercise.id):
            if notebook.defines(exercise):
                text = notebook.file_of(exercise, _given(submission, exercise, lesson), one_line(member.name, 100))
                _add(submission, exercise.filename, text.encode("utf-8", "replace"))
                notes += (f"{exercise.filename} was taken from {one_line(member.path, 100)}",)
                break
    functions = [name for exercise in _without_file(submission, lesson) for name in exercise.functions]
    for member, notebook in notebooks:
        notes += tuple(f"{one_line(member.path, 100)}: {told}" for told in notebook.left_out(functions))
        for path in sorted(notebook.written.keys() - submission.files.keys() - submission.unreadable.keys()):
            _add(submission, path, notebook.written[path].encode("utf-8", "replace"))
    return notes


def _given(submission: Submission, exercise: Exercise, lesson: Lesson) -> dict[str, str]:
    """The functions of earlier exercises that have a file: what uses them imports them from there."""
    earlier = lesson.exercises[: lesson.exercises.index(exercise)]
    there = submission.files.keys() | submission.unreadable.keys()
    return {name: one.id for one in earlier if one.filename in there for name in one.functions}
