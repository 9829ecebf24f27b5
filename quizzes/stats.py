"""What the first answers of several people say about a bank's questions: plain counts, standard library only.

Small groups say little, so each figure has a least number of people below which it is not given: with 30
learners a good question shows a negative correlation in about one case of eight, with 100 in one of a
hundred.
"""

from __future__ import annotations

import math
import random
import statistics
from typing import TYPE_CHECKING

from quizzes import model
from quizzes.history import sittings
from quizzes.record import Record, replace
from quizzes.writer import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from quizzes.history import Key, Past, Try
    from quizzes.log import Event

LEAST_FOR_FACILITY = 10
LEAST_FOR_SHARES = 20
LEAST_FOR_CORRELATION = 30
PLAIN_CORRELATION = 100
LEAST_CELL = 5  # a smaller count could point at a person
BOOTSTRAPS = 400


class Choice(Record, kw_only=False):
    """How often an option was chosen, and how its choosers did on the other questions."""

    option: model.Option
    count: int
    rest: float | None


class ItemStats(Record, kw_only=False):
    """The figures of one question. What too few people answered is None."""

    question: model.Question
    n: int
    older: int  # answers to an earlier wording, left out
    right: int
    low: float
    high: float
    corrected: float | None
    correlation: float | None
    seconds: float
    hinted: float
    skipped: int
    flagged: int
    choices: tuple[Choice, ...] = ()
    alarms: tuple[str, ...] = ()

    @property
    def tellable(self) -> bool:
        """Whether how many were right may be said."""
        return tellable(self.right, self.n)

    @property
    def facility(self) -> float:
        """The share that was right at the first try."""
        return self.right / self.n if self.n else 0.0


class Cohort(Record, kw_only=False):
    """The figures of a bank over several people."""

    bank: model.Bank
    people: int
    items: tuple[ItemStats, ...]
    mean: float | None
    deviation: float | None
    alpha: tuple[float, float, float] | None  # value, and the ends of its 95 % interval
    alpha_people: int


class Person:
    """The first answer of one person to each question of a bank, and what else they did."""

    def __init__(self) -> None:
        self.tries: dict[str, Try] = {}
        self.older: set[str] = set()
        self.skipped: set[str] = set()
        self.flagged: set[str] = set()


def tellable(right: int, n: int) -> bool:
    """Tell whether enough people stand behind both the right answers and the wrong ones to say how many they are."""
    return min(right, n - right) >= LEAST_CELL


