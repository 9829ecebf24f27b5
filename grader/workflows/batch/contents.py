"""Which files of a submission are graded: those that are named like the exercises, or else what defines them.

Whatever is left out, and could have been meant, is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from grader.sandbox.submission import MAX_TOTAL_BYTES, UNSEEN, Submission
from grader.text import one_line, shorten, visible
from grader.workflows.batch.archives import Held, Member, members_of
from grader.workflows.batch.faults import Unreadable, Withheld
from grader.workflows.batch.notebooks import Notebook, defined_names, read_notebook
from grader.workflows.batch.pieces import Budget, defines, pieces_of
from grader.workflows.batch.sources import stem_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from grader.lesson import Exercise, Lesson
    from grader.workflows.batch.sources import Entry

FOLDER = "exercises"
MOST_NAMED = 3
MOST_OF_NAME = 100
MOST_NOTES = 20
TOO_MUCH = f"of Python files that are not named like the exercises {MAX_TOTAL_BYTES >> 20} MiB are looked at"
PACKED = (
    ".zip",
    ".zipx",
    ".tar",
    ".gz",
    ".tgz",
    ".rar",
    ".7z",
    ".bz2",
    ".tbz",
    ".tbz2",
    ".xz",
    ".txz",
    ".lzma",
    ".zst",
)
RENAMED = re.compile(r"\.(?:py|ipynb)[^\w/]\w*\Z", re.IGNORECASE)  # work.ipynb.json, work.py~
WORD = re.compile(rb"\w+")
IMPORT = re.compile(rb"^[ \t]*(?:from|import)\b([^\n#]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Collected:
    """What was found in one submission.

    Attributes:
        submission: the files to grade, None if there are none.
        reason: why there are none.
        notes: what is to be known of the files.
        ours: whether the reason is no fault of the submission's: the disk does not give it.
    """

    submission: Submission | None
    reason: str = ""
    notes: tuple[str, ...] = field(default=())
    ours: bool = False


@dataclass
class _Picked:
    """What is taken from a submission, and what was seen on the way.

    Attributes:
        submission: the files to grade.
        lesson: whose exercises are looked for.
        origins: where each exercise's file is from: the member's path by the file's name.
        beside: the Python files that came along, by their member's path; they may be imported.
        budget: how much of notebooks, and of what is read like one, may still be looked at.
        seen: which exercises the Python files define that were looked at, save those that are what counts.
        left: how many bytes may still be looked at of Python files that are not named like the exercises.
    """

    submission: Submission
    lesson: Lesson
    origins: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    seen: dict[str, list[Exercise]] = field(default_factory=dict)
    left: int = MAX_TOTAL_BYTES
    _notebooks: dict[str, Notebook | str] = field(default_factory=dict)

    @property
    def without_file(self) -> list[Exercise]:
        """The exercises that nothing was taken for."""
        return [exercise for exercise in self.lesson.exercises if not self.has(exercise)]

    @cached_property
    def imported(self) -> set[bytes]:
        """The words of all lines that import something, once all files are there."""
        return {
            word
            for content in self.submission.files.values()
            for line in IMPORT.findall(content)
            for word in WORD.findall(line)
        }

    def has(self, exercise: Exercise) -> bool:
        """Whether there is a file of an exercise's name, be it one that cannot be read."""
        return exercise.filename in self.submission.files or exercise.filename in self.submission.unreadable

    def take(self, exercise: Exercise, member: Member, content: bytes) -> str:
        """Puts content in the place of an exercise's file; gives the remark on where it is from."""
        self.submission.add(exercise.filename, content)
        self.origins[exercise.filename] = member.path
        return f"{exercise.filename} was taken from {_name(member.path)}"

    def notebook(self, member: Member) -> Notebook | str:
        """A member that is a notebook, read once; or what is wrong with it."""
        if member.path not in self._notebooks:
            content = member.read()
            self._notebooks[member.path] = (
                read_notebook(content, self.budget) if isinstance(content, bytes) else content
            )
        return self._notebooks[member.path]

    def unlike(self, content: bytes, exercises: Iterable[Exercise]) -> list[Exercise]:
        """Of some exercises those whose files hold something else: a copy of what counts is nobody's loss."""
        return [one for one in exercises if self.submission.files.get(one.filename) != content]

    def defined_in(self, content: bytes) -> list[Exercise]:
        """The exercises of which a Python file defines a function."""
        if not any(name.encode() in content for exercise in self.lesson.exercises for name in exercise.functions):
            return []
        text = content.decode("utf-8", "replace")
        names = defined_names(text)
        pieces, _ = pieces_of([text], self.budget)
        return [one for one in self.lesson.exercises if names & set(one.functions) or defines(pieces, one.functions)]


