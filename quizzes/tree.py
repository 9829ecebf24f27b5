"""Turns YAML text into a tree of raw scalars with places, in one pass over the parser's events.

Nothing is resolved: ``NO``, ``1_000`` and ``2024-01-01`` stay the text they are, because only the field that
a scalar stands in knows what it should be (:mod:`quizzes.schema`). What YAML has and a bank does not need is
refused where it is met: aliases and anchors (a hundred bytes of them can unfold to millions of nodes), tags,
merge keys, directives and second documents (E04), deep or huge structures (E05), duplicate keys (E03).
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import yaml

from quizzes.model import Place
from quizzes.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from quizzes.problems import Problems
    from quizzes.source import Source

MAX_DEPTH = 32
MAX_NODES = 200_000
MAX_SCALAR = 65_536

FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PURE_LOADER: Any = yaml.SafeLoader

_CLOSE = "add the closing quote or bracket, or quote the whole text"
_SHALLOWER = "a bank needs fewer than 10 levels"


class Scalar(Place):
    """A text as written. ``style`` is ``'``, ``"``, ``|``, ``>`` or nothing for a plain one."""

    __slots__ = ("broken", "end_column", "end_line", "style", "text")

    def __init__(
        self, line: int, column: int, text: str, style: str = "", end_line: int = 0, end_column: int = 0
    ) -> None:
        # Without super(): this runs for every value of a bank, and is most of what reading one takes.
        self.line = line
        self.column = column
        self.text = text
        self.style = style
        self.end_line = end_line
        self.end_column = end_column
        self.broken = False  # stands for something refused; who meets it says nothing more


class Sequence(Place):
    """A list; ``flow`` when it was written in brackets."""

    __slots__ = ("flow", "items")

    def __init__(self, line: int, column: int, *, flow: bool = False) -> None:
        super().__init__(line, column)
        self.flow = flow
        self.items: list[Node] = []

    def child(self, step: str | int) -> Place | None:
        """Return the place of the item at an index."""
        return self.items[step] if isinstance(step, int) and 0 <= step < len(self.items) else None


class Mapping(Place):
    """Keys and values in their order; ``keys`` remembers where each key stands."""

    __slots__ = ("flow", "items", "keys")

    def __init__(self, line: int, column: int, *, flow: bool = False) -> None:
        super().__init__(line, column)
        self.flow = flow
        self.items: dict[str, Node] = {}
        self.keys: dict[str, Scalar] = {}

    def child(self, step: str | int) -> Place | None:
        """Return the place of the value of a key."""
        return self.items.get(step) if isinstance(step, str) else None


Node = Scalar | Sequence | Mapping


def parse(source: Source, problems: Problems, loader: Any = None) -> Node | None:
    """Return the tree of a bank's text, or None where it is empty or broken beyond building one.

    With a ``loader``, that one of PyYAML's decides alone. Without, the fast one reads, and what it cannot
    read is given to the pure one: the two word and place the same fault differently, and the pure one is on
    every machine.
    """
    fault: yaml.YAMLError | None = None
    for one in (loader,) if loader else dict.fromkeys((FAST_LOADER, PURE_LOADER)):
        try:
            return _build(source, problems, one)
        except yaml.YAMLError as error:
            fault = error if fault is None or isinstance(error, yaml.MarkedYAMLError) else fault
    if fault is not None:
        _report(source, problems, fault)
    return None


def _build(source: Source, problems: Problems, loader: Any) -> Node | None:
    parser = loader(source.text)
    try:
        return _Builder(source, problems, parser.get_event).build()
    except RecursionError:
        problems.add("E05", Place(1, 1), "the file is nested too deeply to be read", _SHALLOWER)
        return None
    except (ValueError, OverflowError):  # beyond Unicode, or beyond what C can count
        raise _beyond_unicode(source) from None
    finally:
        parser.dispose()


