"""Makes a copy of a log that can be given away: no name, no hours, none of the learner's own words.

A person keeps one pseudonym, so that a later copy replaces an earlier one; it is made by chance and says
nothing.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from typing import TYPE_CHECKING

from quizzes.log import StateError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizzes.log import Event

_KEPT = {
    "schema",
    "event",
    "sitting",
    "bank",
    "question",
    "hash",
    "objective",
    "attempt",
    "score",
    "seconds",
    "hints",
    "sure",
}
_OPTION_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)


def pseudonym(folder: str) -> str:
    """Return this learner's pseudonym, made at the first use."""
    path = os.path.join(folder, "pseudonym")
    try:
        if os.path.isfile(path):
            with open(path, encoding="ascii", errors="replace") as stream:
                if re.fullmatch(r"[0-9a-f]{16}", text := stream.read(100).strip()):
                    return text
        os.makedirs(folder, exist_ok=True)
        fresh = secrets.token_hex(8)
        with open(path, "w", encoding="ascii") as stream:
            stream.write(fresh + "\n")
        os.chmod(path, 0o600)
    except OSError as error:
        raise StateError(f"{path} cannot be written: {error.strerror}; name another folder with --state") from None
    return fresh


def shared(events: Iterable[Event], person: str) -> str:
    """Return the lines of a log that can be given away."""
    return "".join(
        json.dumps(_stripped(event, person), ensure_ascii=True, separators=(",", ":")) + "\n" for event in events
    )


def _stripped(event: Event, person: str) -> Event:
    """Keep what statistics need: the day but not the hour, ids of options but no typed text, no seed."""
    kept = {key: value for key, value in event.items() if key in _KEPT}
    kept["time"] = f"{str(event['time'])[:10]}T00:00:00+00:00"
    kept["person"] = person
    if event["event"] == "start":
        kept["kind"] = event.get("kind", "quiz")
        planned = event.get("questions")
        if isinstance(planned, list):
            names = ("bank", "question", "hash")
            kept["questions"] = [{k: one[k] for k in names if k in one} for one in planned if isinstance(one, dict)]
    answer = event.get("answer")
    if isinstance(answer, bool) or (
        isinstance(answer, list) and all(isinstance(one, str) and _OPTION_ID.fullmatch(one) for one in answer)
    ):
        kept["answer"] = answer
    return kept