def collect(entry: Entry, lesson: Lesson) -> Collected:
    """Reads one submission; never raises for what is wrong with it, or with the disk that it lies on."""
    try:
        with members_of(entry.path) as held:
            found = _assemble(held, lesson, (*_first(held.remarks), *_packed(held)))
            if found.submission is None and held.withheld:
                return Collected(None, one_line(held.withheld), ours=True)
            return replace(found, notes=tuple(_first([*dict.fromkeys(found.notes)])))
    except Unreadable as error:
        return Collected(None, one_line(str(error)))
    except Withheld as error:
        return Collected(None, one_line(str(error)), ours=True)


def _first(notes: Sequence[str]) -> Iterator[str]:
    """The first of many remarks, and how many more there are: a row is to stay short."""
    yield from notes[:MOST_NOTES]
    if len(notes) > MOST_NOTES:
        yield f"and {len(notes) - MOST_NOTES} more remarks"


def _assemble(held: Held, lesson: Lesson, remarks: tuple[str, ...]) -> Collected:
    found = _candidates(held.members, lesson)
    folders = _folders(found)
    if not folders:
        return _from_other_names(held, lesson, remarks)
    submission = Submission(f"{FOLDER}/" if folders[0].endswith(f"{FOLDER}/") else "")
    picked = _Picked(submission, lesson)
    notebooks = [notebook for folder in folders for notebook in _take(picked, held.members, folder)]
    notes = (*remarks, *_places(found, folders), *_fill_from_notebooks(picked, notebooks))
    notes += tuple(f"{_name(path)} {UNSEEN}" for path, why in submission.unreadable.items() if why == UNSEEN)
    bad = _bad(submission, lesson)
    notes += (*bad, *_near_misses(held, picked), *_passed_over(held, picked, found))
    if not any(exercise.filename in submission.files for exercise in lesson.exercises):
        return Collected(None, one_line("; ".join(dict.fromkeys([*bad, *notes]))))
    return Collected(submission, notes=notes)


def _candidates(members: Iterable[Member], lesson: Lesson) -> dict[str, list[str]]:
    """The folders that hold files named like exercises: at the top or one level down, under ``exercises/`` or not."""
    wanted = {exercise.filename for exercise in lesson.exercises}
    found: dict[str, list[str]] = {}
    for member in members:
        parts = member.folder.rstrip("/").split("/") if member.folder else []
        outer = parts[:-1] if parts and parts[-1] == FOLDER else parts
        if member.name in wanted and len(outer) <= 1:
            found.setdefault(member.folder, []).append(member.name)
    return found


def _folders(found: dict[str, list[str]]) -> list[str]:
    """The folders whose files count: the one with the most exercises, of equals the one nearest the top.

    Others count beside it if they hold none of the same: one that does is another version, or the solutions.
    """

    def order(folder: str) -> tuple[int, int, str]:
        return (-len(found[folder]), folder.count("/") - folder.endswith(f"{FOLDER}/"), folder)

    chosen: list[str] = []
    there: set[str] = set()
    for folder in sorted(found, key=order):
        if there.isdisjoint(found[folder]):
            chosen.append(folder)
            there.update(found[folder])
    return chosen


def _places(found: dict[str, list[str]], folders: list[str]) -> Iterator[str]:
    """Where the files were found, unless that is where they belong, and which folders hold some of them again."""
    again = sorted(found.keys() - set(folders))
    if again or folders not in ([""], [f"{FOLDER}/"]):
        where = ", ".join(map(_folder, folders[:MOST_NAMED]))
        yield f"the files were found in {where}" + (" and others" if len(folders) > MOST_NAMED else "")
    for folder in again[:MOST_NAMED]:
        yield f"{', '.join(sorted(found[folder]))} in {_folder(folder)} was left out"


def _folder(folder: str) -> str:
    return one_line(folder, 100) or "the top folder"


def _take(picked: _Picked, members: Iterable[Member], folder: str) -> list[Member]:
    """Adds a folder's files, what was found before excepted, and gives its notebooks."""
    submission = picked.submission
    first = {exercise.filename for exercise in picked.lesson.exercises}  # there may be too many files for all of them
    inside = sorted((one for one in members if one.path.startswith(folder)), key=lambda member: member.path)
    inside.sort(key=lambda member: member.path[len(folder) :] not in first)
    packages = {member.folder for member in inside if member.name == "__init__.py"}
    notebooks: list[Member] = []
    for member in inside:
        path = member.path[len(folder) :]
        known = path in submission.files or path in submission.unreadable
        if member.path.lower().endswith(".ipynb"):
            notebooks += [member] if member.folder == folder else []
        elif not known and _importable(member.folder, folder, packages):
            submission.add(path, member.read())
            picked.beside[member.path] = path
            picked.origins[path] = member.path
    return notebooks


