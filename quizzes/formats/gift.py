"""Writes GIFT, Moodle's text format.

Every question is one block without an empty line: comments (the id, tags, and the copy for our own reader),
the title, the text, and the answers in braces. Texts are marked ``[plain]`` so that Moodle shows ``a < b``
and ``<b>`` as written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from quizzes import grading, model
from quizzes.formats import build, embed
from quizzes.formats.credits import listed, shares
from quizzes.formats.items import GAP, answered, explanation, is_askable, items, stem
from quizzes.formats.losses import ARROW
from quizzes.numeric import decimal_text, digits, tolerance
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from quizzes.formats.items import Item

FORMAT_NAMES = ("html", "plain", "moodle", "markdown")

_SPECIAL = re.compile(r"[\\#=~{}:]")
# What a reader would take for a format's name or a weight if it stood first.
_LEADING = re.compile(rf"\[(?:{'|'.join(FORMAT_NAMES)})\]|%-?\d")


def write(bank: model.Bank) -> dict[str, bytes]:
    """Return the files of the export."""
    written = items(bank, "gift")
    blocks = [f"// {embed.BANK_MARK}: {embed.dumps(embed.bank_copy(bank, written))}"]
    category = ""
    for item in written:
        here = f"{bank.id}/{item.pool}" if item.pool else bank.id
        if here != category:
            blocks.append(f"$CATEGORY: $course$/{here}")
            category = here
        visible = "\n".join(_visible(item, bank))
        blocks.append(f"// {embed.MARK}: {embed.dumps(embed.copy(item, visible))}\n{visible}")
    return {f"{bank.id}.gift": ("\n\n".join(blocks) + "\n").encode()}


def escaped(text: str) -> str:
    """Return a text as GIFT holds it. One pass, so a backslash is doubled and nothing is escaped twice."""
    return _SPECIAL.sub(lambda found: "\\" + found.group(), text).replace("\n", "\\n")


def _marked(text: str) -> str:
    return ("[plain]" if _LEADING.match(text.lstrip()) else "") + escaped(text)


def _visible(item: Item, bank: model.Bank) -> Iterator[str]:
    question = item.question
    name = f"{bank.id}/{question.id}"
    tags = "".join(f" [tag:{_comment(tag)}]" for tag in build.tags_of(question))
    yield f"// [id:{name}]{tags}"
    head = f"::{escaped(question.title) or name}::"
    answers = list(_answers(question))
    after = explanation(question)
    if isinstance(question, model.SelfGraded):
        after = answered(question)
    before, follows = stem(question, bank, code=True, alt=True), ""
    if after and answers:
        answers.append(f"####{_marked(after)}")
    elif after:
        before += f"\n\n{after}"  # Moodle drops the feedback of what asks nothing
    if isinstance(question, model.Cloze):
        before, follows = BLANK.split(before)[0], BLANK.split(before)[2]
    first = f"{head}[plain]{escaped(before)}"
    if not answers:
        yield first
        return
    opening, *lines = answers
    yield f"{first}{{{opening}"
    yield from (f"\t{line}" for line in lines)
    yield f"}}{escaped(follows)}"


def _comment(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", " ".join(text.split()))


def _answers(question: model.Question) -> Iterator[str]:
    """Give what stands in the braces, line by line; the first line stands right after the brace."""
    match question:
        case model.Single():
            yield ""
            yield from _single(question.options)
        case model.Multiple():
            yield ""
            for option, share in zip(question.options, shares(question), strict=True):
                yield f"~%{digits(listed(share))}%{_marked(option.text)}{_why(option.why)}"
        case model.TrueFalse():
            right, wrong = question.why_true, question.why_false
            if not question.answer:
                right, wrong = wrong, right
            yield f"{'TRUE' if question.answer else 'FALSE'}{_both(wrong, right)}"
        case model.Numeric() | model.Text():
            yield from _rule(question.rule)
        case model.Cloze():
            yield from _rule(question.blanks[0].rule)
        case model.Match():
            yield ""
            for pair in question.pairs:
                yield f"={_marked(_without_arrow(pair.left))} -> {escaped(pair.right)}"
            yield from (f"= -> {escaped(text)}" for text in question.distractors)
        case model.SelfGraded():
            yield ""


def _single(options: tuple[model.Option, ...]) -> Iterator[str]:
    for option in options:
        credit = listed(grading.credit(option))
        sign = "=" if option.correct else f"~%{digits(credit)}%" if credit else "~"
        yield f"{sign}{_marked(option.text)}{_why(option.why)}"


def _rule(rule: model.NumberRule | model.TextRule | model.ChoiceRule) -> Iterator[str]:
    if isinstance(rule, model.ChoiceRule):
        yield ""
        yield from _single(rule.options)
    elif isinstance(rule, model.NumberRule):
        yield "#"
        for answer in rule.answers:
            if answer.value is not None:
                margin = decimal_text(tolerance(answer.value.value, answer.abs, answer.rel))
                yield f"={_weight(answer.credit)}{answer.value.text}:{margin}{_why(answer.why)}"
        if rule.otherwise:
            yield f"~{_why(rule.otherwise)}"
    else:
        yield ""
        for key in rule.accept:
            if is_askable(key, "gift"):
                literal = key.text.replace("*", "\\*")
                yield f"={_text_weight(key)}{escaped(literal)}{_why(_without_arrow(key.why))}"
        if rule.otherwise:
            yield f"=%0%*{_why(_without_arrow(rule.otherwise))}"


def _without_arrow(text: str) -> str:
    """GIFT has no escape for the arrow of a match."""
    return text.replace(ARROW, "\u2192")


def _text_weight(key: model.TextKey) -> str:
    """A text that is a truth value, or begins like a weight, is told apart by a weight before it."""
    risky = key.text.strip().upper() in {"T", "F", "TRUE", "FALSE"} or _LEADING.match(key.text.lstrip())
    mark = "[plain]" if key.text.lstrip().startswith("[") and risky else ""
    return (f"%{digits(listed(key.credit))}%" if risky or key.credit != model.FULL else "") + mark


def _weight(credit: Decimal) -> str:
    return "" if credit == model.FULL else f"%{digits(listed(credit))}%"


def _why(text: str) -> str:
    return f"#{_marked(text)}" if text else ""


def _both(wrong: str, right: str) -> str:
    """GIFT says first what a wrong answer is told, then a right one."""
    if right:
        return f"#{_marked(wrong)}#{_marked(right)}"
    return f"#{_marked(wrong)}" if wrong else ""


def missing_word(before: str, after: str) -> str:
    """Return a text with a gap in it, as Moodle shows a question whose answers stand amid its text."""
    return f"{before.rstrip()} {GAP} {after.lstrip()}" if after[:1].isalnum() else f"{before.rstrip()} {GAP}{after}"