def _beyond_unicode(source: Source) -> yaml.YAMLError:
    """Return the error, with its place, that the pure parser should raise for an escape beyond Unicode."""
    for number, line in enumerate(source.lines):
        for match in re.finditer(r"\\U([0-9A-Fa-f]{8})", line):
            if int(match[1], 16) > sys.maxunicode:
                mark = yaml.Mark(source.name, 0, number, match.start(1), None, 0)
                return yaml.MarkedYAMLError(problem="found an escape beyond Unicode", problem_mark=mark)
    return yaml.YAMLError("a value that cannot be")


class _StopError(Exception):
    """Reading cannot usefully go on; the reason has been noted."""


class _Builder:
    """Makes nodes of events. ``next_event`` gives one after the other, the last being the stream's end."""

    def __init__(self, source: Source, problems: Problems, next_event: Callable[[], Any]) -> None:
        self.source = source
        self.problems = problems
        self.next_event = next_event
        self.nodes = 0
        self.documents = 0

    def build(self) -> Node | None:
        root: Node | None = None
        try:
            while not isinstance(event := self.next_event(), yaml.StreamEndEvent):
                if isinstance(event, yaml.DocumentStartEvent):
                    self._document(event)
                elif isinstance(event, yaml.NodeEvent):
                    root = self._node(event, 1)
        except _StopError:
            return None
        return root

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            fix = "one file holds one bank: remove the `---`"
            self.problems.add("E04", _at(event), "a second document starts here", fix)
            raise _StopError
        if event.version or event.tags:
            fix = "remove the line that starts with `%`"
            self.problems.add("E04", _at(event), "a bank takes no YAML directive", fix)

    def _node(self, event: Any, depth: int) -> Node:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            self._too_much(event, depth)
        kind = type(event)
        if kind is yaml.ScalarEvent:
            if event.anchor is None and event.tag is None and len(event.value) <= MAX_SCALAR:
                start, end = event.start_mark, event.end_mark
                return Scalar(
                    start.line + 1, start.column + 1, event.value, event.style or "", end.line + 1, end.column + 1
                )
            return self._odd_scalar(event)
        if event.anchor is not None or getattr(event, "tag", None) is not None:
            self._refuse(event)
        if kind is yaml.SequenceStartEvent:
            return self._sequence(event, depth + 1)
        if kind is yaml.MappingStartEvent:
            return self._mapping(event, depth + 1)
        return _broken(event)  # an alias, just refused

    def _too_much(self, event: Any, depth: int) -> NoReturn:
        deep = depth > MAX_DEPTH
        what = f"nested deeper than {MAX_DEPTH} levels" if deep else f"more than {MAX_NODES} values"
        self.problems.add("E05", _at(event), what, _SHALLOWER if deep else "split the bank")
        raise _StopError

    def _odd_scalar(self, event: Any) -> Scalar:
        if len(event.value) > MAX_SCALAR:
            message = f"a text of {len(event.value)} characters; {MAX_SCALAR} is the most"
            self.problems.add("E05", _at(event), message)
        else:
            self._refuse(event)
        return _broken(event)

    def _refuse(self, event: Any) -> None:
        """Note an alias, an anchor or a tag; most come from a text that starts with a YAML symbol."""
        if isinstance(event, yaml.AliasEvent):
            kind, shown = "an alias", f"*{event.anchor}"
        elif event.anchor is not None:
            kind, shown = "an anchor", f"&{event.anchor}"
        else:
            kind, shown = "a tag", _tag_text(self.source, event)
        self.problems.add(
            "E04",
            _at(event),
            f"`{shown}` starts with a YAML symbol, so YAML reads it as {kind}, which a bank may not have",
            "wrap the text in quotes if it is meant as text, else write the value out",
        )

    def _sequence(self, event: Any, depth: int) -> Sequence:
        node = Sequence(*_line_column(event), flow=bool(event.flow_style))
        while type(event := self.next_event()) is not yaml.SequenceEndEvent:
            node.items.append(self._node(event, depth))
        return node

    def _mapping(self, event: Any, depth: int) -> Mapping:
        node = Mapping(*_line_column(event), flow=bool(event.flow_style))
        while type(event := self.next_event()) is not yaml.MappingEndEvent:
            key = self._node(event, depth)
            value = self._node(self.next_event(), depth)
            if not isinstance(key, Scalar):
                message = "a key must be a word, this is a list or a mapping"
                self.problems.add("E08", key, message, "quote it if it is a text")
            elif key.text in node.items:
                first = node.keys[key.text].line
                message = f"the key `{key.text}` is here twice: first on line {first}, again on line {key.line}"
                self.problems.add("E03", key, message, "remove one")
            elif key.text == "<<":
                self.problems.add("E04", key, "a merge key `<<`, which a bank may not have", "write the values out")
            elif not key.broken:
                node.items[key.text] = value
                node.keys[key.text] = key
        return node


