"""What a test of a suite is worth, and the hint that goes with it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class CheckInfo:
    """Points and hint of one check."""

    points: int
    hint: str


def check(*, points: int, hint: str) -> Callable[[Test], Test]:
    """Marks a test of a suite as a check.

    Args:
        points: what it is worth, a whole number above 0.
        hint: what to look at next when it fails; not the corrected line.
    """
    if points < 1:
        raise ValueError(f"points={points}: a check is worth at least one point")

    def mark(test: Test) -> Test:
        test.__check__ = CheckInfo(points, hint)  # type: ignore[attr-defined]
        return test

    return mark


def info_of(test: Any) -> CheckInfo | None:
    """What ``check`` said about a test, None if it said nothing."""
    found = getattr(test, "__check__", None)
    return found if isinstance(found, CheckInfo) else None


def title_of(test: Any) -> str:
    """The first line of a test's docstring: the learner's text."""
    return (inspect.getdoc(test) or "").partition("\n")[0].strip()
