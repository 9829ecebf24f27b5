"""Writes XML that is the same every time, and reads XML that strangers made.

Reading goes through defusedxml: document types, entities and references to other files are refused before
they can do anything, and elements may not be nested deeper than any quiz nests them.
"""

from __future__ import annotations

import importlib
import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from quizzes.formats.decoding import check_size, decode
from quizzes.model import ImportFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizzes.formats.intake import Note

MAX_DEPTH = 40

_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")


def document(root: ET.Element) -> bytes:
    """Return a tree as the bytes of a file."""
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    """Add an element and return it."""
    element = ET.SubElement(parent, tag, attributes)
    element.text = text
    return element


def visible(element: ET.Element) -> str:
    """Return what an element says, comments aside, however the file is laid out."""
    return json.dumps(_said(element), ensure_ascii=True)


def _said(element: ET.Element) -> list[Any]:
    inner = [_said(child) for child in elements(element)]
    text = element.text or ""
    return [local(element), sorted(element.attrib.items()), text.strip() if inner else text, inner]


def elements(parent: ET.Element) -> Iterator[ET.Element]:
    """Give the children that are elements, not comments."""
    return (child for child in parent if isinstance(child.tag, str))


def comments(parent: ET.Element) -> Iterator[str]:
    """Give the comments directly inside an element."""
    return (child.text or "" for child in parent if not isinstance(child.tag, str))


def local(element: ET.Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


class Tree:
    """A file's tree, the line on which each element begins, and what there is to say about its encoding."""

    def __init__(self, root: ET.Element, lines: dict[ET.Element, int], notes: list[Note]) -> None:
        self.root = root
        self.notes = notes
        self._lines = lines

    def line(self, element: ET.Element) -> int:
        """Return the line on which an element begins."""
        return self._lines.get(element, 1)


def parse(data: bytes) -> Tree:
    """Return the tree of a foreign XML file; ImportFailedError says why it is none or is refused."""
    # Needed by nobody who imports no XML.
    defused = importlib.import_module("defusedxml")
    parsing = importlib.import_module("defusedxml.ElementTree")
    check_size(data)
    source, notes = _source(data)
    lines: dict[ET.Element, int] = {}
    builder = _Builder(lines)
    parser = parsing.DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.position = parser.parser
    try:
        parser.feed(source)
        root = parser.close()
    except defused.DefusedXmlException:
        line = parser.parser.CurrentLineNumber
        raise ImportFailedError(
            f"line {line}: a document type or an entity; a quiz needs none, and they can be used to attack: remove it"
        ) from None
    except ET.ParseError as error:
        line, column = error.position
        what = str(error).partition(":")[0]
        raise ImportFailedError(f"line {line}: this is not XML at column {column + 1}: {what}") from None
    except (LookupError, ValueError) as error:
        raise ImportFailedError(f"line 1: the encoding cannot be read: {error}") from None
    return Tree(root, lines, notes)


def _source(data: bytes) -> tuple[bytes, list[Note]]:
    """Return bytes that the parser can read: as they are where they say their encoding, else as UTF-8."""
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].lower() not in {b"utf-8", b"utf8", b"utf-16"}:
        return data, []
    text, notes = decode(data)
    return re.sub(r"^(<\?xml[^>]*?)\s+encoding\s*=\s*[\"'][\w.-]+[\"']", r"\1", text).encode("utf-8", "replace"), notes


class _Builder(ET.TreeBuilder):
    """Builds the tree, keeps the line of each element, and stops at a depth that no quiz has."""

    def __init__(self, lines: dict[ET.Element, int]) -> None:
        super().__init__(insert_comments=True)
        self.lines = lines
        self.position: Any = None
        self.depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> ET.Element:
        self.depth += 1
        line = self.position.CurrentLineNumber
        if self.depth > MAX_DEPTH:
            raise ImportFailedError(f"line {line}: elements are nested deeper than {MAX_DEPTH}; no quiz needs that")
        element: ET.Element = super().start(tag, attrs)
        self.lines[element] = line
        return element

    def end(self, tag: str) -> ET.Element:
        self.depth -= 1
        return super().end(tag)