def _broken(event: Any) -> Scalar:
    node = Scalar(*_line_column(event), "")
    node.broken = True
    return node


def _line_column(event: Any) -> tuple[int, int]:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


def _at(event: Any) -> Place:
    return Place(*_line_column(event))


def _tag_text(source: Source, event: Any) -> str:
    line, column = _line_column(event)
    match = re.match(r"\S+", source.lines[line - 1][column - 1 :]) if line <= len(source.lines) else None
    return match.group() if match else str(event.tag)


# Syntax errors


def _report(source: Source, problems: Problems, error: yaml.YAMLError) -> None:
    """Note a syntax error in our own words."""
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    reason = str(getattr(error, "problem", None) or getattr(error, "context", None) or error).split("\n")[0]
    unclosed = "end of stream" in reason or "stream end" in reason
    if unclosed:
        marks.reverse()  # what was opened is what is to be mended, not the end of the file
    mark = marks[0] or marks[1]
    if mark and (key := _without_space(source, mark, marks[1], reason)):
        message = f"without a space after its colon, `{key.text}` is no key to YAML"
        problems.add("E02", key, message, "put a space after the colon")
        return
    if mark and (found := _unclosed(source, mark, error) or _outdented(source, mark, marks[1], reason)):
        problems.add("E02", *found)
        return
    line = min(mark.line + 1, max(len(source.lines), 1)) if mark else 1
    column = mark.column + 1 if mark else 1
    message, fix = (
        ("what is opened here is never closed", _CLOSE)
        if unclosed and marks[0]
        else _explain(source, line, column, reason)
    )
    problems.add("E02", Place(line, column), message, fix)


# A key and its value, run together; `http://x` and `a::b` are none.
TOGETHER = r"\s*(?:-\s+)*(?P<key>[A-Za-z_][\w-]*:(?=[^\s:/]))"


def _without_space(source: Source, mark: Any, context: Any, reason: str) -> Scalar | None:
    """Return the `key:value` on an earlier line that makes a text of what follows, if that is the fault."""
    if "could not find expected ':'" in reason and context:
        number = context.line
    elif "mapping values are not allowed" in reason:
        # The first colon of this line is one too many, since the text began before it.
        if ": " in source.lines[mark.line][: mark.column]:
            return None
        number = mark.line - 1
        while number > 0 and not source.lines[number].strip():
            number -= 1
    else:
        return None
    match = re.match(TOGETHER, source.lines[number]) if 0 <= number < len(source.lines) else None
    return Scalar(number + 1, match.start("key") + 1, match["key"]) if match else None


def _unclosed(source: Source, mark: Any, error: Any) -> tuple[Place, str, str] | None:
    """Return the bracket that a line stumbles over which stands no deeper than the one where it was opened."""
    opened = error.context_mark
    if not opened or "flow" not in str(error.context) or opened.line >= mark.line:
        return None
    first = source.lines[opened.line]
    if _depth(source.lines[mark.line]) > _depth(first):
        return None
    sign = first[opened.column]
    message = f"the `{sign}` that is opened here is not closed before line {mark.line + 1}"
    return Place(opened.line + 1, opened.column + 1), message, f"add the `{_PARTNER[sign]}` where it ends"


