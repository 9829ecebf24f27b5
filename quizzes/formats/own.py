"""Reads the two formats that are only written here, QTI and Anki, from the copies that our own files carry.

What somebody edited in such a file is reported and not guessed at: the edit counts, and it cannot be read.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

from quizzes.formats import anki, embed
from quizzes.formats.decoding import MAX_BYTES, check_size, decode
from quizzes.formats.intake import Found, Reading, UnfitError
from quizzes.formats.xmlfile import elements, local, parse, visible
from quizzes.model import ImportFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree import ElementTree as ET

MAX_FILES = 1000

_HIDDEN = re.compile(rf"<!-- {embed.MARK}: (.*?) -->")


def read(data: bytes) -> Reading:
    """Return the questions that a QTI or Anki file of our own was made from."""
    return _qti(data) if data.startswith(b"PK") else _anki(data)


def _edited(remarks: list[str]) -> dict[str, Any]:
    del remarks
    raise UnfitError(
        "it was edited or is not from `quiz export`; of this format only unchanged files of our own are read"
    )


def _anki(data: bytes) -> Reading:
    text, notes = decode(data)
    reading = Reading(notes=notes)
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            mark, _, rest = line[1:].partition(":")
            if mark == embed.BANK_MARK:
                reading.bank = embed.loads(rest) or {}
        elif line.strip():
            found = _HIDDEN.search(line)
            copy = embed.loads(found[1]) if found else None
            reading.add(Found(number, _edited, copy, _HIDDEN.sub("", line, count=1)))
    if not text.startswith(anki.HEAD[0]):
        raise ImportFailedError(f"line 1: `{anki.HEAD[0]}` is expected at the top of an Anki file")
    return reading


def _qti(data: bytes) -> Reading:
    check_size(data)
    reading = Reading()
    for source in _documents(data):
        if b"questestinterop" not in source:
            continue
        tree = parse(source)
        reading.notes += tree.notes
        for element in tree.root.iter():
            if not isinstance(element.tag, str):
                continue
            if local(element) == "assessment":
                reading.bank = embed.loads(_take(element, embed.BANK_MARK)) or reading.bank
            elif local(element) == "item":
                copy = embed.loads(_take(element, embed.MARK))
                reading.add(Found(tree.line(element), _edited, copy, visible(element)))
    return reading


def _documents(data: bytes) -> Iterator[bytes]:
    """Give the XML files in a zip; one that would unpack to more than a quiz is refused first."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.lower().endswith(".xml")]
            if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > MAX_BYTES:
                raise ImportFailedError(f"the zip unpacks to more than {MAX_BYTES} bytes; no quiz needs that")
            for entry in entries:
                with archive.open(entry) as stream:
                    yield stream.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError) as error:
        raise ImportFailedError(f"the zip cannot be read: {error}") from None


def _take(element: ET.Element, label: str) -> str:
    """Return one entry of an element's metadata and remove it, because its hash is about all the rest."""
    for parent in _metadata(element):
        for field in elements(parent):
            values = {local(child): child.text or "" for child in elements(field)}
            if values.get("fieldlabel") == label:
                parent.remove(field)
                return values.get("fieldentry", "")
    return ""


def _metadata(element: ET.Element) -> list[ET.Element]:
    out = []
    for child in elements(element):
        if local(child) == "qtimetadata":
            out.append(child)
        elif local(child) == "itemmetadata":
            out += [one for one in elements(child) if local(one) == "qtimetadata"]
    return out
