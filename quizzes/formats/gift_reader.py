"""Reads GIFT as teachers write it.

Blocks are parted by empty lines, as in Moodle; two habits of people that Moodle refuses are understood: an
empty line inside braces, and a new ``::title::`` without an empty line before it. What Moodle takes for a
weight, a feedback or a gap is taken for the same here. An escaped character is replaced by a control
character at the start and put back at the end, so that everything between may simply look for ``=`` or
``#``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from quizzes.formats import build, embed, markup
from quizzes.formats.build import Choice
from quizzes.formats.decoding import decode
from quizzes.formats.gift import FORMAT_NAMES, missing_word
from quizzes.formats.intake import Found, Reading, UnfitError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPES = {
    ":": "\x01",
    "#": "\x02",
    "=": "\x03",
    "~": "\x04",
    "{": "\x05",
    "}": "\x06",
    "n": "\x07",
    "\\": "\x08",
}
_UNESCAPED = {code: "\n" if character == "n" else character for character, code in _ESCAPES.items()}
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

_FORMAT = re.compile(rf"\s*\[({'|'.join(FORMAT_NAMES)})\]", re.IGNORECASE)
_WEIGHT = re.compile(r"\s*%\s*(-?\d{1,3}(?:\.\d*)?)\s*%")
_TRUTH = {"t": True, "true": True, "f": False, "false": False}
_BANK = re.compile(rf"\s*//\s*{embed.BANK_MARK}:(.*)")
_COPY = re.compile(rf"\s*//\s*{embed.MARK}:(.*)")
_FOLD = re.compile(r"[ \t]*+\n[ \t]++")
_LABEL = re.compile(r"\[(id|tag):((?:\\.|[^\]\\])*)\]")
_CATEGORY = re.compile(r"\s*\$CATEGORY\s*:(.*)", re.IGNORECASE)


@dataclass(slots=True)
class _Block:
    """The numbered lines of one question, how many braces are open, and whether it asks anything."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    opened: int = 0
    asks: bool = False

    def add(self, number: int, line: str) -> None:
        """Add a line. Counted as it comes, because a file may be one block of a million lines."""
        self.lines.append((number, line))
        if not _is_comment(line):
            bare = _protected(line)
            self.opened += bare.count("{") - bare.count("}")
            self.asks = True


def read(data: bytes) -> Reading:
    """Return the questions of a GIFT file."""
    text, notes = decode(data)
    reading = Reading(notes=notes)
    category = ""
    for block in _blocks(_CONTROLS.sub("", text).split("\n")):
        category = _gather(block, category, reading)
    return reading


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("//")


def _protected(text: str) -> str:
    """Return a text with what is escaped made safe to look through; other backslashes stay."""
    return re.sub(r"\\([:#=~{}n\\])", lambda found: _ESCAPES[found[1]], text)


def _restored(text: str) -> str:
    return "".join(_UNESCAPED.get(character, character) for character in text)


def _blocks(lines: list[str]) -> Iterator[_Block]:
    starts = _question_starts(lines)
    block = _Block()
    for index, line in enumerate(lines):
        if not line.strip():
            if block.opened <= 0 or starts[index]:
                yield block
                block = _Block()
            continue
        category = _CATEGORY.match(line) is not None
        if block.asks and (category or (line.lstrip().startswith("::") and block.opened <= 0)):
            # Comments right before a title belong to it, not to the question that ended above them.
            tail: list[tuple[int, str]] = []
            while _is_comment(block.lines[-1][1]):
                tail.append(block.lines.pop())
            yield block
            block = _Block(tail[::-1])
        block.add(index + 1, line)
        if category:
            yield block
            block = _Block()
    yield block


def _question_starts(lines: list[str]) -> list[bool]:
    """Tell for each line whether the next that says something begins a question, open brace or not."""
    out = [True] * len(lines)
    begins = True
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if line.strip() and not _is_comment(line):
            bare = _protected(line)
            opens, closes = bare.find("{"), bare.find("}")
            begins = line.lstrip().startswith(("::", "$")) or (opens >= 0 and (closes < 0 or opens < closes))
        out[index] = begins
    return out