def _importable(folder: str, root: str, packages: set[str]) -> bool:
    """Whether a file is one of the root's own, or in a package all the way up to it."""
    while folder != root:
        if folder not in packages:
            return False
        folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return True


def _bad(submission: Submission, lesson: Lesson) -> list[str]:
    """The exercises whose files are there and cannot be read, each with the reason."""
    names = [exercise.filename for exercise in lesson.exercises]
    return [f"{name} {submission.unreadable[name]}" for name in names if name in submission.unreadable]


def _near_misses(held: Held, picked: _Picked) -> Iterator[str]:
    """Files that might have been meant for an exercise that has none: ``softmax.py.txt``, ``a/b/c/softmax.py``."""
    names = [*held.others, *(member.path for member in held.members)]
    told: set[str] = set()
    for exercise in picked.without_file:
        near = [path for path in names if _is_near(path.rstrip("/").casefold(), exercise.id)]
        if near:
            told.update(near)
            shown = ", ".join(_described(path, exercise) for path in near[:MOST_NAMED])
            yield f"there is no {exercise.filename}, only {shown}"
    if picked.without_file:
        renamed = [path for path in held.others if path not in told and RENAMED.search(path)]
        for path in renamed[:MOST_NAMED]:
            yield f"{_name(path)} was left out: its name does not end in .py or .ipynb"


def _is_near(name: str, stem: str) -> bool:
    first, _, suffix = name.rpartition("/")[2].partition(".")
    return stem in first and (not suffix or any(kind in suffix for kind in ("py", "txt", "doc")))


def _described(path: str, exercise: Exercise) -> str:
    """A name, and what keeps it from being the exercise's file where the name alone does not tell."""
    shown = _name(path)
    if path.endswith("/"):
        return f"a folder {shown}"
    return f"{shown}, too deep down" if path.endswith(f"/{exercise.filename}") else shown


def _name(path: str) -> str:
    """A path on one line; in quotes where it would look like another, since white space in it cannot be seen."""
    shown = one_line(path, MOST_OF_NAME)
    return shown if " ".join(path.split()) == path else f'"{shorten(visible(path[:MOST_OF_NAME]), MOST_OF_NAME)}"'


def _passed_over(held: Held, picked: _Picked, named: Collection[str]) -> Iterator[str]:
    """What defines an exercise's functions and does not count: beside an untouched stub it may be all the work.

    Args:
        held: all there is.
        picked: what counts.
        named: the folders whose files named like exercises have been told of.
    """
    filenames = {exercise.filename for exercise in picked.lesson.exercises}
    told = 0
    for member in sorted(held.members, key=lambda one: one.path):
        if member.name in filenames and member.folder in named:
            continue
        if picked.left < 0 and member.path not in picked.seen:
            yield f"{_name(member.path)} and what follows were left out: {TOO_MUCH}"
            return
        others = [one for one in _defined_in(member, picked) if picked.origins.get(one.filename) != member.path]
        if others and not _is_of_use(member, picked):
            if told == MOST_NAMED:
                yield "and more files with exercises were left out"
                return
            told += 1
            yield from _left_out(member, others, picked)


def _defined_in(member: Member, picked: _Picked) -> list[Exercise]:
    """The exercises that a member defines, none where it cannot be read: it is none of the files that count."""
    if member.path in picked.seen:
        return picked.seen[member.path]
    try:
        if member.path.lower().endswith(".ipynb"):
            notebook = picked.notebook(member)
            return [one for one in picked.lesson.exercises if isinstance(notebook, Notebook) and notebook.defines(one)]
        content = picked.submission.files.get(picked.beside.get(member.path, ""), b"") or member.read()
    except Withheld:
        return []
    picked.left -= len(content)
    if isinstance(content, str):
        return []
    return picked.unlike(content, picked.defined_in(content))


def _is_of_use(member: Member, picked: _Picked) -> bool:
    """Whether a file counts for its own exercise, so that others in it are copies, or is imported by what counts."""
    stem = stem_of(member.name)
    if picked.origins.get(f"{stem}.py") == member.path and stem in picked.lesson.stems:
        return True
    module = picked.beside.get(member.path, "").partition("/")[0].removesuffix(".py")
    return module.encode() in picked.imported


def _left_out(member: Member, exercises: Sequence[Exercise], picked: _Picked) -> Iterator[str]:
    """What is told of a member's exercises that do not count: what counts in their place, or where they belong."""
    path = member.path
    kept = [one for one in exercises if picked.has(one)]
    lost = [one for one in exercises if not picked.has(one) and not _is_near(path.casefold(), one.id)]
    counting = [_name(picked.origins.get(one.filename, one.filename)) for one in kept]
    for some, why in (
        (kept, f"{', '.join(dict.fromkeys(counting))} {'counts' if len(set(counting)) == 1 else 'count'}"),
        (lost, f"put {'it' if len(lost) == 1 else 'them'} into {', '.join(one.filename for one in lost)}"),
    ):
        if some:
            ids = ", ".join(one.id for one in some)
            yield f"{ids} in {_name(path)} {'was' if len(some) == 1 else 'were'} left out: {why}"


