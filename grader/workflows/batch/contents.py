"""Which files of a submission are graded: those that are named like the exercises, or else what defines them.

Whatever is left out, and could have been meant, is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from grader.sandbox.submission import MAX_TOTAL_BYTES, UNSEEN, Submission
from grader.text import one_line
from grader.workflows.batch.archives import Held, Member, members_of
from grader.workflows.batch.faults import Unreadable, Withheld
from grader.workflows.batch.notebooks import Notebook, defined_names, read_notebook
from grader.workflows.batch.pieces import Budget
from grader.workflows.batch.sources import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.lesson import Exercise, Lesson
    from grader.workflows.batch.sources import Entry

FOLDER = "exercises"
MOST_NAMED = 3
MOST_NOTES = 20
TOO_MUCH = f"of Python files that are not named like the exercises {MAX_TOTAL_BYTES >> 20} MiB are looked at"
PACKED = (".zip", ".tar", ".gz", ".tgz", ".rar", ".7z", ".bz2", ".xz")


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


def collect(entry: Entry, lesson: Lesson) -> Collected:
    """Reads one submission; never raises for what is wrong with it, or with the disk that it lies on."""
    try:
        with members_of(entry.path) as held:
            found = _assemble(held, lesson, tuple(_first(held.remarks)))
            if found.submission is None and held.withheld:
                return Collected(None, one_line(held.withheld), ours=True)
            return replace(found, notes=tuple(_first(found.notes)))
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
    notebooks = [notebook for folder in folders for notebook in _take(submission, held.members, folder)]
    notes = (*remarks, *_places(found, folders), *_fill_from_notebooks(submission, notebooks, lesson))
    notes += tuple(f"{one_line(path, 100)} {UNSEEN}" for path, why in submission.unreadable.items() if why == UNSEEN)
    notes += tuple(_bad(submission, lesson)) + tuple(_near_misses(held, submission, lesson))
    if not any(exercise.filename in submission.files for exercise in lesson.exercises):
        return Collected(None, one_line("; ".join(_bad(submission, lesson) or notes)))
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


def _take(submission: Submission, members: Iterable[Member], folder: str) -> list[Member]:
    """Adds a folder's files, what was found before excepted, and gives its notebooks."""
    inside = sorted((one for one in members if one.path.startswith(folder)), key=lambda member: member.path)
    packages = {member.folder for member in inside if member.name == "__init__.py"}
    notebooks: list[Member] = []
    for member in inside:
        path = member.path[len(folder) :]
        known = path in submission.files or path in submission.unreadable
        if member.path.lower().endswith(".ipynb"):
            notebooks += [member] if member.folder == folder else []
        elif not known and _importable(member.folder, folder, packages):
            submission.add(path, member.read())
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


def _near_misses(held: Held, submission: Submission, lesson: Lesson) -> Iterator[str]:
    """Files that might have been meant for an exercise that has none: ``softmax.py.txt``, ``a/b/c/softmax.py``."""
    names = [*held.others, *(member.path for member in held.members)]
    for exercise in _without_file(submission, lesson):
        near = [path for path in names if _is_near(path.rstrip("/").casefold(), exercise.id)]
        if near:
            shown = ", ".join(_described(path, exercise) for path in near[:MOST_NAMED])
            yield f"there is no {exercise.filename}, only {shown}"


def _is_near(name: str, stem: str) -> bool:
    first, _, suffix = name.rpartition("/")[2].partition(".")
    return stem in first and (not suffix or any(kind in suffix for kind in ("py", "txt", "doc")))


def _described(path: str, exercise: Exercise) -> str:
    """A name, and what keeps it from being the exercise's file where the name alone does not tell."""
    shown = one_line(path, 100)
    if path.endswith("/"):
        return f"a folder {shown}"
    return f"{shown}, too deep down" if path.endswith(f"/{exercise.filename}") else shown


