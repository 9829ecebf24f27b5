"""What gives the answer away or reads badly: warnings, one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizzes.model import Bank
    from quizzes.problems import Problems
    from quizzes.source import Source


def source(text: Source, problems: Problems) -> None:
    """Note what only the text of a bank shows."""


def bank(whole: Bank, problems: Problems) -> None:
    """Note what the questions show."""
