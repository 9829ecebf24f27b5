"""Writes Moodle XML.

Texts are marked plain so that Moodle shows them as written; HTML stands where there is code, a picture or
gaps.
"""

from __future__ import annotations

import base64
import html
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from quizzes import grading, model
from quizzes.formats import build, embed, markup
from quizzes.formats.credits import listed, shares
from quizzes.formats.items import explanation, image_bytes, items, stem
from quizzes.formats.xmlfile import add, document, visible
from quizzes.numeric import decimal_text, tolerance
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from decimal import Decimal

    from quizzes.formats.items import Item

TYPES: dict[type[model.Question], str] = {
    model.Single: "multichoice",
    model.Multiple: "multichoice",
    model.TrueFalse: "truefalse",
    model.Numeric: "numerical",
    model.Text: "shortanswer",
    model.Cloze: "cloze",
    model.Match: "matching",
    model.Order: "ordering",
    model.SelfGraded: "essay",
    model.Info: "description",
}
ORDER_GRADING = {
    "lcs": "LONGEST_ORDERED_SUBSET",
    "pairs": "RELATIVE_ALL_PREVIOUS_AND_NEXT",
    "all": "ALL_OR_NOTHING",
}

_SPECIAL = re.compile(r'[{}~#=/"\\%:]')


def write(bank: model.Bank) -> dict[str, bytes]:
    """Return the files of the export."""
    root = ET.Element("quiz")
    written = items(bank, "moodle-xml")
    root.append(_comment(embed.BANK_MARK, embed.bank_copy(bank, written)))
    category = ""
    for item in written:
        here = f"{bank.id}/{item.pool}" if item.pool else bank.id
        if here != category:
            group = add(root, "question", type="category")
            _text(group, "category", f"$course$/top/{here}", marked=False)
            category = here
        question = _question(item, bank)
        question.insert(0, _comment(embed.MARK, embed.copy(item, visible(question))))
        root.append(question)
    return {f"{bank.id}.xml": document(root)}


def _comment(mark: str, data: object) -> Any:
    return ET.Comment(f" {mark}: {embed.dumps(data)} ")


def _text(parent: ET.Element, tag: str, text: str, *, marked: bool = True) -> ET.Element:
    """Add an element that holds a text."""
    element = add(parent, tag, None, **({"format": "plain_text"} if marked else {}))
    add(element, "text", text)
    return element


def _question(item: Item, bank: model.Bank) -> ET.Element:
    question = item.question
    out = ET.Element("question", type=TYPES[type(question)])
    _text(out, "name", question.title or question.id, marked=False)
    _stem(out, question, bank)
    _text(out, "generalfeedback", explanation(question))
    add(out, "defaultgrade", f"{question.points:f}")
    add(out, "penalty", f"{1 / question.attempts:.7f}")
    add(out, "hidden", "0")
    add(out, "idnumber", f"{bank.id}/{question.id}")
    _own(out, question)
    if isinstance(question, model.Single | model.Multiple | model.Match | model.Order):
        feedback = question.feedback or model.Feedback()
        _text(out, "correctfeedback", feedback.correct)
        _text(out, "partiallycorrectfeedback", feedback.partial)
        _text(out, "incorrectfeedback", feedback.incorrect)
    for hint in question.hints:
        _text(out, "hint", hint)
    if tags := build.tags_of(question):
        group = add(out, "tags")
        for tag in tags:
            _text(group, "tag", tag, marked=False)
    return out


def _stem(out: ET.Element, question: model.Question, bank: model.Bank) -> None:
    picture = image_bytes(question, bank)
    if isinstance(question, model.Cloze):
        shown = _cloze(stem(question, bank), question)
    elif question.code or picture is not None:
        shown = markup.to_html(stem(question, bank))
    else:
        _text(out, "questiontext", stem(question, bank, alt=True))
        return
    text = [f"<div>{shown}</div>"]
    if question.code:
        text.append(markup.code_html(question.code.text))
    element = add(out, "questiontext", format="html")
    body = add(element, "text")
    if question.image and picture is not None:
        name = PurePosixPath(question.image.file).name
        source = html.escape(f"@@PLUGINFILE@@/{name}")
        text.append(f'<p><img src="{source}" alt="{html.escape(question.image.alt)}"></p>')
        add(element, "file", base64.b64encode(picture).decode(), name=name, path="/", encoding="base64")
    elif question.image:
        text.append(f"<p>{markup.to_html(f'[picture: {question.image.alt}]')}</p>")
    body.text = "".join(text)


