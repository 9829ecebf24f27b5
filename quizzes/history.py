"""What a log's events say about sittings and questions. Events of unexpected shape are passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quizzes.log import when
from quizzes.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from quizzes.log import Event

# How much of an objective must be right, over how many distinct questions, or on how many days, to call it
# mastered. The numbers are convention, not evidence; the report shows the counts beside the word.
MASTERY_SHARE = 0.8
MASTERY_ITEMS = 8
MASTERY_DAYS = 2

Key = tuple[str, str]


class Try(Record, kw_only=False):
    """One answer that somebody gave."""

    sitting: str
    bank: str
    question: str
    hash: str
    objective: str
    time: datetime
    attempt: int
    answer: Any
    score: float
    seconds: float
    hints: int
    sure: int

    @property
    def key(self) -> Key:
        """Which question it was."""
        return self.bank, self.question


class Past:
    """One sitting as the log has it. ``planned`` are (bank, question, hash) in the order of asking."""

    def __init__(
        self,
        identity: str,
        bank: str,
        *,
        kind: str,
        seed: str,
        time: datetime,
        planned: list[tuple[str, str, str]],
    ) -> None:
        self.id = identity
        self.bank = bank
        self.kind = kind
        self.seed = seed
        self.time = time
        self.planned = planned
        self.tries: list[Try] = []
        self.hints: dict[Key, int] = {}
        self.skipped: set[Key] = set()
        self.flagged: set[Key] = set()
        self.seen: set[Key] = set()
        # The wording that was last dealt with; what was done at an earlier one does not count for it.
        self.wording: dict[Key, str] = {(of, name): content for of, name, content in planned}
        self.ended = False

    def is_done(self, key: Key) -> bool:
        """Whether nothing more is to be asked or shown about a question."""
        return key in self.seen or key in self.skipped

    def take_up(self, key: Key, content: str) -> None:
        """Note that a question was met in a wording; in a new one nothing of it is done yet."""
        if self.wording.get(key, content) != content:
            self.hints.pop(key, None)
            for done in (self.skipped, self.seen):
                done.discard(key)
        self.wording[key] = content

    @property
    def done(self) -> int:
        """How many of its questions are done."""
        return sum(self.is_done((bank, question)) for bank, question, _ in self.planned)


def sittings(events: Iterable[Event]) -> dict[str, Past]:
    """Return the sittings of a log by id, in the order in which they were started."""
    found: dict[str, Past] = {}
    for event in events:
        identity = event.get("sitting")
        if not isinstance(identity, str):
            continue
        if event["event"] == "start":
            past = _started(event, identity)
            if past is not None:
                found.setdefault(identity, past)
        elif identity in found:
            _apply(event, found[identity])
    return found


def _started(event: Event, identity: str) -> Past | None:
    planned = event.get("questions")
    if not isinstance(planned, list):
        return None
    keys = [
        (one["bank"], one["question"], str(one.get("hash", "")))
        for one in planned
        if isinstance(one, dict) and isinstance(one.get("bank"), str) and isinstance(one.get("question"), str)
    ]
    return Past(
        identity=identity,
        bank=str(event.get("bank", "")),
        kind=str(event.get("kind", "quiz")),
        seed=str(event.get("seed", "")),
        time=when(event),
        planned=keys,
    )


def _apply(event: Event, past: Past) -> None:
    bank, question = event.get("bank"), event.get("question")
    if event["event"] == "end":
        past.ended = True
    if not (isinstance(bank, str) and isinstance(question, str)):
        return
    key = (bank, question)
    if isinstance(content := event.get("hash"), str):
        past.take_up(key, content)
    match event["event"]:
        case "answer":
            one = as_try(event)
            if one is not None:
                past.tries.append(one)
        case "hint":
            past.hints[key] = past.hints.get(key, 0) + 1
        case "skip":
            past.skipped.add(key)
        case "flag":
            past.flagged.add(key)
        case "seen":
            past.seen.add(key)


def as_try(event: Event) -> Try | None:
    """Return the answer that an event holds, or None if it does not look like one."""
    score, seconds = event.get("score"), event.get("seconds", 0)
    attempt, hints, sure = event.get("attempt", 1), event.get("hints", 0), event.get("sure", 0)
    named = isinstance(event.get("bank"), str) and isinstance(event.get("question"), str)
    numbers = isinstance(score, int | float) and isinstance(seconds, int | float) and 0 <= seconds < 1e9
    if not named or not numbers or not all(isinstance(one, int) for one in (attempt, hints, sure)):
        return None
    assert isinstance(score, int | float)
    if not 0 <= score <= 1:
        return None
    return Try(
        sitting=str(event.get("sitting", "")),
        bank=str(event.get("bank", "")),
        question=str(event.get("question", "")),
        hash=str(event.get("hash", "")),
        objective=str(event.get("objective", "")),
        time=when(event),
        attempt=attempt,
        answer=event.get("answer"),
        score=float(score),
        seconds=float(seconds),
        hints=hints,
        sure=sure,
    )


def first_tries(events: Iterable[Event]) -> list[Try]:
    """Return the first answer given to each wording of each question in each sitting, in the order of the log."""
    seen: set[tuple[str, Key, str]] = set()
    out = []
    for event in events:
        one = as_try(event) if event["event"] == "answer" else None
        if one is not None and (one.sitting, one.key, one.hash) not in seen:
            seen.add((one.sitting, one.key, one.hash))
            out.append(one)
    return out


def of_present(tries: Iterable[Try], hashes: Mapping[Key, str]) -> list[Try]:
    """Return the tries without those at an earlier wording of a question whose present hash is known."""
    return [one for one in tries if hashes.get(one.key, one.hash) == one.hash]


def unfinished(events: Iterable[Event], bank: str) -> Past | None:
    """Return the newest sitting of a bank, if it was left before its end."""
    of_bank = [past for past in sittings(events).values() if past.bank == bank and past.kind == "quiz"]
    newest = of_bank[-1] if of_bank else None
    if newest is None or newest.ended or not newest.planned:
        return None
    # Nothing can be drawn from a seed that no program of ours wrote.
    return newest if is_seed(newest.seed) else None


def is_seed(text: str) -> bool:
    """Tell whether values can be drawn from a text: half a character has no bytes."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


