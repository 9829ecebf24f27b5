"""Who is in the class: a CSV file as people export it, and which submission is whose."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.text import one_line, visible
from grader.workflows.batch.sources import stem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from grader.workflows.batch.sources import Entry

MAX_BYTES = 64 << 20
# What the columns are called, as words without case, spaces and punctuation.
COLUMNS = {
    "id": ("id", "studentid", "sisuserid", "sisid", "userid", "username", "login", "loginid", "sisloginid", "user",
           "githubusername", "identifier", "idnumber", "number", "matriculation", "matrikelnummer"),
    "name": ("name", "student", "fullname", "studentname", "displayname"),
    "first": ("firstname", "givenname", "first", "vorname"),
    "last": ("lastname", "surname", "familyname", "last", "nachname"),
    "email": ("email", "emailaddress", "mail", "studentemail"),
    "submission": ("submission", "folder", "file", "filename", "directory", "archive", "repository", "repo"),
}  # fmt: skip


BOOKS = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # how files of Excel and other spreadsheets begin
POINTS_POSSIBLE = "points possible"  # in the place of a name: Canvas's line of maxima
MARK = "\x1f"  # put behind the text, to see whether a quote is still open there


@dataclass(frozen=True, slots=True)
class Person:
    """One line of the roster; ``also`` are further ids, where there are several columns of them."""

    id: str
    name: str
    email: str
    submission: str
    also: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What to call the person where there is no submission: the first that is known."""
        return self.submission or self.id or self.name or self.email


