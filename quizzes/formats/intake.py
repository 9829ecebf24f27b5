"""From what a reader found in a foreign file to a bank that passes ``quiz check``.

A reader gives :class:`Found` questions, each able to make data in the shape of a bank's file. Every one is
then put to the engine's own rules and its key is fed back through the engine's grading; what does not pass
is left out with a note, and the others are kept. Nothing that a file says is trusted before that, not even
the copy that our own files carry.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quizzes import checking, keys, loader
from quizzes.fields import NAME
from quizzes.formats import embed
from quizzes.model import ImportFailedError
from quizzes.schema import COMMON_KEYS, SCHEMA
from quizzes.source import HIDDEN
from quizzes.terminal import clean_line
from quizzes.writer import to_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_SHOWN = 200
# A course has some hundreds; each is put to the engine by itself, which takes about a millisecond.
MAX_QUESTIONS = 5000
ID_LENGTH = 40
MAX_LEAST = 1000

_HIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{HIDDEN}\ud800-\udfff]")


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """Something to tell about a line of the foreign file; ``lost`` if a question could not be taken."""

    line: int
    message: str
    lost: bool = False

    def show(self, file: str = "") -> str:
        """Return the note with its place."""
        place = f"{file}:{self.line}" if file else f"line {self.line}"
        return clean_line(f"{place}: {'not imported: ' if self.lost else ''}{self.message}")


class UnfitError(Exception):
    """A question that cannot be taken; the message says why and what was expected."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(slots=True)
class Found:
    """A question in a foreign file. ``read`` makes its data; it may raise UnfitError and may add notes.

    ``copy`` is what one of our own files says the question was, ``visible`` what the copy's hash is about.
    """

    line: int
    read: Callable[[list[str]], dict[str, Any]]
    copy: dict[str, Any] | None = None
    visible: str = ""

    @property
    def original(self) -> dict[str, Any] | None:
        """The question that was exported, if nobody changed it since."""
        return embed.question_of(self.copy, self.visible)

    @property
    def original_id(self) -> str:
        """The id of the question that the copy is of, believed or not."""
        question = (self.copy or {}).get("question")
        name = question.get("id") if isinstance(question, dict) else None
        return name if isinstance(name, str) else ""


@dataclass(slots=True)
class Reading:
    """All that a reader found: questions, what there is to say, and the copy of the bank itself."""

    found: list[Found] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    bank: dict[str, Any] = field(default_factory=dict)

    def add(self, found: Found) -> None:
        """Add a question; ImportFailedError if there are more than a bank can hold."""
        if len(self.found) >= MAX_QUESTIONS:
            raise ImportFailedError(f"line {found.line}: more than {MAX_QUESTIONS} questions; split the file")
        self.found.append(found)


@dataclass(frozen=True, slots=True)
class Imported:
    """The YAML of a bank, with comments on what there is to say about how it came about."""

    text: str
    notes: tuple[Note, ...] = ()
    count: int = 0  # of the questions in it


