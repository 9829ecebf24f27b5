"""What is peculiar about wrong results, where no known mistake reproduces them: exactly, and without a guess at why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.diagnosis.search import Case


def symptom_of(cases: Sequence[Case]) -> str:
    """One sentence, or nothing."""
    return ""