def _from_other_names(held: Held, lesson: Lesson, remarks: tuple[str, ...]) -> Collected:
    """A submission without a file named like an exercise: a notebook, or files that define the functions."""
    near = [one for one in sorted(held.members, key=lambda member: member.path) if one.path.count("/") <= 2]
    submission = Submission("")
    picked = _Picked(submission, lesson)
    notebooks = [member for member in near if member.path.lower().endswith(".ipynb")]
    notes = remarks + _fill_from_notebooks(picked, notebooks)
    broken = [f"{_name(path)} {why}" for path, why in submission.unreadable.items()]
    for member in near:
        if member in notebooks:
            continue
        if picked.left < 0:
            broken.append(f"{_name(member.path)} and what follows were left out: {TOO_MUCH}")
            break
        content = member.read()
        picked.left -= len(content)
        if isinstance(content, str):
            broken.append(f"{_name(member.path)} {content}")
            continue
        defined = picked.defined_in(content)
        notes += tuple(picked.take(one, member, content) for one in picked.without_file if one in defined)
        picked.seen[member.path] = picked.unlike(content, defined)
    misses = [*_near_misses(held, picked), *_passed_over(held, picked, ())]
    if submission.files:
        return Collected(submission, notes=(*notes, *broken, *misses))
    if broken or misses:
        return Collected(None, one_line("; ".join(dict.fromkeys([*broken, *misses, *notes]))))
    return Collected(None, one_line("; ".join([*notes, *_nothing(held, lesson)])))


def _packed(held: Held) -> Iterator[str]:
    """The archives in a submission: they are not opened, whatever else counts."""
    packed = sorted(path for path in held.others if path.lower().endswith(PACKED))
    if packed:
        names = ", ".join(map(_name, packed[:MOST_NAMED])) + (" and others" if len(packed) > MOST_NAMED else "")
        what = "another archive" if len(packed) == 1 else "other archives"
        yield f"holds {what}, {names}; put the files themselves into the outer one"


def _nothing(held: Held, lesson: Lesson) -> Iterator[str]:
    """What there is in a submission that has no exercise."""
    if held.members:
        yield f"holds none of the exercises ({', '.join(exercise.filename for exercise in lesson.exercises)})"
    elif held.others and not [*_packed(held)]:
        shown = ", ".join(one_line(path, 60) for path in held.others[:MOST_NAMED])
        yield f"holds no Python file and no notebook, only {shown}"
    elif not held.others:
        yield "holds nothing else" if held.remarks else "is empty"


def _fill_from_notebooks(picked: _Picked, members: Iterable[Member]) -> tuple[str, ...]:
    """Adds the exercises that only a notebook defines; a file named like the exercise has been taken already."""
    submission, lesson = picked.submission, picked.lesson
    notes: tuple[str, ...] = ()
    bad: list[str] = []
    notebooks: list[tuple[Member, Notebook]] = []
    for member in sorted(members, key=lambda one: stem_of(one.name) not in lesson.stems):
        found = picked.notebook(member)
        if isinstance(found, Notebook):
            notebooks.append((member, found))
            continue
        bad.append(f"{_name(member.path)} {one_line(found)}")
        if not submission.files:
            submission.unreadable[member.path] = found
    for exercise in picked.without_file:
        # One named like the exercise is its own; others may hold a copy, for later exercises to use.
        for member, notebook in sorted(notebooks, key=lambda one: stem_of(one[0].name) != exercise.id):
            if notebook.defines(exercise):
                text = notebook.file_of(exercise, _given(submission, exercise, lesson), one_line(member.name, 100))
                notes += (picked.take(exercise, member, text.encode("utf-8", "replace")),)
                break
    notes += tuple(bad)
    functions = [name for exercise in picked.without_file for name in exercise.functions]
    for member, notebook in notebooks:
        notes += tuple(f"{_name(member.path)}: {told}" for told in notebook.left_out(functions))
        for path in sorted(notebook.written.keys() - submission.files.keys() - submission.unreadable.keys()):
            submission.add(path, notebook.written[path].encode("utf-8", "replace"))
    return notes


def _given(submission: Submission, exercise: Exercise, lesson: Lesson) -> dict[str, str]:
    """The functions of earlier exercises that have a file: what uses them imports them from there."""
    earlier = lesson.exercises[: lesson.exercises.index(exercise)]
    there = submission.files.keys() | submission.unreadable.keys()
    return {name: one.id for one in earlier if one.filename in there for name in one.functions}
