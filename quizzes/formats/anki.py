"""Writes notes for Anki as the text file that its importer reads: one line a note, fields as HTML.

The note types are Anki's own Basic and Cloze, so that nothing has to be set up. A note's guid comes from
the bank's and the question's id: importing a later export updates the notes and keeps their history.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from quizzes import model
from quizzes.formats import build, embed, markup
from quizzes.formats.items import explanation, image_bytes, items, picture_words, stem
from quizzes.grading import credit
from quizzes.hashing import hex_digest
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from quizzes.formats.items import Item

RIGHT, WRONG = "\u2713", "\u2717"

HEAD = (
    "#separator:tab",
    "#html:true",
    "#guid column:1",
    "#notetype column:2",
    "#deck column:3",
    "#tags column:6",
)


def write(bank: model.Bank) -> dict[str, bytes]:
    """Return the files of the export: the notes, and pictures for the folder that Anki keeps its media in."""
    written = items(bank, "anki")
    lines = [*HEAD, f"#{embed.BANK_MARK}:{embed.dumps(embed.bank_copy(bank, written))}"]
    files: dict[str, bytes] = {}
    for item in written:
        fields = _fields(item, bank)
        shown = "\t".join(fields)
        fields[4] += f"<!-- {embed.MARK}: {embed.dumps(embed.copy(item, shown))} -->"
        lines.append("\t".join(fields))
        picture = image_bytes(item.question, bank)
        if item.question.image and picture is not None:
            files[_media(item.question.image.file)] = picture
    return {f"{bank.id}.anki.txt": ("\n".join(lines) + "\n").encode(), **files}


def _media(file: str) -> str:
    """Anki keeps all media in one folder."""
    return file.replace("/", "-")


def _fields(item: Item, bank: model.Bank) -> list[str]:
    question = item.question
    name = f"{bank.id}/{question.id}"
    guid = hex_digest(name, 16)
    deck = f"{bank.title}::{item.pool}" if item.pool else bank.title
    # Two colons make a tree of Anki's tags; a tag may hold no space.
    named = [re.sub(r"^(objective|difficulty):", r"\1::", tag) for tag in build.tags_of(question)]
    tags = " ".join(re.sub(r"\s+", "_", tag) for tag in [*named, f"bank::{bank.id}"])
    kind, front, back = "Basic", "".join(_front(question, bank)), "".join(_back(question))
    if isinstance(question, model.Cloze):
        kind = "Cloze"
    return [guid, kind, _html(deck), front, back, tags]


def _html(text: str) -> str:
    """Return a text as HTML on one line, without anything that a field of the file would need quotes for."""
    single = markup.to_html(text.replace('"', "\ue000")).replace('"', "'")
    return single.replace("\t", "&#9;").replace("\ue000", "&quot;")


def _code(text: str) -> str:
    lines = html.escape(text).replace("\t", "&#9;").replace("\n", "<br>")
    return f"<pre>{lines}</pre>"


def _front(question: model.Question, bank: model.Bank) -> Iterator[str]:
    if isinstance(question, model.Cloze):
        yield f"<div>{_gaps(question, bank)}</div>"
    else:
        title = f"<div><b>{_html(question.title)}</b></div>" if question.title else ""
        yield f"{title}<div>{_html(stem(question, bank))}</div>"
    if question.code:
        yield _code(question.code.text)
    if question.image:
        alt = html.escape(question.image.alt)
        source = html.escape(_media(question.image.file))
        shown = image_bytes(question, bank) is not None
        yield (
            f"<img src='{source}' alt='{alt}'>" if shown else f"<div>{_html(picture_words(question.image.alt))}</div>"
        )
    match question:
        case model.Single() | model.Multiple():
            yield _list([option.text for option in question.options], "A")
        case model.Match():
            yield _list([pair.left for pair in question.pairs], "1")
            yield _list(sorted([*(pair.right for pair in question.pairs), *question.distractors]), "A")
        case model.Order():
            yield _list(_mixed(question.items), "A")
        case model.TrueFalse():
            yield "<div>True or false?</div>"
    for hint in question.hints:
        yield f"<details><summary>Hint</summary>{_html(hint)}</details>"


def _mixed(texts: Sequence[str]) -> list[str]:
    """Return texts in an order of their own; the key itself must not be what is shown."""
    mixed = sorted(texts)
    return mixed[::-1] if mixed == list(texts) else mixed


def _list(texts: Sequence[str], kind: str) -> str:
    return f"<ol type={kind}>{''.join(f'<li>{_html(text)}</li>' for text in texts)}</ol>"


def _back(question: model.Question) -> Iterator[str]:
    match question:
        case model.Single() | model.Multiple():
            if isinstance(question, model.Multiple):
                yield f"<div>Graded: {question.grading}</div>"
            yield from (_option(option) for option in question.options)
        case model.TrueFalse():
            yield f"<div><b>{question.answer}</b></div>"
            yield _said("True", question.why_true) + _said("False", question.why_false)
        case model.Numeric() | model.Text():
            yield from _rule(question.rule)
        case model.Cloze():
            for blank in question.blanks:
                yield f"<div><b>{_html(blank.name)}</b></div>"
                yield from _rule(blank.rule)
        case model.Match():
            yield _list([f"{pair.left} \u2192 {pair.right}" for pair in question.pairs], "1")
        case model.Order():
            yield _list(question.items, "1")
        case model.Output():
            yield _code(question.expect)
        case model.SelfGraded():
            yield f"<div>{_html(question.answer)}</div>"
    if after := explanation(question):
        yield f"<hr><div>{_html(after)}</div>"


def _said(head: str, text: str) -> str:
    return f"<div>{_html(head)}: {_html(text)}</div>" if text else ""


def _option(option: model.Option) -> str:
    worth = credit(option)
    partly = f" ({worth:f} %)" if worth not in {model.FULL, model.NONE} else ""
    text = f"{RIGHT if option.correct else WRONG} {_html(option.text)}{partly}"
    missed = f"<br><i>{_html(option.missed)}</i>" if option.missed else ""
    why = f"<br>{_html(option.why)}" if option.why else ""
    return f"<div>{f'<b>{text}</b>' if option.correct else text}{why}{missed}</div>"


def _rule(rule: model.NumberRule | model.TextRule | model.ChoiceRule) -> Iterator[str]:
    if isinstance(rule, model.ChoiceRule):
        yield from (_option(option) for option in rule.options)
        return
    if isinstance(rule, model.NumberRule):
        for answer in rule.answers:
            near = [
                f"{sign} {number.text}"
                for sign, number in (("\u00b1", answer.abs), ("\u00b1 relative", answer.rel))
                if number
            ]
            value = answer.value.text if answer.value else answer.expr
            yield _answer(" ".join(part for part in (value, rule.unit, *near) if part), answer)
    else:
        for key in rule.accept:
            if key.text:
                yield _answer(key.text, key)
    if rule.otherwise:
        yield _said("Otherwise", rule.otherwise)


def _answer(text: str, answer: model.NumericAnswer | model.TextKey) -> str:
    mark = _html(text)
    if answer.credit == model.FULL:
        mark = f"<b>{mark}</b>"
    elif answer.credit:
        mark += f" ({answer.credit:f} %)"
    else:
        mark = f"{WRONG} {mark}"
    return f"<div>{mark}{f'<br>{_html(answer.why)}' if answer.why else ''}</div>"


def _gaps(question: model.Cloze, bank: model.Bank) -> str:
    """Return the prompt with Anki's notation for gaps, each a card of its own."""
    rules = {blank.name: blank.rule for blank in question.blanks}
    text = stem(question, bank)
    gaps = [f"{{{{c{n}::{_safe(_key(rules[name]))}}}}}" for n, name in enumerate(BLANK.findall(text), 1)]
    return markup.to_html_around(text, gaps, BLANK, _safe)


def _safe(text: str) -> str:
    """Return a text as HTML in which nothing looks like the notation for a gap."""
    return _html(text).replace("{{", "&#123;&#123;").replace("}", "&#125;").replace("::", "&#58;&#58;")


def _key(rule: model.NumberRule | model.TextRule | model.ChoiceRule) -> str:
    """Return the first right answer."""
    if isinstance(rule, model.ChoiceRule):
        return next((option.text for option in rule.options if option.correct), "")
    if isinstance(rule, model.NumberRule):
        return next((one.value.text for one in rule.answers if one.value and one.credit == model.FULL), "")
    full = [key.text or key.regex for key in rule.accept if key.credit == model.FULL]
    return full[0] if full else ""
