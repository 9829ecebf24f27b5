"""Reads one mapping of a bank key by key: types each scalar by its field, and notes what does not fit.

Nothing here stops at a fault. A field that is wrong gives its default and marks the mapping as broken, so
that one run reports every problem of a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from quizzes.numeric import NumberError, authored
from quizzes.problems import clip, quoted
from quizzes.source import HIDDEN
from quizzes.tree import TOGETHER, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from decimal import Decimal

    from quizzes.model import Number, Place
    from quizzes.problems import Problems

# How long a list may be, where nothing else says so.
MANY = 100

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}", re.ASCII)

# Also halves of characters, which a backslash can make and no stream can print.
_FORBIDDEN = f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{HIDDEN}]"
_NOT_BOOLEANS = {"yes", "no", "on", "off", "y", "n", "1", "0"}


def nearest(word: str, known: Collection[str], problems: Problems | None = None) -> str:
    """Return ``; did you mean `x`?`` for the known word most like this one, or nothing.

    ``problems`` are those of a file, which has so many words compared and no more: a thousand slips among a thousand
    names would take minutes.
    """
    if problems is not None and not problems.may_compare(len(known)):
        return ""
    found = closest(word, known)
    return f"; did you mean `{found}`?" if found else ""


def closest(word: str, known: Iterable[str]) -> str:
    """Return the known word most like this one, or nothing."""
    import difflib

    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)), "")


class Fields:
    """The keys of one mapping. ``what`` names it in messages: "a question", "an option"."""

    def __init__(self, node: Node, problems: Problems, what: str) -> None:
        self.problems = problems
        self.what = what
        self.ok = True
        if isinstance(node, Mapping):
            self.node = node
        else:
            self.node = Mapping(node.line, node.column)
            self._not_a_mapping(node)

    def _not_a_mapping(self, node: Node) -> None:
        self.ok = False
        if isinstance(node, Scalar) and node.broken:
            return
        if isinstance(node, Scalar) and not node.text:
            self.problems.add("E07", node, f"{self.what} is empty", "write it, or remove the line")
            return
        got = f"the text {quoted(node.text)}" if isinstance(node, Scalar) else "a list"
        message = f"{self.what} is a mapping of keys and values, this is {got}"
        together = isinstance(node, Scalar) and not node.style and re.match(TOGETHER, node.text)
        fix = "put a space after the colon" if together else f"write {self.what} as `key: value` lines"
        self.problems.add("E08", node, message, fix)

    @property
    def place(self) -> Place:
        """Where the mapping stands."""
        return self.node

    def fail(self, code: str, place: Place, message: str, fix: str = "") -> None:
        """Note a fault that makes what is being read unusable."""
        self.ok = False
        self.problems.add(code, place, message, fix)

    def at(self, key: str) -> Place:
        """Return where the value of a key stands, or the mapping if the key is not there."""
        return self.node.items.get(key, self.node)

    def has(self, key: str) -> bool:
        """Tell whether the key is there."""
        return key in self.node.items

    def raw(self, key: str, *, required: bool = False) -> Node | None:
        """Return the value of a key as it stands in the tree."""
        node = self.node.items.get(key)
        if node is None and required and (self.ok or self.node.items):
            self.fail("E07", self.node, f"{self.what} has no `{key}`", f"add `{key}:`")
        if isinstance(node, Scalar) and node.broken:
            self.ok = False
            return None
        return node

    # Scalars

    def _scalar(self, key: str, *, required: bool, kind: str) -> Scalar | None:
        node = self.raw(key, required=required)
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self._wrong_kind(f"`{key}`", node, kind)
            return None
        if not node.text.strip():
            self.fail("E07", node, f"`{key}` is empty", "write its value, or remove the line if it is not needed")
            return None
        return node

    def _wrong_kind(self, name: str, node: Node, kind: str) -> None:
        if isinstance(node, Mapping) and node.items:
            if node.flow and all(isinstance(one, Scalar) and not one.text for one in node.items.values()):
                text = "{" + ", ".join(node.items) + "}"
                message = f"{name} is {kind}, but braces made it a mapping"
                self.fail("E08", node, message, f"quote the text: {quoted(text)}")
                return
            key, value = next(iter(node.items.items()))
            text = f"{key}: {value.text}" if isinstance(value, Scalar) else f"{key}: ..."
            message = f"{name} is {kind}, but the colon after `{clip(key)}` made it a mapping"
            self.fail("E08", node, message, f"quote the text: {quoted(text)}")
        elif isinstance(node, Sequence):
            self.fail(
                "E08",
                node,
                f"{name} is {kind}, this is a list",
                "if it is a text that begins with `[` or `-`, quote it",
            )
        else:
            self.fail("E08", node, f"{name} is {kind}, this is an empty mapping", "quote it if it is a text")

    def text(self, key: str, *, required: bool = False, null: bool = False) -> str:
        """Return a text as its author wrote it; with ``null``, the word null stands for none."""
        if (
            null
            and isinstance(node := self.node.items.get(key), Scalar)
            and not node.style
            and node.text in {"null", "~", ""}
        ):
            return ""
        scalar = self._scalar(key, required=required, kind="a text")
        return self._checked(scalar, f"`{key}`") if scalar else ""

    def _checked(self, node: Scalar, name: str) -> str:
        """Return a scalar's text; note what an escape in double quotes made of it."""
        if node.style == '"' and (found := re.search(_FORBIDDEN, node.text)):
            kind = "an invisible" if re.match(f"[{HIDDEN}]", found.group()) else "a control"
            self.fail(
                "E01",
                node,
                f"{name} has {kind} character (U+{ord(found.group()):04X}), made by a backslash",
                "use single quotes or a block scalar (`|`), where a backslash is a backslash",
            )
        return node.text

    def texts(self, key: str, *, required: bool = False, most: int = MANY) -> tuple[str, ...]:
        """Return a list of texts."""
        items = self.list(key, required=required, most=most)
        out = []
        for number, node in enumerate(items, 1):
            name = f"item {number} of `{key}`"
            if isinstance(node, Scalar) and node.broken:
                self.ok = False
            elif not isinstance(node, Scalar):
                self._wrong_kind(name, node, "a text")
            elif not node.text.strip():
                self.fail("E07", node, f"{name} is empty", "write it, or remove the line")
            else:
                out.append(self._checked(node, name))
        self._look_for_cut(key, items)
        return tuple(out)

    def _look_for_cut(self, key: str, items: list[Node]) -> None:
        """Refuse ``[(B, T), (T, B)]``: a comma in a bracketed list ends the item, also inside parentheses."""
        sequence = self.node.items.get(key)
        if not (isinstance(sequence, Sequence) and sequence.flow):
            return
        for node in items:
            if isinstance(node, Scalar) and not node.style and unbalanced(node.text):
                message = f"the comma cut a text in two: {quoted(node.text)} has a bracket without its partner"
                self.fail("E08", node, message, "quote each text, or write one a line with `- `")
                return

    def word(self, key: str, known: Iterable[str], default: str) -> str:
        """Return one of some known words."""
        scalar = self._scalar(key, required=False, kind="a word")
        if scalar is None:
            return default
        words = list(known)
        if scalar.text not in words:
            message = f"`{key}` is `{clip(scalar.text)}`{nearest(scalar.text, words, self.problems)}"
            self.fail("E08", scalar, message, f"use one of {', '.join(words)}")
            return default
        return scalar.text

    def name(self, key: str) -> str:
        """Return an id: a small letter, then small letters, digits and dashes."""
        scalar = self._scalar(key, required=True, kind="a name")
        if scalar and not NAME.fullmatch(scalar.text):
            self.fail(
                "E10",
                scalar,
                f"`{key}` is `{clip(scalar.text)}`",
                "use a small letter, then up to 39 small letters, digits and dashes",
            )
            return ""
        return scalar.text if scalar else ""

    def flag(self, key: str, *, default: bool = False, required: bool = False) -> bool:
        """Return true or false, which are written just so."""
        scalar = self._scalar(key, required=required, kind="true or false")
        if scalar is None:
            return default
        if scalar.text not in {"true", "false"}:
            meant = " (YAML's other words for it are not taken: they also are ordinary words)"
            more = meant if scalar.text.lower() in _NOT_BOOLEANS else ""
            self.fail(
                "E08",
                scalar,
                f"`{key}` is `{clip(scalar.text)}`{more}",
                "write true or false, in small letters",
            )
            return default
        return scalar.text == "true"

    def whole(self, key: str, *, low: int, high: int, default: int | None = None, required: bool = False) -> int | None:
        """Return a whole number within bounds."""
        scalar = self._scalar(key, required=required, kind="a whole number")
        if scalar is None:
            return default
        if not re.fullmatch(r"0|-?[1-9][0-9]{0,6}", scalar.text, re.ASCII) or not low <= int(scalar.text) <= high:
            self.fail(
                "E08",
                scalar,
                f"`{key}` is `{clip(scalar.text)}`",
                f"write a whole number from {low} to {high}",
            )
            return default
        return int(scalar.text)

    def number(self, key: str, code: str = "E17") -> Number | None:
        """Return a decimal number with its text."""
        scalar = self._scalar(key, required=False, kind="a number")
        return self.as_number(scalar, f"`{key}`", code) if scalar else None

    def as_number(self, scalar: Scalar, name: str, code: str = "E17") -> Number | None:
        """Return a scalar as a decimal number."""
        try:
            return authored(scalar.text)
        except NumberError as error:
            self.fail(
                code,
                scalar,
                f"{name}: {clip(str(error), 200)}",
                "write a decimal number such as 0.125, -3 or 1e-4",
            )
            return None

    def decimal(self, key: str, default: Decimal | None, *, low: int, high: int) -> Decimal | None:
        """Return a decimal number within bounds."""
        number = self.number(key, "E08")
        if number is None:
            return default
        if not (number.value.is_finite() and low <= number.value <= high):
            self.fail("E08", self.at(key), f"`{key}` is {number.text}", f"write a number from {low} to {high}")
            return default
        return number.value

    # What holds others

    def list(self, key: str, *, required: bool = False, most: int = MANY) -> list[Node]:
        """Return the items of a list."""
        node = self.raw(key, required=required)
        if node is None:
            return []
        if isinstance(node, Scalar) and not node.text:
            self.fail("E07", node, f"`{key}` is empty", "write its items, or remove the line if it is not needed")
            return []
        if not isinstance(node, Sequence):
            shown = (
                "a mapping" if isinstance(node, Mapping) else f"the text {quoted(node.text)}" if node.text else "empty"
            )
            self.fail(
                "E08",
                node,
                f"`{key}` is a list, this is {shown}",
                "put each item on a line of its own that begins with `- `",
            )
            return []
        if len(node.items) > most:
            self.fail("E05", node, f"`{key}` has {len(node.items)} items; {most} are the most", "leave some out")
            return []
        if not node.items and required:
            self.fail("E07", node, f"`{key}` is empty", "add an item")
        return node.items

    def each(self, key: str, what: str, *, required: bool = False, most: int = MANY) -> Iterator[Fields]:
        """Give the items of a list of mappings, one after the other."""
        for node in self.list(key, required=required, most=most):
            yield from self.within(Fields(node, self.problems, what))

    def inner(self, key: str, what: str, *, required: bool = False) -> Iterator[Fields]:
        """Give the mapping that is the value of a key, if it is there."""
        node = self.raw(key, required=required)
        if node is not None:
            yield from self.within(Fields(node, self.problems, what))

    def within(self, fields: Fields) -> Iterator[Fields]:
        """Give the fields of a part; what is wrong with the part is then wrong with the whole."""
        yield fields
        self.ok = self.ok and fields.ok

    def named(self, key: str, what: str, *, required: bool = False, most: int = MANY) -> Iterator[tuple[Scalar, Node]]:
        """Give the names and values of a mapping whose keys are the author's own."""
        for fields in self.inner(key, what, required=required):
            if required and fields.ok and not fields.node.items:
                fields.fail("E07", fields.node, f"{what} is empty", "add a name and its value")
            if len(fields.node.items) > most:
                fields.fail("E05", fields.node, f"{what} has {len(fields.node.items)} keys; {most} are the most")
                continue
            for name, node in fields.node.items.items():
                yield fields.node.keys[name], node

    def rest(self, known: Iterable[str], advice: dict[str, str] | None = None) -> None:
        """Note the keys that this mapping may not have. ``advice`` has a word more on some of them."""
        allowed = list(known)
        for key, node in self.node.items.items():
            if key in allowed:
                continue
            self.ok = False
            if self.problems.full:
                break
            fix = f"{self.what} may have: {', '.join(allowed)}"
            message = f"{self.what} has no key `{clip(key)}`{nearest(key, allowed, self.problems)}"
            if self.node.flow and isinstance(node, Scalar) and not node.text and not node.style:
                if ":" in key:
                    fix = "put a space after the colon"
                else:
                    fix = "a comma cut a text in two: quote texts that have commas"
            elif advice and key in advice:
                message, fix = f"{self.what} has no key `{clip(key)}`", advice[key]
            self.fail("E06", self.node.keys[key], message, fix)


def unbalanced(text: str) -> bool:
    """Tell whether the text has a bracket without its partner."""
    return any(text.count(a) != text.count(b) for a, b in ("()", "[]", "{}"))