def _outdented(source: Source, mark: Any, context: Any, reason: str) -> tuple[Place, str, str] | None:
    """Return the line that is no key, and indented too little to go on with the text above it."""
    if "could not find expected ':'" in reason and context:
        number = context.line
    elif "but found '<scalar>'" in reason and mark.column == _depth(source.lines[mark.line]):
        number = mark.line
    else:
        return None
    text = source.lines[number].strip()
    message = f"{quoted(text)} is no key, and indented too little for a part of the text above"
    fix = "indent each line of a text further than its key, or put a colon after the key"
    return Place(number + 1, _depth(source.lines[number]) + 1), message, fix


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


_PARTNER = {"{": "}", "[": "]"}


def _entry(line: str, column: int) -> tuple[str, str]:
    """Return the key, if there is one, and the value that stand in brackets around a column; nothing outside them."""
    starts: list[int] = []  # of the entry in each bracket that is open
    before, quote = "", ""
    for index, sign in enumerate(line[: column - 1]):
        if quote or (sign in "'\"" and before in {"{", "[", ",", ":", "-", ""}):
            quote = sign if not quote else "" if sign == quote else quote
        elif sign in _PARTNER and (starts or before in {":", "-", ""}):
            starts.append(index + 1)
        elif sign in "}]" and starts:
            starts.pop()
        elif sign == "," and starts:
            starts[-1] = index + 1
        before = sign if sign.strip() else before
    if not starts:
        return "", ""
    match = re.match(r"\s*(?:([\w-]+):\s+)?", line[starts[-1] :])
    assert match is not None
    rest = line[starts[-1] + match.end() :]
    depth = 0
    for index, sign in enumerate(rest):
        depth += (sign in _PARTNER) - (sign in "}]")
        if depth < 0 or (not depth and re.match(r",\s*[\w-]+:(\s|$)" if match[1] else ",", rest[index:])):
            return match[1] or "", rest[:index].strip()
    return match[1] or "", rest.strip()


_VALUE = r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?(?P<value>\S.*?)\s*$"


def _explain(source: Source, line: int, column: int, problem: str) -> tuple[str, str]:
    """Return the sentence and the fix for a syntax error, from what stands on its line."""
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    match = re.match(_VALUE, text)
    value = match.group("value") if match else ""
    if "'?'" in problem:
        return (
            "an unquoted `?` inside braces or brackets, which not every YAML parser takes",
            "quote the text that has the `?`",
        )
    if "escape" in problem:
        return (
            "a backslash in double quotes starts an escape, and this is none",
            "use single quotes or a block scalar (`|`)",
        )
    if "\t" in text[: len(text) - len(text.lstrip())] or (text[column - 1 : column] == "\t"):
        return f"a tab at column {text.index(chr(9)) + 1}", "indent with spaces"
    if value[:1] == '"' and re.search(r"\\[^\W0-9_]", value):
        return (
            f"not YAML: {problem}",
            "use single quotes or a block scalar (`|`) for a text with backslashes and quotes",
        )
    if found := re.search(r"but (got|found) '([}\]])'$", problem):
        if found[1] == "found":
            return f"a `{found[2]}` too many: nothing is open here", "remove it, or quote the text that it belongs to"
        other = "}" if found[2] == "]" else "]"
        return f"what is opened before is closed by `{other}`, not by `{found[2]}`", f"write `{other}`"
    key, inner = _entry(text, column)
    if inner:
        joined = re.search(r"\s([\w-]+):\s", inner)
        comma = f"put a comma before `{joined[1]}:`, or " if joined else ""
        bare = inner[1:-1] if inner[0] in "'\"" and inner[-1] == inner[0] else inner
        return (
            f"in brackets this text needs quotes ({problem})",
            f"{comma}quote the text, not the brackets around it: {key and key + ': '}{quoted(bare)}",
        )
    if re.match(r"[`@%?|>*&![\]{}\"']|[-:,#](\s|$)", value):
        return (
            f"the text starts with `{value[0]}`, a YAML symbol ({problem})",
            f"wrap it in quotes: {quoted(value)}",
        )
    if re.search(r":(\s|$)", value):
        return (
            f"an unquoted colon followed by a space makes YAML see a key ({problem})",
            f"quote the text: {quoted(value)}",
        )
    return f"not YAML: {problem}", "look at indentation, quotes and brackets on this line and the one before"