def _own(out: ET.Element, question: model.Question) -> None:
    """Add what only this type of question has."""
    match question:
        case model.Single() | model.Multiple():
            _choices(out, question)
        case model.TrueFalse():
            for value, why in ((True, question.why_true), (False, question.why_false)):
                credit = model.FULL if question.answer == value else model.NONE
                _answer(out, str(value).lower(), credit, why, marked=False)
        case model.Numeric():
            _number(out, question.rule)
        case model.Text():
            add(out, "usecase", "1" if question.rule.match.case == "exact" else "0")
            for key in question.rule.accept:
                if key.text:
                    _answer(out, key.text.replace("*", "\\*"), listed(key.credit), key.why, marked=False)
            if question.rule.otherwise:
                _answer(out, "*", model.NONE, question.rule.otherwise, marked=False)
        case model.Match():
            add(out, "shuffleanswers", str(question.shuffle).lower())
            for left, right in [
                *((pair.left, pair.right) for pair in question.pairs),
                *(("", d) for d in question.distractors),
            ]:
                _text(_text(out, "subquestion", left), "answer", right, marked=False)
        case model.Order():
            for tag, text in (("layouttype", "VERTICAL"), ("selecttype", "ALL"), ("selectcount", "0")):
                add(out, tag, text)
            add(out, "gradingtype", ORDER_GRADING[question.grading])
            add(out, "showgrading", "SHOW")
            for number, text in enumerate(question.items, 1):
                add(add(out, "answer", fraction=f"{number}.0000000", format="plain_text"), "text", text)
        case model.SelfGraded():
            add(out, "responseformat", "editor")
            add(out, "responserequired", "1")
            _text(out, "graderinfo", question.answer)


def _answer(out: ET.Element, text: str, credit: Decimal, why: str, *, marked: bool = True) -> ET.Element:
    form = "plain_text" if marked else "moodle_auto_format"
    element = add(out, "answer", fraction=f"{credit:f}", format=form)
    add(element, "text", text)
    _text(element, "feedback", why)
    return element


def _choices(out: ET.Element, question: model.Single | model.Multiple) -> None:
    several = isinstance(question, model.Multiple)
    add(out, "single", str(not several).lower())
    add(out, "shuffleanswers", str(question.shuffle).lower())
    add(out, "answernumbering", "abc")
    if isinstance(question, model.Multiple):
        percents = [listed(share) for share in shares(question)]
    else:
        percents = [listed(grading.credit(option)) for option in question.options]
    for option, credit in zip(question.options, percents, strict=True):
        _answer(out, option.text, credit, option.why)


def _number(out: ET.Element, rule: model.NumberRule) -> None:
    for answer in rule.answers:
        if answer.value is not None:
            element = _answer(out, answer.value.text, listed(answer.credit), answer.why, marked=False)
            add(element, "tolerance", decimal_text(tolerance(answer.value.value, answer.abs, answer.rel)))
    if rule.otherwise:
        add(_answer(out, "*", model.NONE, rule.otherwise, marked=False), "tolerance", "0")
    if rule.unit:
        unit = add(add(out, "units"), "unit")
        add(unit, "multiplier", "1")
        add(unit, "unit_name", rule.unit)
        # A person may type the unit or leave it out, and loses nothing by it.
        for tag, text in (
            ("unitgradingtype", "0"),
            ("unitpenalty", "0.1"),
            ("showunits", "0"),
            ("unitsleft", "0"),
        ):
            add(out, tag, text)


# Gaps


def _cloze(prompt: str, question: model.Cloze) -> str:
    """Return the prompt as HTML with Moodle's notation for each gap."""
    rules = {blank.name: blank.rule for blank in question.blanks}
    gaps = [_gap(rules[name], shuffle=question.shuffle) for name in BLANK.findall(prompt)]
    return markup.to_html_around(prompt, gaps, BLANK, lambda text: _entities(text, "{}"))


def _gap(rule: model.NumberRule | model.TextRule | model.ChoiceRule, *, shuffle: bool) -> str:
    if isinstance(rule, model.ChoiceRule):
        kind = "MULTICHOICE_S" if shuffle else "MULTICHOICE"
        parts = [_part(option.text, grading.credit(option), option.why) for option in rule.options]
    elif isinstance(rule, model.NumberRule):
        kind, parts = "NUMERICAL", []
        for answer in rule.answers:
            if answer.value is not None:
                margin = decimal_text(tolerance(answer.value.value, answer.abs, answer.rel))
                parts.append(_part("", answer.credit, answer.why, shown=f"{answer.value.text}:{margin}"))
    else:
        kind = "SHORTANSWER_C" if rule.match.case == "exact" else "SHORTANSWER"
        parts = [_part(key.text.replace("*", "\\*"), key.credit, key.why) for key in rule.accept if key.text]
    otherwise = getattr(rule, "otherwise", "")
    if otherwise:
        parts.append(_part("", model.NONE, otherwise, shown="*"))
    return f"{{1:{kind}:{'~'.join(parts)}}}"


def _part(text: str, credit: Decimal, why: str, *, shown: str = "") -> str:
    near = listed(credit)
    weight = "=" if near == model.FULL else f"%{near:f}%"
    return f"{weight}{shown or _entities(text)}{f'#{_entities(why)}' if why else ''}"


def _entities(text: str, special: str = "") -> str:
    """Return a text as HTML in which what Moodle's notation uses stands as entities."""
    pattern = re.compile(f"[{re.escape(special)}]") if special else _SPECIAL
    plain = pattern.sub(lambda found: chr(0xE000 + ord(found.group())), text)
    return re.sub("[\ue000-\ue07f]", lambda found: f"&#{ord(found.group()) - 0xE000};", markup.to_html(plain))