def read_roster(path: Path) -> list[Person]:
    """Reads a roster, whatever separates its cells.

    Raises:
        UsageError: it cannot be read, or has no column by which a person can be found.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES)
    except OSError as error:
        raise UsageError(f"--roster {visible(str(path))} cannot be read: {error.strerror}") from error
    if content.startswith(BOOKS):
        raise UsageError(f"--roster {visible(str(path))} is an Excel workbook: save it as CSV")
    try:
        rows = _rows(_decoded(content))
    except csv.Error as error:
        raise UsageError(f"--roster {visible(str(path))} is no CSV: {error}") from error
    if not rows:
        raise UsageError(f"--roster {visible(str(path))} is empty")
    at = _columns(rows[0])
    if not at.keys() - {"first"}:
        known = "id, name, email, submission"
        raise UsageError(
            f"--roster {visible(str(path))} has no column that is known. Its first line is "
            f"{one_line(', '.join(rows[0]), 200)!r}; at least one of {known} has to be there."
        )
    people = dict.fromkeys(_person(row, at) for row in rows[1:])  # a line that stands there twice is one person
    return [person for person in people if person.name.casefold() != POINTS_POSSIBLE and _is_seen(person.shown)]


def same_ids(people: Iterable[Person]) -> list[str]:
    """What is to be told of ids that several people have."""
    names: dict[str, list[str]] = {}
    for person in people:
        if person.id:
            names.setdefault(person.id, []).append(person.name or person.email or person.shown)
    shared = [(number, found) for number, found in names.items() if len(found) > 1]
    return [one_line(f"{len(found)} people have the id {number}: {', '.join(found)}") for number, found in shared]


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = content[start:200:2].count(0)
        if zeros and zeros > len(content[start:200:2]) / 2:
            return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")  # what spreadsheets on Windows write


def _rows(text: str) -> list[list[str]]:
    """The lines that hold something, as cells.

    Raises:
        csv.Error: a quote is never closed, or closed by that of another line; or a cell is too long.
    """
    first, _, rest = text.partition("\n")
    told = re.fullmatch(r"\s*\"?sep=(.)\"?\s*", first, re.IGNORECASE)  # what Excel puts there for itself
    text, line = (rest, 1) if told else (text, 0)
    separator = told[1] if told else _separator(text)
    csv.field_size_limit(1 << 20)
    lines = [*io.StringIO(f"{text}\n{MARK}", newline="")]
    reader = csv.reader(lines, delimiter=separator)
    rows: list[list[str]] = []
    last = 0
    for row in reader:
        columns = len(rows[0]) if rows else len(row)
        whole = reader.line_num == last + 1 or _is_strict(lines[last : reader.line_num], separator)
        if not whole or any(_is_open(cell, separator, columns) for cell in row):
            raise csv.Error(f"a quote in line {line + last + 1} is not closed")
        last = reader.line_num
        rows += [row] if any(map(_is_seen, row)) else []
    return rows


def _is_seen(cell: str) -> bool:
    """Whether there is anything to be seen in a cell."""
    return any(unicodedata.category(char)[0] not in "ZC" for char in cell)


def _is_strict(lines: Sequence[str], separator: str) -> bool:
    """Whether quotes stand around whole cells in what was read as one line: if not, one of them is of another line."""
    try:
        return bool(list(csv.reader(lines, delimiter=separator, strict=True)))
    except csv.Error:
        return False


def _is_open(cell: str, separator: str, columns: int) -> bool:
    """Whether a cell holds whole lines of others, or runs to the end."""
    lines = cell.splitlines()[1:]
    return (MARK in cell and cell != MARK) or any(line.count(separator) >= max(1, columns - 1) for line in lines)


def _separator(text: str) -> str:
    """What separates the cells of the first line that holds something."""
    first = next((line for line in io.StringIO(text) if _is_seen(line.strip(",;|"))), "")
    outside_quotes = re.sub(r'"[^"]*"', "", first)
    return max(",;\t|", key=outside_quotes.count)


def _columns(head: Sequence[str]) -> dict[str, list[int]]:
    """Where the columns of each kind are, in the order in which their names are listed."""
    words = [re.sub(r"[\W_]+", "", cell.casefold()) for cell in head]
    found = {}
    for kind, names in COLUMNS.items():
        places = [at for name in names for at, word in enumerate(words) if word == name]
        if places:
            found[kind] = places
    return found


def _person(row: Sequence[str], at: dict[str, list[int]]) -> Person:
    cells = {kind: [row[place].strip() for place in places if place < len(row)] for kind, places in at.items()}
    first = {kind: next(iter(found), "") for kind, found in cells.items()}
    name = first.get("name") or f"{first.get('first', '')} {first.get('last', '')}".strip()
    ids = [*dict.fromkeys(filter(None, cells.get("id", [])))] or [""]
    return Person(ids[0], name, first.get("email", ""), first.get("submission", ""), tuple(ids[1:]))


def match(people: Sequence[Person], entries: Iterable[Entry]) -> tuple[dict[str, list[Person]], list[Person]]:
    """Finds whose each submission is: by its name as the roster has it, then by an id, an address or a name in it.

    Several people have one only where the roster names it for each of them. One that could be two people's otherwise is
    nobody's: it is for a person to settle, by a column ``submission``.

    Returns:
        The people by the submission's name, and the people without one.
    """
    left = list(entries)
    owners: dict[str, list[Person]] = {}
    for keys_of in KEYS:
        index: dict[str, dict[Person, None]] = {}
        for person in people:
            for key in keys_of(person) - {""}:
                index.setdefault(key, {})[person] = None
        for names_of in (_whole, _parts):
            for entry in left:
                wanted = [*dict.fromkeys(person for name in sorted(names_of(entry)) for person in index.get(name, ()))]
                if len(wanted) == 1 or (keys_of is _named and _together(wanted)):
                    owners[entry.name] = wanted
            left = [entry for entry in left if entry.name not in owners]
    there = {person for found in owners.values() for person in found}
    return owners, [person for person in people if person not in there]


def _plain(text: str) -> str:
    """A text without case, accents written in two ways, and punctuation."""
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _names(person: Person) -> set[str]:
    """A name as it is, turned round, and without spaces, as LMS downloads have it."""
    name = _plain(person.name)
    turned = " ".join(reversed(name.split()))
    last_first = " ".join([*name.split()[-1:], *name.split()[:-1]])
    forms = {name, turned, last_first}
    return forms | {form.replace(" ", "") for form in forms}


def _together(people: Iterable[Person]) -> bool:
    """Whether the roster names one submission for all of them."""
    return len({_plain(stem_of(person.submission)) for person in people}) == 1


def _named(person: Person) -> set[str]:
    return {_plain(person.submission), _plain(stem_of(person.submission))}


# What a submission may be called, the surest first.
KEYS: tuple[Callable[[Person], set[str]], ...] = (
    _named,
    lambda person: {_plain(person.id)},
    lambda person: set(map(_plain, person.also)),
    lambda person: {_plain(person.email), _plain(person.email.partition("@")[0])},
    _names,
)


def _whole(entry: Entry) -> set[str]:
    return {_plain(entry.name), _plain(entry.stem)}


def _parts(entry: Entry) -> set[str]:
    """The parts of names such as ``Ann Lee_12345_assignsubmission_file`` and ``leeann_12345_67890_softmax``."""
    parts = [part for part in re.split(r"[_\-.()\[\]]+", entry.stem) if part]
    return {_plain(part) for part in parts} | {_plain(part) for part in entry.stem.split("_")}
