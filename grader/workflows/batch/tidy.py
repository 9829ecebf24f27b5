"""Removes from a folder of results what is no longer to be there: pages of nobody's, and pages that show too much.

Only files whose names the folder's own ledger gave out are touched.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import TYPE_CHECKING

from grader.cohort import Reveal
from grader.errors import GradeError
from grader.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from grader.lesson import Lesson
    from grader.store.ledger import Ledger
    from grader.workflows.batch.sources import Entry

FACT = "told"
PAGES = (("feedback", "html"), ("feedback", "md"))
ALL = (("reports", "json"), *PAGES)


def told_of(reveal: Reveal, lesson: Lesson) -> dict[str, str]:
    """How much learners get to see: in general, under no name, and of the checks that the lesson hides."""
    hidden = {f"{exercise.id}.{check}": shown for exercise in lesson.exercises for check, shown in exercise.reveal}
    return {"": reveal.value, **hidden}


def tidy(out: Path, ledger: Ledger, entries: Iterable[Entry], told: dict[str, str]) -> None:
    """Removes the files of submissions that are gone, and all pages if they may show more than is asked for now.

    A row whose files are another's now, or may have been written over by another's, is let go of with them.

    Args:
        out: the folder of results.
        ledger: of that folder.
        entries: the submissions that there are.
        told: how much learners get to see from now on.

    Raises:
        GradeError: a file cannot be removed.
        StoreError: the ledger cannot be used.
    """
    there = {entry.key: entry.file for entry in entries}
    done = ledger.files()
    owners = {file.casefold(): submission for submission, file in there.items()}
    claims = Counter(file.casefold() for _, file in done)
    for submission, file in done:
        owner = owners.get(file.casefold())
        foreign = claims[file.casefold()] > 1 or owner not in (None, submission)
        if owner is None or foreign:
            _remove(out, file, ALL)
        if submission not in there or foreign:
            ledger.forget(submission)
    before = ledger.fact(FACT)
    if _shows_less(told, json.loads(before) if before else {}):
        for file in there.values():
            _remove(out, file, PAGES)
    ledger.note(FACT, json.dumps(told))


def _shows_less(told: dict[str, str], before: dict[str, str]) -> bool:
    """Whether anything is shown less of than before; what is not named is shown whole."""
    return any(
        Reveal(told.get(name, "full")).at_most(Reveal(before.get(name, "full"))) != before.get(name, "full")
        for name in told.keys() | before.keys()
    )


def _remove(out: Path, file: str, kinds: Iterable[tuple[str, str]]) -> None:
    for folder, suffix in kinds:
        path = out / folder / f"{file}.{suffix}"
        try:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
        except OSError as error:
            raise GradeError(f"{visible(str(path))} cannot be removed: {error.strerror}") from error
