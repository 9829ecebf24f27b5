"""The credits that Moodle takes. Its importer refuses any other, or moves it to the nearest."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from quizzes import grading

if TYPE_CHECKING:
    from quizzes import model

_TEXTS = (
    "100", "90", "83.33333", "80", "75", "70", "66.66667", "60", "50", "40", "33.33333", "30", "25", "20",
    "16.66667", "14.28571", "12.5", "11.11111", "10", "5", "0",
)  # fmt: skip
LISTED = tuple(Decimal(text) for text in _TEXTS)

# A right one of more than ten would earn less than the list's steps can add up to 100.
MOST_RIGHT = 10

_CLOSE = Fraction(1, 1000)


def listed(credit: Decimal | Fraction) -> Decimal:
    """Return the credit of Moodle's list that is nearest, with its sign."""
    size = abs(Fraction(credit))
    near = min(LISTED, key=lambda one: abs(Fraction(one) - size))
    return -near if credit < 0 and near else near


def is_listed(credit: Decimal | Fraction) -> bool:
    """Tell whether a credit is in Moodle's list, to the five places that it gives."""
    return abs(Fraction(listed(credit)) - Fraction(credit)) < _CLOSE


def shares(question: model.Multiple) -> list[Fraction]:
    """Return what each option is worth in percent where a program can only add up weights."""
    if question.grading == "weights":
        weights = grading.weights(question.options)
        return [weights[option.id] * 100 for option in question.options]
    right = max(sum(option.correct for option in question.options), 1)
    return [Fraction(100 if option.correct else -100, right) for option in question.options]


def is_net(marked: list[tuple[bool, Decimal]]) -> bool:
    """Tell whether right and wrong options weigh what ``grading: net`` gives them."""
    right = sum(correct for correct, _ in marked)
    if not right:
        return False
    each = Fraction(100, right)
    return all(abs(Fraction(credit) - (each if correct else -each)) < _CLOSE for correct, credit in marked)
