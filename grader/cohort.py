"""What a cohort's run keeps of each submission: one small row, enough for the gradebook and the summary.

The report in full goes to a file of its own; a row is what has to be read again and again, so it holds no text that a
submission could make long.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """What became of a submission, or of a person."""

    GRADED = "graded"
    UNREADABLE = "unreadable"  # nothing in it could be graded; the reason says why
    MISSING = "missing"  # on the roster, without a submission
    NOT_GRADED = "not_graded"  # not yet, or through the grader's own fault; the reason says which


NOT_YET = "not graded yet: run the same command again"


class Reveal(StrEnum):
    """How much of a check a learner gets to see, the most first."""

    FULL = "full"
    MESSAGE = "message"
    POINTS = "points"

    def at_most(self, other: Reveal) -> Reveal:
        """The one of the two that shows less."""
        order = list(Reveal)
        return max(self, other, key=order.index)


@dataclass(frozen=True, slots=True)
class CheckMark:
    """One check of one submission."""

    id: str
    outcome: str
    cause: str
    points: float


@dataclass(frozen=True, slots=True)
class ExerciseMark:
    """One exercise of one submission; ``mistakes`` are pairs of id and title."""

    id: str
    outcome: str
    cause: str
    points: float
    max_points: float
    checks: tuple[CheckMark, ...]
    mistakes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One submission of a cohort.

    Attributes:
        submission: the name it came under, fit to be shown.
        file: the name of its report and feedback, without folder and suffix.
        status: what became of it.
        reason: why it was not graded, or what to know of it.
        points: what it got.
        max_points: what could be had.
        exercises: what it got, in detail.
        elapsed_s: how long grading took.
    """

    submission: str
    file: str
    status: Status
    reason: str = ""
    points: float = 0.0
    max_points: float = 0.0
    exercises: tuple[ExerciseMark, ...] = ()
    elapsed_s: float = 0.0

    @property
    def waits(self) -> bool:
        """Whether nobody has looked at it yet."""
        return self.status is Status.NOT_GRADED and self.reason == NOT_YET

    def to_json(self) -> str:
        """The row as one line of text."""
        return json.dumps(_parts(self), default=_parts, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Row:
        """The row that ``to_json`` wrote."""
        data = json.loads(text)
        data["status"] = Status(data["status"])
        data["exercises"] = tuple(
            ExerciseMark(
                **{
                    **exercise,
                    "checks": tuple(CheckMark(**check) for check in exercise["checks"]),
                    "mistakes": tuple((name, title) for name, title in exercise["mistakes"]),
                }
            )
            for exercise in data["exercises"]
        )
        return cls(**data)


def _parts(record: Row | ExerciseMark | CheckMark) -> dict[str, Any]:
    """What a record holds, by name."""
    return {name: getattr(record, name) for name in record.__slots__}