def _gather(block: _Block, category: str, reading: Reading) -> str:
    """Add what a block holds; return the category that holds after it."""
    shown: list[tuple[int, str]] = []
    labels: list[tuple[str, str]] = []
    copy = None
    visible: list[str] = []
    for number, line in block.lines:
        if found := _BANK.match(line):
            reading.bank = embed.loads(found[1]) or reading.bank
        elif found := _COPY.match(line):
            copy = embed.loads(found[1])
        elif _is_comment(line):
            labels += [(kind, re.sub(r"\\(.)", r"\1", value)) for kind, value in _LABEL.findall(line)]
            visible.append(line)
        else:
            shown.append((number, line))
            visible.append(line)
    if not shown:
        return category
    if found := _CATEGORY.match(shown[0][1]):
        return found[1].strip()
    first = shown[0][0]
    # A comment amid a question leaves an empty line, so that numbers of lines can be counted.
    kept, last = [], first
    for number, line in shown:
        kept.append("\n" * (number - last) + line)
        last = number
    text = "".join(kept)
    reader = partial(_question, text, labels, category, first)
    reading.add(Found(first, reader, copy, "\n".join(visible)))
    return category


def _question(text: str, labels: list[tuple[str, str]], category: str, line: int, remarks: list[str]) -> dict[str, Any]:
    """Return the data of a question."""
    bare = _protected(text)
    title, bare_text = _title(bare)
    before, inner, after = _braces(bare_text, line + bare.count("\n", 0, len(bare) - len(bare_text)))
    markup_name, before = _format(before)
    shape = _Shape(markup_name, remarks, line)
    own_id = next((value for kind, value in labels if kind == "id"), "")
    data: dict[str, Any] = {
        "id": own_id or title,
        "title": "" if title == own_id else title,
        **build.tagged([value for kind, value in labels if kind == "tag"] + build.topic(category, own_id)),
    }
    if data["title"] == data["id"] and re.fullmatch(r"[a-z0-9/-]+", title):
        data["title"] = ""
    if inner is None:
        return data | {"type": "info", "prompt": shape.bare(before)}
    inner, _, general = inner.rpartition("####") if "####" in inner else (inner, "", "")
    said = build.explained(shape.text(general))
    own = _answers(shape, before, inner.strip(), after)
    if own["type"] == "self":
        if not said.get("explanation"):
            remarks.append("an essay without a model answer; its answer has to be written")
        return (
            data
            | own
            | {"answer": said.get("explanation") or "(no model answer was given)", "ref": said.get("ref", "")}
        )
    return data | own | said


def _title(text: str) -> tuple[str, str]:
    found = re.match(r"\s*::(.*?)::", text, re.DOTALL)
    return (_restored(found[1]).strip(), text[found.end() :]) if found else ("", text)


def _braces(text: str, line: int) -> tuple[str, str | None, str]:
    """Return what stands before, in and after the braces."""
    opens, closes = text.find("{"), text.find("}")
    if opens < 0 and closes < 0:
        return text, None, ""
    where = line + text.count("\n", 0, max(opens, 0) if closes < 0 else closes)
    if closes < 0:
        raise UnfitError("a `{` without its `}`; close the answers, or write `\\{` for a brace", where)
    if opens < 0 or closes < opens:
        raise UnfitError("a `}` without its `{` before it; open the answers, or write `\\}` for a brace", where)
    if "{" in (rest := text[closes + 1 :]) or "}" in rest:
        raise UnfitError("more than one pair of braces; GIFT has one, or write `\\{` and `\\}` for braces", where)
    return text[:opens], text[opens + 1 : closes], rest.rstrip()


def _format(text: str) -> tuple[str, str]:
    found = _FORMAT.match(text)
    return (found[1].lower(), text[found.end() :]) if found else ("", text)


@dataclass(slots=True)
class _Shape:
    """How the texts of one question are to be read."""

    format: str
    remarks: list[str]
    line: int

    def text(self, source: str) -> str:
        """Return a text that may name its own format."""
        name, rest = _format(source)
        shape = _Shape(name or self.format, self.remarks, self.line)
        # Answers are indented to look well; where one goes on in the next line, that is no part of its text.
        return shape.bare(rest if shape.format == "markdown" else _FOLD.sub(" ", rest))

    def bare(self, source: str) -> str:
        """Return a text as a person reads it: the blanks around it gone, escapes put back, HTML undone."""
        whole = _restored(source.strip(" \t\n"))
        if self.format in {"plain", "markdown"}:
            return whole
        is_html = self.format == "html" or markup.looks_like_html(whole)
        return markup.to_text(whole).strip("\n") if is_html else whole

    def choices(self, inner: str, sign: str) -> list[tuple[str, Choice]]:
        """Return the answers that begin with one of some signs, each with its sign."""
        out = []
        for found in re.finditer(rf"([{sign}])([^{sign}]*)", inner):
            weight = _WEIGHT.match(found[2])
            rest = found[2][weight.end() :] if weight else found[2]
            body, _, why = rest.partition("#")
            credit = build.percent(weight[1]) if weight else build.FULL if found[1] == "=" else build.NONE
            out.append((found[1], Choice(self.text(body), credit, self.text(why))))
        return out


