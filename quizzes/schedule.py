"""When a question is to be asked again, by FSRS.

It replays our own log of first tries, so that the scheduler can be changed without losing anything. Answers
to an older wording of a question do not count: whoever knew that one need not know this one.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from quizzes.hashing import hex_digest
from quizzes.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from quizzes.history import Key, Past

GUESSING = 1


class Rating(IntEnum):
    """How a recall went, in FSRS's numbers; never its "easy", which a choice of four cannot show."""

    AGAIN = 1
    HARD = 2
    GOOD = 3


class Recall(Record, kw_only=False):
    """One sitting's answer to one question, rated."""

    time: datetime
    rating: Rating
    hash: str
    objective: str


class Due(Record, kw_only=False):
    """A question and the time from which it is due."""

    key: Key
    objective: str
    time: datetime
    missed: bool


def recalls(sittings: Iterable[Past]) -> dict[Key, list[Recall]]:
    """Return how each question went in each sitting, in order of time.

    Wrong is "again"; right only with a hint, at a later try or by a guess is "hard"; right is "good".
    """
    found: dict[Key, list[Recall]] = {}
    for past in sittings:
        for key, content in dict.fromkeys((one.key, one.hash) for one in past.tries):
            tries = [one for one in past.tries if (one.key, one.hash) == (key, content)]
            first = tries[0]
            if first.score == 1 and not first.hints and first.sure != GUESSING:
                rating = Rating.GOOD
            elif any(one.score == 1 for one in tries) or first.score >= 0.5:
                rating = Rating.HARD
            else:
                rating = Rating.AGAIN
            found.setdefault(key, []).append(Recall(first.time, rating, first.hash, first.objective))
    for of_key in found.values():
        of_key.sort(key=lambda one: one.time)
    return found


def plan(found: Mapping[Key, Sequence[Recall]], hashes: Mapping[Key, str]) -> list[Due]:
    """Return when each known question is due, the most overdue first. One edited since is due at once."""
    next_time = scheduler()
    out = []
    for key, of_key in found.items():
        if key not in hashes:
            continue
        current = [one for one in of_key if one.hash == hashes[key]]
        time = next_time(key, current) if current else of_key[-1].time
        missed = not current or current[-1].rating is not Rating.GOOD
        out.append(Due(key, of_key[-1].objective, time, missed))
    return sorted(out, key=lambda due: (due.time, due.key))


def scheduler() -> Callable[[Key, Sequence[Recall]], datetime]:
    """Return the function that says when a question is due next, given how it went."""
    import fsrs

    # Steps are for cramming within a day; with none, an interval is at least a day. Fuzz would make a plan
    # that changes whenever it is looked at.
    planner = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)

    def next_time(key: Key, of_key: Sequence[Recall]) -> datetime:
        card = fsrs.Card(card_id=card_id(key))
        for one in of_key:
            card, _ = planner.review_card(card, fsrs.Rating(int(one.rating)), one.time)
        due: datetime = card.due
        return due

    return next_time


def card_id(key: Key) -> int:
    """Return a number of 63 bits that stands for a question on every machine."""
    return int(hex_digest("/".join(key), 16), 16) >> 1


def mixed(due: Iterable[Due], most: int) -> list[Due]:
    """Return the first ``most``, arranged so that no objective comes twice in a row where that can be had.

    Mixing topics feels harder and holds longer.
    """
    left = list(due)[:most]
    out: list[Due] = []
    while left:
        last = out[-1].objective if out else None
        # The objective with most left goes first among those that differ, else it would pile up at the end.
        counts: dict[str, int] = {}
        for one in left:
            counts[one.objective] = counts.get(one.objective, 0) + 1
        other = [one for one in left if one.objective != last] or left
        chosen = max(other, key=lambda one: counts[one.objective])
        left.remove(chosen)
        out.append(chosen)
    return out
