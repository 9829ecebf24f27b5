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


@dataclass(frozen=True, slots=True)
class Person:
    """One line of the roster."""

    id: str
    name: str
    email: str
    submission: str

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
    text = _decoded(content)
    csv.field_size_limit(1 << 20)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text)) if any(row)]
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
    return [_person(row, at) for row in rows[1:]]


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")  # what spreadsheets on Windows write


def _separator(text: str) -> str:
    """What separates the cells of the first line."""
    first = text.lstrip("\r\n").partition("\n")[0]
    outside_quotes = re.sub(r'"[^"]*"', "", first)
    return max(",;\t|", key=outside_quotes.count)


def _columns(head: Sequence[str]) -> dict[str, int]:
    """Where each kind of column is; of several names for one kind, the one listed first counts."""
    words = [re.sub(r"[\W_]+", "", cell.casefold()) for cell in head]
    found = {}
    for kind, names in COLUMNS.items():
        place = next((words.index(name) for name in names if name in words), None)
        if place is not None:
            found[kind] = place
    return found


def _person(row: Sequence[str], at: dict[str, int]) -> Person:
    cells = {kind: row[place].strip() if place < len(row) else "" for kind, place in at.items()}
    name = cells.get("name") or f"{cells.get('first', '')} {cells.get('last', '')}".strip()
    return Person(cells.get("id", ""), name, cells.get("email", ""), cells.get("submission", ""))


def match(people: Sequence[Person], entries: Iterable[Entry]) -> tuple[dict[str, Person], list[Person]]:
    """Finds whose each submission is: by its name as the roster has it, then by an id, an address or a name in it.

    A submission that could be two people's is nobody's: it is for a person to settle, by a column ``submission``.

    Returns:
        The person by the submission's name, and the people without one.
    """
    left = list(entries)
    owner: dict[str, Person] = {}
    for keys_of in KEYS:
        index: dict[str, set[Person]] = {}
        for person in people:
            for key in keys_of(person) - {""}:
                index.setdefault(key, set()).add(person)
        for names_of in (_whole, _parts):
            for entry in left:
                wanted = set().union(*(index.get(name, set()) for name in names_of(entry)))
                if len(wanted) == 1:
                    owner[entry.name] = wanted.pop()
            left = [entry for entry in left if entry.name not in owner]
    there = set(owner.values())
    return owner, [person for person in people if person not in there]


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


# What a submission may be called, the surest first.
KEYS: tuple[Callable[[Person], set[str]], ...] = (
    lambda person: {_plain(person.submission), _plain(stem_of(person.submission))},
    lambda person: {_plain(person.id)},
    lambda person: {_plain(person.email), _plain(person.email.partition("@")[0])},
    _names,
)


def _whole(entry: Entry) -> set[str]:
    return {_plain(entry.name), _plain(entry.stem)}


def _parts(entry: Entry) -> set[str]:
    """The parts of names such as ``Ann Lee_12345_assignsubmission_file`` and ``leeann_12345_67890_softmax``."""
    parts = [part for part in re.split(r"[_\-.()\[\]]+", entry.stem) if part]
    return {_plain(part) for part in parts} | {_plain(part) for part in entry.stem.split("_")}