def _answers(shape: _Shape, before: str, inner: str, after: str) -> dict[str, Any]:
    """Return the type and all that belongs to it."""
    truth = inner.partition("#")[0].strip().lower()
    prompt = shape.bare(before + after)
    if not inner:
        return {"type": "self", "prompt": prompt}
    if inner.startswith("#"):
        return _blank(shape, before, after, _numeric(shape, inner[1:]))
    if "~" in inner:
        _check_lead(inner, "~=")
        gap = shape.bare(missing_word(before, after)) if after.strip() else prompt
        answers = shape.choices(inner, "~=")
        if len(answers) < 2:
            raise UnfitError("a choice of one answer; at least two are expected")
        listed = [choice for _, choice in answers]
        several = all(sign == "~" for sign, _ in answers)
        own = build.some_of(listed, shape.remarks) if several else build.one_of(listed, shape.remarks)
        return {"prompt": gap, **own}
    if "=" in inner and "->" in inner:
        return _match(shape, inner, prompt)
    if truth in _TRUTH:
        return {"prompt": prompt, **_truth(shape, inner, answer=_TRUTH[truth])}
    listed = [choice for _, choice in shape.choices(inner if inner.startswith("=") else f"={inner}", "=")]
    if not inner.startswith("="):
        shape.remarks.append("the answer has no `=` before it; it is taken as the right one")
    return _blank(shape, before, after, build.text_rule(listed, shape.remarks))


def _check_lead(inner: str, signs: str) -> None:
    lead = re.split(f"[{signs}]", inner, maxsplit=1)[0].strip()
    if lead:
        raise UnfitError(f"`{_restored(lead)[:40]}` stands before the first answer; `=` or `~` is expected there")


def _truth(shape: _Shape, inner: str, *, answer: bool) -> dict[str, Any]:
    wrong, _, right = inner.partition("#")[2].partition("#")
    whys = {"why_true": shape.text(right), "why_false": shape.text(wrong)}
    if not answer:
        whys = {"why_true": shape.text(wrong), "why_false": shape.text(right)}
    return {"type": "truefalse", "answer": answer, **whys}


def _match(shape: _Shape, inner: str, prompt: str) -> dict[str, Any]:
    _check_lead(inner, "=")
    pairs = []
    for piece in inner.split("=")[1:]:
        left, arrow, right = piece.partition("->")
        if not arrow:
            raise UnfitError(f"`{_restored(piece).strip()[:40]}` has no `->`; `left -> right` is expected in a match")
        pairs.append((shape.text(left), shape.bare(right)))
    return build.pairs_of(pairs, prompt, shape.remarks)


def _numeric(shape: _Shape, inner: str) -> dict[str, Any]:
    right, tilde, wrong = inner.partition("~")
    otherwise = shape.text(wrong.partition("#")[2]) if tilde else ""
    spans = []
    for piece in right.strip().removeprefix("=").split("="):
        weight = _WEIGHT.match(piece)
        body, _, why = (piece[weight.end() :] if weight else piece).partition("#")
        credit = build.percent(weight[1]) if weight else build.FULL
        body = _restored(_format(body)[1]).strip()
        if body == "*":
            otherwise = otherwise or shape.text(why)
        elif ".." in body:
            low, _, high = body.partition("..")
            spans.append(build.between(low, high, credit, shape.text(why)))
        else:
            value, _, margin = body.partition(":")
            spans.append(build.around(value, margin, credit, shape.text(why)))
    return build.number_rule(spans, otherwise)


def _blank(shape: _Shape, before: str, after: str, rule: dict[str, Any]) -> dict[str, Any]:
    """Return a typed answer as a question, or as a blank where text follows it."""
    if not after.strip():
        return {"prompt": shape.bare(before), **rule}
    lead = build.no_blanks(shape.bare(before)) if before.strip() else ""
    # Blanks around the gap belong to the sentence, which trimming each half would lose.
    left = before[len(before.rstrip(" \t")) :].replace("\t", " ")
    right = after[: len(after) - len(after.lstrip(" \t"))].replace("\t", " ")
    tail = build.no_blanks(shape.bare(after))
    return {"type": "cloze", "prompt": f"{lead}{left}[[answer]]{right}{tail}", "blanks": {"answer": rule}}