class Standing(Record, kw_only=False):
    """How far somebody is with an objective: questions asked, right at the last first try, good days."""

    asked: int
    right: int
    days: int

    @property
    def mastered(self) -> bool:
        """Whether it counts as mastered."""
        if self.asked and self.asked == self.right and self.days >= MASTERY_DAYS:
            return True
        return self.asked >= MASTERY_ITEMS and self.right >= MASTERY_SHARE * self.asked


def by_bank(tries: Iterable[Try]) -> dict[Key, Standing]:
    """Return how far somebody is with each (bank, objective): what one bank calls `softmax` is that bank's."""
    of_bank: dict[str, list[Try]] = {}
    for one in tries:
        of_bank.setdefault(one.bank, []).append(one)
    return {(bank, name): one for bank, some in of_bank.items() for name, one in standings(some).items()}


def standings(tries: Iterable[Try]) -> dict[str, Standing]:
    """Return how far somebody is with each objective of a bank; on a good day all first tries were right."""
    last: dict[str, dict[Key, bool]] = {}
    days: dict[str, dict[object, bool]] = {}
    for one in tries:
        if not one.objective:
            continue
        right = one.score == 1
        last.setdefault(one.objective, {})[one.key] = right
        of_day = days.setdefault(one.objective, {})
        # In local time: a person's day, not the log's.
        day = one.time.astimezone().date()
        of_day[day] = of_day.get(day, True) and right
    return {
        name: Standing(asked=len(keys), right=sum(keys.values()), days=sum(days[name].values()))
        for name, keys in last.items()
    }