def slug(text: str, fallback: str = "question") -> str:
    """Return an id made of a text: small letters, digits and dashes, beginning with a letter."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or fallback
    if not words[0].isalpha():
        words = f"q-{words}"
    if len(words) > ID_LENGTH:
        words = words[: ID_LENGTH + 1].rpartition("-")[0] or words
    return words[:ID_LENGTH].rstrip("-")


def assemble(reading: Reading, name: str, file: str = "", *, keep_id: bool = False) -> Imported:
    """Return the bank that a reading makes; ImportFailedError if no question of it can be taken."""
    own = reading.bank.get("bank")
    if keep_id and isinstance(own, str) and NAME.fullmatch(own):
        name = own
    gathered = _Gathering(reading, name)
    gathered.gather()
    notes = sorted(set(gathered.notes))
    if not gathered.questions:
        why = "".join(f"\n{note.show(file)}" for note in notes[:MAX_SHOWN])
        raise ImportFailedError(f"{file or 'the file'} holds no question that can be imported{why}")
    text = to_yaml(gathered.bank())
    problems = checking.check_bytes(text.encode(), name).problems
    if problems.errors:
        faults = "; ".join(problem.message for problem in problems if problem.error)
        raise ImportFailedError(f"{file or 'the file'} makes a bank that does not pass: {faults}")
    head = [f"# {_HIDDEN.sub('', note.show(file))}\n" for note in notes[:MAX_SHOWN]]
    if len(notes) > MAX_SHOWN:
        head.append(f"# ... and {len(notes) - MAX_SHOWN} more\n")
    return Imported("".join(head) + text, tuple(notes), len(gathered.questions))


class _Gathering:
    """Takes the questions one by one."""

    def __init__(self, reading: Reading, name: str) -> None:
        self.reading = reading
        self.notes = list(reading.notes)
        self.questions: list[dict[str, Any]] = []
        self.name = name
        self.draft = False
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}
        bank = dict(reading.bank)
        # Questions that the format could not show, and where they stood among the others.
        self.unasked, self.order = bank.pop("unasked", []), bank.pop("order", [])
        self.shell = _shell(bank)

    def gather(self) -> None:
        found = self.reading.found
        # A question that was exported in several parts is whole again only if all of them are as they were.
        changed = {one.original_id for one in found if one.original_id and one.original is None}
        restored: set[str] = set()
        for one in found:
            original = one.original
            if original is None or one.original_id in changed:
                if one.original_id:
                    self._note(
                        one.line,
                        f"`{one.original_id}` was edited since its export; what the edit shows is taken",
                    )
                self._read(one)
            elif one.original_id not in restored:
                restored.add(one.original_id)
                if image := original.get("image"):
                    file = image.get("file") if isinstance(image, dict) else image
                    self._note(one.line, f"put the picture `{file}` beside the bank")
                if fault := self._take(dict(original)):
                    self._note(
                        one.line,
                        f"the copy of `{one.original_id}` is not usable ({fault}); what is shown is taken",
                    )
                    self._read(one)

        for question in self.unasked if isinstance(self.unasked, list) else ():
            if isinstance(question, dict) and (fault := self._take(dict(question))):
                self._note(1, f"a question that the file only holds a copy of is not usable ({fault})")
        self._sort()

    def _sort(self) -> None:
        """Put the questions in the order of the exported bank, new ones after the one that they follow."""
        if not isinstance(self.order, list) or not self.order:
            return
        places = {name: place for place, name in enumerate(self.order) if isinstance(name, str)}
        ranks: dict[str, tuple[int, int]] = {}
        last = -1
        for number, question in enumerate(self.questions):
            last = places.get(question["id"], last)
            ranks[question["id"]] = (last, number)
        self.questions.sort(key=lambda question: ranks[question["id"]])

    def _read(self, one: Found) -> None:
        remarks: list[str] = []
        try:
            data = one.read(remarks)
            fault = self._take(data)
        except UnfitError as error:
            one.line = error.line or one.line
            fault = str(error)
        for remark in remarks:
            self._note(one.line, remark)
        if fault:
            self.notes.append(Note(one.line, fault, lost=True))

    def _take(self, data: dict[str, Any]) -> str:
        """Take a question if the engine does; return what is wrong with it."""
        data = _tidy(data)
        data["id"] = self._free_id(str(data.get("id") or data.get("title") or data.get("prompt") or ""))
        data = _ordered(data)
        fault, incomplete = self._faults(data)
        if not fault:
            self.questions.append(data)
            self.taken.add(data["id"])
            self.draft = self.draft or incomplete
        return fault

    def _free_id(self, text: str) -> str:
        base = slug(text.rpartition("/")[2] or text)
        name = base
        while name in self.taken:
            self.numbers[base] = self.numbers.get(base, 1) + 1
            tail = f"-{self.numbers[base]}"
            name = base[: ID_LENGTH - len(tail)].rstrip("-") + tail
        return name

    def _faults(self, question: dict[str, Any]) -> tuple[str, bool]:
        """Return what the engine says against a question, and whether an explanation is missing."""
        objective = question.get("objective")
        objectives = {objective: objective} if objective else {}
        shell = {key: value for key, value in self.shell.items() if key not in {"pools", "mastery"}}
        data = shell | {"draft": True, "questions": [question]}
        if objectives := objectives | self.shell.get("objectives", {}):
            data["objectives"] = objectives
        loaded = loader.load_bytes(to_yaml(data).encode(), "question")
        if loaded.bank is not None:
            keys.check(loaded.bank, loaded.problems)
        errors = [problem for problem in loaded.problems if problem.error]
        said = "; ".join(f"{_without_lines(problem.message)} ({problem.code})" for problem in errors[:3])
        return said, any(problem.code == "E15" for problem in loaded.problems)

    def _note(self, line: int, message: str) -> None:
        self.notes.append(Note(line, message))

    def bank(self) -> dict[str, Any]:
        """Return the bank of what was taken."""
        data = self.shell | {"bank": self.name}
        if self.draft:
            data["draft"] = True
        wanted = [one["objective"] for one in self.questions if one.get("objective")]
        objectives = data.pop("objectives", {}) | {
            name: name for name in wanted if name not in self.shell.get("objectives", {})
        }
        if objectives:
            data["objectives"] = objectives
        pools = self._pools(data.pop("pools", []))
        asked = sum(one["type"] != "info" for one in self.questions) - sum(len(p["of"]) - p["pick"] for p in pools)
        if "mastery" in data:
            least = min(int(data["mastery"].get("min_questions", 1)), max(asked, 0))
            data["mastery"] = data["mastery"] | {"min_questions": least}
        data["questions"] = self.questions
        if pools:
            data["pools"] = pools
        return data

    def _pools(self, pools: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the pools, as far as their questions came through."""
        out = []
        for pool in pools:
            members = [member for member in pool["of"] if member in self.taken]
            if members:
                out.append(pool | {"of": members, "pick": min(int(pool["pick"]), len(members))})
        return out


