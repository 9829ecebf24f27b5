"""Reads Moodle XML: the types that have a counterpart here; the others are reported by line."""

from __future__ import annotations

import html
import re
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from quizzes.formats import build, embed, markup
from quizzes.formats.build import Choice
from quizzes.formats.intake import Found, Note, Reading, UnfitError
from quizzes.formats.moodle import ORDER_GRADING
from quizzes.formats.xmlfile import comments, elements, local, parse, visible
from quizzes.model import ImportFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from xml.etree import ElementTree as ET


def read(data: bytes) -> Reading:
    """Return the questions of a Moodle XML file."""
    tree = parse(data)
    if local(tree.root) != "quiz":
        raise ImportFailedError(f"line 1: the root element is `{local(tree.root)}`; Moodle XML begins with `quiz`")
    reading = Reading(notes=tree.notes)
    for comment in comments(tree.root):
        mark, _, text = comment.strip().partition(":")
        if mark == embed.BANK_MARK:
            reading.bank = embed.loads(text) or {}
    category = ""
    for element in elements(tree.root):
        line = tree.line(element)
        if local(element) != "question":
            reading.notes.append(Note(line, f"`{local(element)}` is left out; `question` is expected"))
        elif element.get("type") == "category":
            category = _inner(element, "category")
        else:
            reading.add(Found(line, partial(_question, element, category), _copy(element), visible(element)))
    return reading


def _copy(element: ET.Element) -> dict[str, Any] | None:
    for comment in comments(element):
        mark, _, text = comment.strip().partition(":")
        if mark == embed.MARK:
            return embed.loads(text)
    return None


# Elements


def _first(parent: ET.Element, tag: str) -> ET.Element | None:
    return next((child for child in elements(parent) if local(child) == tag), None)


def _all(parent: ET.Element, tag: str) -> list[ET.Element]:
    return [child for child in elements(parent) if local(child) == tag]


def _plain(parent: ET.Element, tag: str) -> str:
    """Return the bare text of a child."""
    child = _first(parent, tag)
    return (child.text or "").strip() if child is not None else ""


def _inner(parent: ET.Element, tag: str) -> str:
    """Return the bare text of the `text` in a child."""
    child = _first(parent, tag)
    return "" if child is None else _plain(child, "text") or (child.text or "").strip()


def _shown(element: ET.Element | None, fallback: str = "html") -> str:
    """Return what a person reads of an element that holds a text in some format."""
    if element is None:
        return ""
    inner = _first(element, "text")
    source = (inner.text if inner is not None else element.text) or ""
    form = element.get("format") or fallback
    if form in {"plain_text", "markdown"}:
        return source if form == "plain_text" else source.strip()
    if form == "html" or markup.looks_like_html(source):
        return markup.to_text(source).strip("\n")
    return source.strip()


def _child(parent: ET.Element, tag: str) -> str:
    return _shown(_first(parent, tag))


def _flag(parent: ET.Element, tag: str, *, default: bool) -> bool:
    text = _plain(parent, tag).lower()
    return text in {"1", "true"} if text else default


# Questions


def _question(element: ET.Element, category: str, remarks: list[str]) -> dict[str, Any]:
    kind = element.get("type", "")
    if kind not in _KINDS:
        raise UnfitError(_WHY_NOT.get(kind, f"a question of type `{kind}`; known are {', '.join(sorted(_KINDS))}"))
    name, number = _inner(element, "name"), _plain(element, "idnumber")
    tags = _first(element, "tags")
    labels = [_shown(tag, "plain_text") for tag in _all(tags, "tag")] if tags is not None else []
    title = "" if name == number.rpartition("/")[2] else name
    data: dict[str, Any] = {"id": number or name, "title": title}
    data |= build.tagged(labels + build.topic(category, number))
    data |= {"prompt": _child(element, "questiontext"), **build.explained(_child(element, "generalfeedback"))}
    data |= _settings(element, kind)
    if any(local(one) == "file" for one in element.iter() if isinstance(one.tag, str)):
        remarks.append("its pictures or other files are not taken; their descriptions stand in the text")
    return data | _KINDS[kind](element, data, remarks)


def _settings(element: ET.Element, kind: str) -> dict[str, Any]:
    """Return points, attempts, hints and feedback."""
    out: dict[str, Any] = {}
    if kind != "description" and (points := _plain(element, "defaultgrade")):
        value = build.number(points)
        out["points"] = None if value == 1 or not 0 <= value <= 1000 else f"{value.normalize():f}"
    penalty = _plain(element, "penalty")
    if penalty and (share := build.number(penalty)) > 0:
        attempts = min(max(round(Decimal(1) / share), 1), 10)
        out["attempts"] = None if attempts == 2 else attempts
    out["hints"] = [hint for hint in map(_shown, _all(element, "hint")) if hint.strip()]
    names = {
        "correct": "correctfeedback",
        "partial": "partiallycorrectfeedback",
        "incorrect": "incorrectfeedback",
    }
    out["feedback"] = {key: said for key, tag in names.items() if (said := _child(element, tag)).strip()}
    return out


