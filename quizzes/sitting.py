"""One sitting: which questions, how far, what was answered. Every step is on the disk before it shows.

Nothing is printed and nothing is read here; :mod:`quizzes.dialogue` does that.
"""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from quizzes import grading, model
from quizzes.history import sittings
from quizzes.present import Shown, logged, order_ids, pick, present
from quizzes.writer import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizzes.history import Past
    from quizzes.log import Log


def fresh_seed() -> str:
    """Return a seed that is short enough to type."""
    return str(int.from_bytes(os.urandom(4), "big") % 1_000_000)


class Item:
    """A question of a sitting and what has become of it."""

    def __init__(self, shown: Shown, content: str) -> None:
        self.shown = shown
        self.hash = content
        self.scores: list[Fraction] = []
        self.hints = 0
        self.skipped = False
        self.flagged = False
        self.seen = False
        self.edited = False  # since it was answered in this sitting
        self.sure = 0

    @property
    def question(self) -> model.Question:
        """The filled question."""
        return self.shown.question

    @property
    def attempts(self) -> int:
        """How many tries there are: never so many that the last one cannot fail."""
        match self.question:
            case model.TrueFalse() | model.SelfGraded():
                return 1
            case model.Single():
                return min(self.question.attempts, max(len(self.question.options) - 1, 1))
        return self.question.attempts

    @property
    def counts(self) -> bool:
        """Whether it takes part in the score."""
        return not isinstance(self.question, model.Info) and self.question.points > 0

    @property
    def finished(self) -> bool:
        """Whether no more answers are wanted."""
        if self.skipped or isinstance(self.question, model.Info):
            return True
        return bool(self.scores) and (self.scores[-1] == 1 or len(self.scores) >= self.attempts)

    @property
    def first(self) -> Fraction:
        """The score of the first try; nothing for a question not answered."""
        return self.scores[0] if self.scores else Fraction(0)


