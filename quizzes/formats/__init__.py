"""Banks in the formats of other programs: ``export`` and ``import_bank``.

=============  =============================  ==========================================
format         written by                     read by
=============  =============================  ==========================================
gift           :mod:`~quizzes.formats.gift`   :mod:`~quizzes.formats.gift_reader`
moodle-xml     ``moodle``                     ``moodle_reader``
qti            ``qti``                        ``own`` (files of our own only)
jupyterquiz    ``jupyterquiz``                ``jupyterquiz_reader``
anki           ``anki``                       ``own`` (files of our own only)
aiken                                         ``aiken``
=============  =============================  ==========================================

What a format cannot hold stands in :mod:`~quizzes.formats.losses`; how our own files come back whole
nevertheless, in :mod:`~quizzes.formats.embed`. Each module is imported when its format is asked for.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING

from quizzes.formats import losses
from quizzes.formats.intake import Imported, assemble
from quizzes.model import ExportResult, ImportFailedError

if TYPE_CHECKING:
    from quizzes.formats.intake import Reading
    from quizzes.model import Bank

TARGETS = losses.TARGETS
_WRITERS = {target: target for target in TARGETS} | {"moodle-xml": "moodle"}
_READERS = {
    "gift": "gift_reader",
    "aiken": "aiken",
    "moodle-xml": "moodle_reader",
    "jupyterquiz": "jupyterquiz_reader",
    "qti": "own",
    "anki": "own",
}
KINDS = (*_READERS, "auto")


def export(bank: Bank, to: str) -> ExportResult:
    """Return the bank in another format, the same bytes every time, and what that format cannot hold."""
    if to not in _WRITERS:
        raise ValueError(f"unknown format `{to}`; one of {', '.join(TARGETS)} is expected")
    writer = importlib.import_module(f"{__name__}.{_WRITERS[to]}")
    return ExportResult(writer.write(bank), losses.report(bank, to))


def import_bank(data: bytes, kind: str, name: str, file: str = "", *, keep_id: bool = False) -> Imported:
    """Return the bank that a foreign file makes, and what there is to say about its lines.

    ``name`` is the id of the new bank; with ``keep_id``, a file of our own that still has its bank's id gives that
    instead. ``file`` stands before the numbers of lines in messages.
    ImportFailedError says why nothing of the file can be taken.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown format `{kind}`; one of {', '.join(KINDS)} is expected")
    try:
        chosen = recognised(data) if kind == "auto" else kind
        reader = importlib.import_module(f"{__name__}.{_READERS[chosen]}")
        reading: Reading = reader.read(data)
    except ImportFailedError as error:
        if file:
            raise ImportFailedError(_placed(str(error), file)) from None
        raise
    except RecursionError:
        raise ImportFailedError(
            f"{file or 'the file'}: something in it is nested too deep; no quiz needs that"
        ) from None
    return assemble(reading, name, file, keep_id=keep_id)


def _placed(message: str, file: str) -> str:
    """Return a message with the file's name before it, as ``file:12: ...`` where it has a line."""
    head, _, rest = message.partition(": ")
    return f"{file}:{head.removeprefix('line ')}: {rest}" if head.startswith("line ") else f"{file}: {message}"


def recognised(data: bytes) -> str:
    """Return the format that some bytes are in; ImportFailedError if they look like none."""
    from quizzes.formats.decoding import decode

    if data.startswith(b"PK"):
        return "qti"
    text, _ = decode(data)
    return _recognised_text(text)


def _recognised_text(text: str) -> str:
    start = text.lstrip()
    if re.search(r"^schema:\s*['\"]?quizbank/", text, re.MULTILINE):
        raise ImportFailedError("this is a bank already; `quiz check` looks at it, and `quiz FILE` asks its questions")
    if start.startswith("<"):
        return "moodle-xml"
    if start.startswith(("[", "{")) and not start.lower().startswith(("[html]", "[plain]", "[moodle]", "[markdown]")):
        return "jupyterquiz"
    if start.startswith("#separator:"):
        return "anki"
    lines = [line.strip().upper() for line in start.split("\n")]
    if any(line.startswith("ANSWER:") for line in lines) and "{" not in start:
        return "aiken"
    if "{" in start or "::" in start:
        return "gift"
    if any(line.startswith("ANSWER") for line in lines):
        return "aiken"
    raise ImportFailedError(
        "the file looks like no known format; name it with --from gift, aiken, moodle-xml or jupyterquiz"
    )