def _from_other_names(held: Held, lesson: Lesson, remarks: tuple[str, ...]) -> Collected:
    """A submission without a file named like an exercise: a notebook, or files that define the functions."""
    near = [one for one in sorted(held.members, key=lambda member: member.path) if one.path.count("/") <= 2]
    submission = Submission("")
    notebooks = [member for member in near if member.path.lower().endswith(".ipynb")]
    notes = remarks + _fill_from_notebooks(submission, notebooks, lesson)
    broken = [f"{one_line(path, 100)} {why}" for path, why in submission.unreadable.items()]
    left = MAX_TOTAL_BYTES
    for member in near:
        if member in notebooks:
            continue
        if left < 0:
            broken.append(f"{one_line(member.path, 100)} and what follows were left out: {TOO_MUCH}")
            break
        content = member.read()
        left -= len(content)
        if isinstance(content, str):
            broken.append(f"{one_line(member.path, 100)} {content}")
            continue
        defines = defined_names(content.decode("utf-8", "replace"))
        for exercise in _without_file(submission, lesson):
            if defines & set(exercise.functions):
                submission.add(exercise.filename, content)
                notes += (f"{exercise.filename} was taken from {one_line(member.path, 100)}",)
    misses = [*_near_misses(held, submission, lesson)]
    if submission.files:
        return Collected(submission, notes=(*notes, *broken, *misses))
    if broken or misses:
        return Collected(None, one_line("; ".join(dict.fromkeys([*broken, *misses, *notes]))))
    return Collected(None, one_line("; ".join([*notes, *_nothing(held, lesson)])))


def _nothing(held: Held, lesson: Lesson) -> Iterator[str]:
    """What there is in a submission that has no exercise."""
    packed = [path for path in held.others if path.lower().endswith(PACKED)]
    if held.members:
        yield f"holds none of the exercises ({', '.join(exercise.filename for exercise in lesson.exercises)})"
    elif packed:
        yield f"holds another archive, {one_line(packed[0], 100)}; put the files themselves into the outer one"
    elif held.others:
        shown = ", ".join(one_line(path, 60) for path in held.others[:MOST_NAMED])
        yield f"holds no Python file and no notebook, only {shown}"
    else:
        yield "holds nothing else" if held.remarks else "is empty"


def _without_file(submission: Submission, lesson: Lesson) -> Iterator[Exercise]:
    for exercise in lesson.exercises:
        if exercise.filename not in submission.files and exercise.filename not in submission.unreadable:
            yield exercise


def _fill_from_notebooks(submission: Submission, members: Iterable[Member], lesson: Lesson) -> tuple[str, ...]:
    """Adds the exercises that only a notebook defines; a file named like the exercise has been taken already."""
    notes: tuple[str, ...] = ()
    bad: list[str] = []
    notebooks: list[tuple[Member, Notebook]] = []
    budget = Budget()
    for member in sorted(members, key=lambda one: stem_of(one.name) not in lesson.stems):
        content = member.read()
        found = read_notebook(content, budget) if isinstance(content, bytes) else content
        if isinstance(found, Notebook):
            notebooks.append((member, found))
            continue
        bad.append(f"{one_line(member.path, 100)} {one_line(found)}")
        if not submission.files:
            submission.unreadable[member.path] = found
    for exercise in [*_without_file(submission, lesson)]:
        # One named like the exercise is its own; others may hold a copy, for later exercises to use.
        for member, notebook in sorted(notebooks, key=lambda one: stem_of(one[0].name) != exercise.id):
            if notebook.defines(exercise):
                text = notebook.file_of(exercise, _given(submission, exercise, lesson), one_line(member.name, 100))
                submission.add(exercise.filename, text.encode("utf-8", "replace"))
                notes += (f"{exercise.filename} was taken from {one_line(member.path, 100)}",)
                break
    notes += tuple(bad)
    functions = [name for exercise in _without_file(submission, lesson) for name in exercise.functions]
    for member, notebook in notebooks:
        notes += tuple(f"{one_line(member.path, 100)}: {told}" for told in notebook.left_out(functions))
        for path in sorted(notebook.written.keys() - submission.files.keys() - submission.unreadable.keys()):
            submission.add(path, notebook.written[path].encode("utf-8", "replace"))
    return notes


def _given(submission: Submission, exercise: Exercise, lesson: Lesson) -> dict[str, str]:
    """The functions of earlier exercises that have a file: what uses them imports them from there."""
    earlier = lesson.exercises[: lesson.exercises.index(exercise)]
    there = submission.files.keys() | submission.unreadable.keys()
    return {name: one.id for one in earlier if one.filename in there for name in one.functions}