class Sitting:
    """The questions of one sitting, written to the log step by step."""

    def __init__(self, log: Log, identity: str, seed: str, items: list[Item], kind: str = "quiz") -> None:
        self.log = log
        self.id = identity
        self.seed = seed
        self.items = items
        self.kind = kind
        self.resumed = False

    # Making one

    @classmethod
    def start(
        cls,
        log: Log,
        questions: Iterable[tuple[model.Bank, model.Question]],
        seed: str,
        *,
        bank: str = "",
        kind: str = "quiz",
    ) -> Sitting:
        """Begin a sitting and note its seed, its questions and the order of their options."""
        items = [Item(present(question, of, seed), content_hash(question, of)) for of, question in questions]
        sitting = cls(log, os.urandom(8).hex(), seed, items, kind)
        planned = [
            {
                "bank": one.shown.bank.id,
                "question": one.question.id,
                "hash": one.hash,
                "order": order_ids(one.shown),
            }
            for one in items
        ]
        log.append("start", sync=False, sitting=sitting.id, kind=kind, bank=bank, seed=seed, questions=planned)
        return sitting

    @classmethod
    def of_bank(cls, log: Log, bank: model.Bank, seed: str, count: int | None = None) -> Sitting:
        """Begin a sitting over a bank, or over its first ``count`` questions."""
        questions = pick(bank, seed)[:count]
        return cls.start(log, [(bank, question) for question in questions], seed, bank=bank.id)

    @classmethod
    def resume(cls, log: Log, past: Past, bank: model.Bank) -> Sitting:
        """Go on with a sitting. A question removed since is left out; an edited one is asked as it is now."""
        by_id = {question.id: question for question in bank.questions}
        items = []
        for of, name, _ in past.planned:
            question = by_id.get(name)
            if question is None or of != bank.id:
                continue
            item = Item(present(question, bank, past.seed), content_hash(question, bank))
            if item.hash == past.wording[of, name]:
                _recall(item, past)
            else:
                item.edited = past.is_done((of, name)) or any(one.key == (of, name) for one in past.tries)
            items.append(item)
        sitting = cls(log, past.id, past.seed, items, past.kind)
        sitting.resumed = True
        return sitting

    def catch_up(self) -> bool:
        """Take over what another program noted since a sitting to go on with was read; tell whether that ended it."""
        if not self.resumed:
            return False
        past = sittings(self.log.read().events)[self.id]
        for item in self.items:
            if item.hash == past.wording[item.shown.bank.id, item.question.id]:
                _recall(item, past)
        return past.ended

    # Taking it

    @property
    def current(self) -> Item | None:
        """The item to go on with: the first of which something is still to be asked or shown."""
        return next((item for item in self.items if not (item.seen or item.skipped)), None)

    def answer(
        self, item: Item, answer: Any, seconds: float, *, sure: int = 0, forgive: bool = True
    ) -> grading.Verdict:
        """Judge an answer and note it; NotAnAnswerError, and nothing noted, if it cannot be judged."""
        verdict = grading.judge(item.question, answer, forgive=forgive)
        item.scores.append(verdict.score)
        item.sure = item.sure or sure
        fields: dict[str, Any] = {
            "hash": item.hash,
            "objective": item.question.objective,
            "attempt": len(item.scores),
            "answer": logged(item.shown, answer),
            "score": round(float(verdict.score), 4),
            "seconds": round(seconds, 1),
            "hints": item.hints,
        }
        self._note("answer", item, **fields, **({"sure": sure} if sure else {}))
        return verdict

    def hint(self, item: Item) -> str:
        """Return the next hint, or nothing if there is none left."""
        if item.hints >= len(item.question.hints):
            return ""
        text = item.question.hints[item.hints]
        item.hints += 1
        self._note("hint", item, sync=False, hash=item.hash)
        return text

    def skip(self, item: Item) -> None:
        """Leave a question unanswered, or its further tries unused."""
        item.skipped = True
        self._note("skip", item, hash=item.hash)

    def flag(self, item: Item) -> None:
        """Mark a question as unclear, for its author."""
        item.flagged = True
        self._note("flag", item, hash=item.hash)

    def mark_seen(self, item: Item) -> None:
        """Note that the person has seen what there was to say about a question."""
        item.seen = True
        self._note("seen", item, sync=False, hash=item.hash)

    def end(self) -> None:
        """Note that the sitting is over."""
        self.log.append("end", sitting=self.id)

    def _note(self, event: str, item: Item, **fields: Any) -> None:
        self.log.append(event, sitting=self.id, bank=item.shown.bank.id, question=item.question.id, **fields)

    # How it went

    @property
    def counted(self) -> list[Item]:
        """The items that take part in the score."""
        return [item for item in self.items if item.counts]

    @property
    def score(self) -> Fraction:
        """The share of points from first tries."""
        points = sum(Fraction(item.question.points) for item in self.counted)
        earned = sum((Fraction(item.question.points) * item.first for item in self.counted), Fraction(0))
        return earned / points if points else Fraction(1)

    def mastered(self, mastery: model.Mastery) -> bool:
        """Whether the score is enough, over enough answered questions; nothing is mastered where none counts."""
        answered = sum(bool(item.scores) for item in self.counted)
        return bool(self.counted) and self.score >= Fraction(mastery.score) and answered >= mastery.min_questions


def _recall(item: Item, past: Past) -> None:
    """Put an item into the state in which the log left it."""
    key = (item.shown.bank.id, item.question.id)
    tries = [one for one in past.tries if (one.key, one.hash) == (key, item.hash)]
    item.scores = [_exact(one.score) for one in tries]
    item.sure = next((one.sure for one in tries if one.sure), 0)
    item.hints = min(past.hints.get(key, 0), len(item.question.hints))
    item.skipped = key in past.skipped
    item.flagged = key in past.flagged
    item.seen = key in past.seen


def _exact(score: float) -> Fraction:
    return Fraction(score).limit_denominator(1000)