def _without_lines(message: str) -> str:
    """Return a message of the engine without numbers of lines, which are those of nobody's file."""
    message = re.sub(r"; the first is on line \d+|,? is also on line \d+", "", message)
    return re.sub(r"\b(that of|the same as) line \d+", r"\1 another", message)


def _shell(bank: dict[str, Any]) -> dict[str, Any]:
    """Return the bank's own part if it is fit to be one; anybody may have written it."""
    plain = {"schema": SCHEMA, "bank": "imported", "title": "Imported questions"}
    trial = plain | bank | {"bank": "imported"}
    try:
        members = [name for pool in trial.get("pools", []) for name in pool["of"]] or ["probe"]
        probes = [{"id": name, "type": "self", "prompt": "probe", "answer": "probe"} for name in members]
        # How many questions there will be is not known yet, so how many are to be mastered cannot be wrong.
        mastery = trial.get("mastery", {}) | {"min_questions": 0}
        least = int(trial.get("mastery", {}).get("min_questions", 0))
        loaded = loader.load_bytes(to_yaml(trial | {"mastery": mastery, "questions": probes}).encode(), "bank")
    except (TypeError, KeyError, AttributeError, ValueError, RecursionError):
        return plain
    return plain if loaded.bank is None or not 0 <= least <= MAX_LEAST else trial


def _ordered(question: dict[str, Any]) -> dict[str, Any]:
    """Return a question with its keys in the order in which banks have them."""
    head, tail = COMMON_KEYS[: COMMON_KEYS.index("hints")], COMMON_KEYS[COMMON_KEYS.index("hints") :]
    own = [key for key in question if key not in COMMON_KEYS]
    return {key: question[key] for key in (*head, *own, *tail) if key in question}


def _tidy(value: Any) -> Any:
    """Return data without what is empty, which a bank does not hold."""
    if isinstance(value, dict):
        tidied = {str(key): _tidy(one) for key, one in value.items()}
        empty: tuple[Any, ...] = (None, [], {})
        return {key: one for key, one in tidied.items() if one not in empty and str(one).strip()}
    if isinstance(value, list | tuple):
        return [_tidy(one) for one in value]
    return value