def _answers(element: ET.Element, fallback: str = "html") -> list[Choice]:
    return [
        Choice(_shown(answer, fallback), build.percent(answer.get("fraction", "0")), _child(answer, "feedback"))
        for answer in _all(element, "answer")
    ]


def _bare(answer: ET.Element) -> str:
    inner = _first(answer, "text")
    return ((inner.text if inner is not None else answer.text) or "").strip()


def _multichoice(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data
    answers = _answers(element)
    single = _flag(element, "single", default=True)
    own = build.one_of(answers, remarks) if single else build.some_of(answers, remarks)
    return own | _shuffle(element)


def _shuffle(element: ET.Element) -> dict[str, Any]:
    return {} if _flag(element, "shuffleanswers", default=True) else {"shuffle": False}


def _truefalse(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data, remarks
    said = {choice.text.strip().lower(): choice for choice in _answers(element)}
    if said.keys() != {"true", "false"}:
        raise UnfitError(
            f"the answers of a true/false question are {', '.join(sorted(said)) or 'none'}; true and false are expected"
        )
    if (said["true"].credit > 0) == (said["false"].credit > 0):
        raise UnfitError("exactly one of true and false must earn 100 percent")
    answer = said["true"].credit > said["false"].credit
    return {
        "type": "truefalse",
        "answer": answer,
        "why_true": said["true"].why,
        "why_false": said["false"].why,
    }


def _shortanswer(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data
    answers = [
        Choice(_bare(answer), build.percent(answer.get("fraction", "0")), _child(answer, "feedback"))
        for answer in _all(element, "answer")
    ]
    return build.text_rule(answers, remarks, case=_flag(element, "usecase", default=False))


def _numerical(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data
    spans, otherwise = [], ""
    for answer in _all(element, "answer"):
        text, why = _bare(answer), _child(answer, "feedback")
        credit = build.percent(answer.get("fraction", "0"))
        if text == "*":
            otherwise = otherwise or why
        else:
            spans.append(build.around(text, _plain(answer, "tolerance"), credit, why))
    unit, others = "", []
    units = _first(element, "units")
    for one in _all(units, "unit") if units is not None else []:
        if not unit and build.number(_plain(one, "multiplier") or "1") == 1:
            unit = _plain(one, "unit_name")
        else:
            others.append(_plain(one, "unit_name"))
    if others:
        remarks.append(f"the units {', '.join(others)} are not taken; one unit is all that a question has")
    return build.number_rule(spans, otherwise, unit)


def _matching(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    pairs = []
    for one in _all(element, "subquestion"):
        right = _first(one, "answer")
        pairs.append((_shown(one), "" if right is None else _bare(right)))
    return _shuffle(element) | build.pairs_of(pairs, data["prompt"], remarks)


def _ordering(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data
    answers = _all(element, "answer")
    places = [build.number(answer.get("fraction") or str(index)) for index, answer in enumerate(answers, 1)]
    listed = [text for _, text in sorted(zip(places, map(_shown, answers), strict=True), key=lambda pair: pair[0])]
    named = _plain(element, "gradingtype").upper()
    grading = next((key for key, name in ORDER_GRADING.items() if name == named), "lcs")
    if named and ORDER_GRADING[grading] != named:
        remarks.append(f"the grading {named} is not known; the longest run in order counts")
    return {"type": "order", "items": listed, "grading": None if grading == "lcs" else grading}


def _essay(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    info = _child(element, "graderinfo")
    if info.strip():
        return {"type": "self", "answer": info}
    if not data.get("explanation"):
        remarks.append("an essay without a model answer; its answer has to be written")
    return {
        "type": "self",
        "answer": data.get("explanation") or "(no model answer was given)",
        "explanation": "",
    }


def _description(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del element, data, remarks
    return {"type": "info"}


# Gaps

_GAP = re.compile(
    r"\{\s{0,9}(\d{0,9})\s{0,9}:\s{0,9}(NUMERICAL|NM|SHORTANSWER|SA|MW|MULTICHOICE|MC|MULTIRESPONSE|MR)(_?[CVHS]{0,2})\s{0,9}:",
    re.IGNORECASE,
)
_TYPED = {"SHORTANSWER", "SA", "MW"}
_NUMBERS = {"NUMERICAL", "NM"}


def _cloze(element: ET.Element, data: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    del data
    text = _first(element, "questiontext")
    if text is None:
        raise UnfitError("a cloze question without `questiontext`; its gaps stand there")
    inner = _first(text, "text")
    source = (inner.text if inner is not None else text.text) or ""
    is_html = text.get("format", "html") not in {"plain_text", "markdown"}
    pieces: list[str] = []
    blanks: dict[str, Any] = {}
    weights, last = set(), 0
    while (found := _GAP.search(source, last)) is not None:
        end = _gap_end(source, found.end())
        name = f"b{len(blanks) + 1}"
        pieces += [source[last : found.start()].replace("[[", "[ ["), f"[[{name}]]"]
        blanks[name] = _gap(found[2].upper(), found[3].upper(), source[found.end() : end], remarks, is_html=is_html)
        weights.add(found[1] or "1")
        last = end + 1
    build.countable(blanks)
    if not blanks:
        raise UnfitError("a cloze question without a gap such as {1:SHORTANSWER:=text}")
    if len(weights) > 1:
        remarks.append("its gaps weigh differently; here each is worth the same")
    whole = "".join([*pieces, source[last:].replace("[[", "[ [")])
    return {"type": "cloze", "prompt": markup.to_text(whole) if is_html else whole.strip(), "blanks": blanks}


def _gap_end(source: str, start: int) -> int:
    """Return where the brace closes that was opened before ``start``; a backslash protects one."""
    found = re.compile(r"(?:\\.|[^\\}])*").match(source, start)
    end = found.end() if found else start
    if end >= len(source):
        raise UnfitError("a gap without its closing brace")
    return end


def _gap(kind: str, variant: str, body: str, remarks: list[str], *, is_html: bool) -> dict[str, Any]:
    if kind in {"MULTIRESPONSE", "MR"}:
        raise UnfitError("a gap in which several options are chosen (MULTIRESPONSE); a gap here has one answer")
    parts = [_part(piece, is_html=is_html) for piece in _pieces(body, "~") if piece.strip()]
    build.countable(parts)
    if kind in _NUMBERS:
        spans, otherwise = [], ""
        for choice in parts:
            value, _, margin = choice.text.partition(":")
            if value.strip() == "*":
                otherwise = otherwise or choice.why
            else:
                spans.append(build.around(value, margin, choice.credit, choice.why))
        return build.number_rule(spans, otherwise)
    if kind in _TYPED:
        return build.text_rule(parts, remarks, case="C" in variant)
    if sum(choice.credit >= build.FULL for choice in parts) != 1:
        raise UnfitError("a gap with a choice must have exactly one right option")
    return {"type": "choice", "options": build.options(parts)}


def _pieces(text: str, sign: str) -> list[str]:
    """Return a text parted at a sign, but not after a backslash or, as in ``&#35;``, an ampersand."""
    return re.split(rf"(?<![\\&]){sign}", text)


def _part(piece: str, *, is_html: bool) -> Choice:
    body = piece.strip()
    weight = re.match(r"%\s*(-?\d+(?:\.\d*)?)\s*%", body)
    credit = build.percent(weight[1]) if weight else build.FULL if body.startswith("=") else build.NONE
    text, *whys = _pieces(body[weight.end() :] if weight else body.removeprefix("="), "#")
    return Choice(_cleared(text, is_html=is_html), credit, _cleared("#".join(whys), is_html=is_html))


def _cleared(text: str, *, is_html: bool) -> str:
    # An escaped star must stay one, since a bare star stands for anything.
    bare = re.sub(r"\\([}~#/\"\\])", r"\1", text.strip())
    if not is_html:
        return bare
    if markup.looks_like_html(bare):
        return markup.to_text(bare).strip("\n")
    return html.unescape(bare).replace("\xa0", " ")


_KINDS: dict[str, Callable[[ET.Element, dict[str, Any], list[str]], dict[str, Any]]] = {
    "multichoice": _multichoice,
    "truefalse": _truefalse,
    "shortanswer": _shortanswer,
    "numerical": _numerical,
    "matching": _matching,
    "match": _matching,
    "ordering": _ordering,
    "essay": _essay,
    "description": _description,
    "cloze": _cloze,
    "multianswer": _cloze,
}


def _reasons(kinds: Iterable[str], why: str) -> dict[str, str]:
    return {kind: f"a question of type `{kind}`: {why}" for kind in kinds}


_WHY_NOT = {
    **_reasons(
        ("ddwtos", "gapselect", "ddimageortext", "ddmarker"),
        "dragging onto a text or a picture has no counterpart; write it as a cloze question",
    ),
    **_reasons(
        ("calculated", "calculatedmulti", "calculatedsimple"),
        "its data sets are not read; write it as a numeric question with `params`",
    ),
    **_reasons(("random", "randomsamatch"), "it only points at other questions; write a pool"),
    **_reasons(
        ("stack", "coderunner", "pmatch", "regexp", "multichoiceset", "kprime", "mtf"),
        "it belongs to a plugin of Moodle",
    ),
}