def wilson(right: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a share; it never leaves 0 to 1, nor shrinks to a point."""
    if not n:
        return 0.0, 1.0
    share = right / n
    scale = 1 + z * z / n
    middle = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's correlation, or None where one side does not vary."""
    if len(xs) < 2 or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def gather(logs: Mapping[str, Iterable[Event]], bank: model.Bank) -> dict[str, Person]:
    """Return the first answers of each person to the bank as it is now."""
    hashes = {question.id: content_hash(question, bank) for question in bank.questions}
    people: dict[str, Person] = {}
    for name, events in logs.items():
        person = Person()
        for past in sittings(events).values():
            _note(person, past, bank.id, hashes)
        if person.tries or person.skipped or person.older:
            people[name] = person
    return people


def _note(person: Person, past: Past, bank_id: str, hashes: Mapping[str, str]) -> None:
    answered = {one.question for one in past.tries if one.bank == bank_id}
    person.skipped |= _of_bank(past.skipped, bank_id) - answered - set(person.tries)
    person.flagged |= _of_bank(past.flagged, bank_id)
    for one in past.tries:
        if one.bank != bank_id or one.question not in hashes or one.attempt != 1:
            continue
        if one.hash == hashes[one.question]:
            person.tries.setdefault(one.question, one)
        else:
            person.older.add(one.question)


def _of_bank(keys: Iterable[Key], bank_id: str) -> set[str]:
    return {question for bank, question in keys if bank == bank_id}


def cohort(logs: Mapping[str, Iterable[Event]], bank: model.Bank) -> Cohort:
    """Return the figures of a bank over the logs of several people."""
    people = list(gather(logs, bank).values())
    counted = [question for question in bank.questions if not isinstance(question, model.Info)]
    items = tuple(_item(question, people) for question in counted)
    scores = [_share(person) for person in people if person.tries]
    alpha, alpha_people = _alpha(people, [question.id for question in counted])
    return Cohort(
        bank=bank,
        people=len(people),
        items=items,
        mean=statistics.fmean(scores) if scores else None,
        deviation=statistics.stdev(scores) if len(scores) > 1 else None,
        alpha=alpha,
        alpha_people=alpha_people,
    )


def _share(person: Person, without: str = "") -> float:
    """Return a person's mean score, over all or all other questions."""
    scores = [one.score for name, one in person.tries.items() if name != without]
    return statistics.fmean(scores) if scores else 0.0


def _item(question: model.Question, people: Sequence[Person]) -> ItemStats:
    answered = [person for person in people if question.id in person.tries]
    tries = [person.tries[question.id] for person in answered]
    n, right = len(tries), sum(one.score == 1 for one in tries)
    # Who answered nothing else has no rest to compare with.
    compared = [person for person in answered if len(person.tries) > 1]
    r = None
    if len(compared) >= LEAST_FOR_CORRELATION:
        scores = [person.tries[question.id].score for person in compared]
        r = correlation(scores, [_share(person, question.id) for person in compared])
    low, high = wilson(right, n)
    stats = ItemStats(
        question=question,
        n=n,
        older=sum(question.id in person.older for person in people),
        right=right,
        low=low,
        high=high,
        corrected=_corrected(question, right, n),
        correlation=r,
        seconds=statistics.median(one.seconds for one in tries) if tries else 0.0,
        hinted=sum(one.hints > 0 for one in tries) / n if n else 0.0,
        skipped=sum(question.id in person.skipped for person in people),
        flagged=sum(question.id in person.flagged for person in people),
        choices=_choices(question, answered),
    )
    return replace(stats, alarms=tuple(_alarms(stats)))


def _guess(question: model.Question) -> float | None:
    """Return the chance of guessing right, where there is one."""
    if isinstance(question, model.Single) and question.options:
        return 1 / len(question.options)
    return 0.5 if isinstance(question, model.TrueFalse) else None


def _corrected(question: model.Question, right: int, n: int) -> float | None:
    guess = _guess(question)
    if guess is None or guess == 1 or n < LEAST_FOR_FACILITY:
        return None
    return max((right / n - guess) / (1 - guess), 0.0)


def _choices(question: model.Question, answered: Sequence[Person]) -> tuple[Choice, ...]:
    if not isinstance(question, model.Single | model.Multiple):
        return ()
    out = []
    for option in question.options:
        choosers = [person for person in answered if _chose(person.tries[question.id].answer, option.id)]
        rests = [_share(person, question.id) for person in choosers if len(person.tries) > 1]
        out.append(Choice(option, len(choosers), statistics.fmean(rests) if rests else None))
    return tuple(out)


def _chose(answer: object, option_id: str) -> bool:
    return isinstance(answer, list) and option_id in answer


def _alarms(stats: ItemStats) -> list[str]:
    """Return what an author should look at, only where there are enough people to say so."""
    out = []
    keys = [choice for choice in stats.choices if choice.option.correct and choice.rest is not None]
    if stats.n >= LEAST_FOR_FACILITY and isinstance(stats.question, model.Single) and keys:
        key = keys[0]
        for choice in stats.choices:
            stronger = choice.rest is not None and key.rest is not None and choice.rest > key.rest
            if not choice.option.correct and choice.count >= LEAST_CELL and stronger:
                out.append(f"likely miskeyed: stronger learners chose `{choice.option.text}` rather than the key")
    if stats.correlation is not None and stats.correlation < 0:
        out.append("stronger learners do worse on it")
    if stats.n >= LEAST_FOR_SHARES:
        guess = _guess(stats.question)
        if guess is not None and stats.high < guess:
            out.append("below the chance of guessing")
        if isinstance(stats.question, model.Single):
            dead = [c.option.text for c in stats.choices if not c.option.correct and c.count < 0.05 * stats.n]
            out += [f"hardly anybody chooses `{text}`" for text in dead]
        hard = stats.question.difficulty
        if hard is not None and ((hard >= 4 and stats.low > 0.8) or (hard <= 2 and stats.high < 0.4)):
            out.append(f"its author thought its difficulty {hard} of 5")
    return out


def _alpha(people: Sequence[Person], names: Sequence[str]) -> tuple[tuple[float, float, float] | None, int]:
    """Return Cronbach's alpha over those who answered everything, with an interval from resampling them."""
    rows = [
        [person.tries[name].score for name in names] for person in people if all(name in person.tries for name in names)
    ]
    if len(rows) < LEAST_FOR_FACILITY or len(names) < 2:
        return None, len(rows)
    value = alpha(rows)
    if value is None:
        return None, len(rows)
    source = random.Random(0)  # noqa: S311 - the same logs are to give the same figures
    again = [alpha(source.choices(rows, k=len(rows))) for _ in range(BOOTSTRAPS)]
    known = sorted(one for one in again if one is not None)
    if len(known) < BOOTSTRAPS // 2:
        return None, len(rows)
    return (value, known[int(0.025 * len(known))], known[int(0.975 * len(known))]), len(rows)


def alpha(rows: Sequence[Sequence[float]]) -> float | None:
    """Return Cronbach's alpha of scores (one row a person), or None where the totals do not vary."""
    count = len(rows[0])
    total = statistics.pvariance([sum(row) for row in rows])
    if not total:
        return None
    each = sum(statistics.pvariance([row[index] for row in rows]) for index in range(count))
    return count / (count - 1) * (1 - each / total)
