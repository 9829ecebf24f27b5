"""What a writer is given: questions filled in, and turned into types that its format has.

A question with params becomes a few drawn variants, an order becomes a match of places, a cloze question
becomes one question for each blank, and so on; what that costs stands in :mod:`quizzes.formats.losses`.
Each item remembers the question it came from.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizzes import model, params, writer
from quizzes.formats.credits import MOST_RIGHT
from quizzes.formats.losses import ARROW, is_alike, is_missing_word
from quizzes.record import replace
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Enough that neighbours get different numbers, few enough to look through.
VARIANTS = 5

GAP = "_____"


@dataclass(frozen=True, slots=True)
class Item:
    """One question as a format shows it, and the question of the bank that it is, or is a part of."""

    question: model.Question
    source: model.Question
    part: int = 1
    parts: int = 1
    pool: str = ""
    drawn: bool = False  # whether the parts are variants, of which one is as good as all


def items(bank: model.Bank, target: str) -> list[Item]:
    """Return what is to be written of a bank for a target, in the bank's order."""
    pools = {member: pool.name for pool in bank.pools for member in pool.of}
    taken = {question.id for question in bank.questions}
    out = []
    for source in bank.questions:
        try:
            variants = [_lower(form, target) for form in _forms(source)]
        except params.ParamError as error:
            raise error.of(source, bank) from None
        forms = [one for form in variants for one in form]
        drawn = len(variants) > 1 and all(len(form) == 1 for form in variants)
        many = len(forms) > 1
        for number, form in enumerate(forms, 1):
            named = replace(form, id=_part_id(source.id, number, taken)) if many else replace(form, id=source.id)
            out.append(Item(named, source, number, len(forms), pools.get(source.id, ""), drawn))
    return out


def _part_id(base: str, number: int, taken: set[str]) -> str:
    for extra in itertools.chain(("",), (f"-{n}" for n in itertools.count(2))):
        tail = f"-{number}{extra}"
        name = base[: 40 - len(tail)].rstrip("-") + tail
        if name not in taken:
            taken.add(name)
            return name
    raise AssertionError


def _forms(question: model.Question) -> Iterator[model.Question]:
    """Give the filled forms of a question, each once."""
    seen = []
    for form in params.variants(question, VARIANTS):
        data = writer.question_data(form)
        if data not in seen:
            seen.append(data)
            yield form


def _lower(question: model.Question, target: str) -> list[model.Question]:
    """Return a filled question as questions of types that the target has."""
    if target == "anki":
        return [] if isinstance(question, model.Info) else [question]
    match question:
        case model.Multiple() if target in {"gift", "moodle-xml"}:
            too_many = sum(option.correct for option in question.options) > MOST_RIGHT
            return [] if too_many else [question]
        case model.Numeric() if any(a.value and not a.value.value.is_finite() for a in question.rule.answers):
            return _lower(_as_words(question), target)
        case model.Text():
            return _lower_text(question, target)
        case model.Output():
            return _lower(_printed(question), target)
        case model.Order() if target != "moodle-xml":
            return _lower(_places(question), target)
        case model.Match() if target == "jupyterquiz":
            return [_which(question, number) for number in range(len(question.pairs))]
        case model.Cloze() if not _CLOZE[target](question):
            return [one for blank in question.blanks for one in _lower(_alone(question, blank), target)]
        case model.SelfGraded() | model.Info() if target == "jupyterquiz":
            return []
    return [question]


def _sound(question: model.Cloze, target: str = "") -> bool:
    """Tell whether every blank has an answer that can be written down."""
    return all(
        isinstance(blank.rule, model.ChoiceRule)
        or (isinstance(blank.rule, model.TextRule) and any(is_askable(key, target) for key in blank.rule.accept))
        or (
            isinstance(blank.rule, model.NumberRule)
            and all(one.value and one.value.value.is_finite() for one in blank.rule.answers)
        )
        for blank in question.blanks
    )


_CLOZE: dict[str, Callable[[model.Cloze], bool]] = {
    "gift": lambda question: is_missing_word(question) and _sound(question, "gift"),
    "moodle-xml": _sound,
    "qti": lambda question: is_alike(question) and _sound(question),
    "jupyterquiz": lambda _: False,
}


def _shared(question: model.Question) -> dict[str, object]:
    """What every type of question has."""
    names = (
        "id",
        "prompt",
        "title",
        "objective",
        "tags",
        "difficulty",
        "points",
        "attempts",
        "confidence",
        "context",
    )
    more = ("code", "image", "hints", "explanation", "feedback", "ref")
    return {name: getattr(question, name) for name in (*names, *more)}


def _as(kind: type[model.Question], question: model.Question, **own: object) -> model.Question:
    return kind(**(_shared(question) | own))  # type: ignore[arg-type]


def _as_words(question: model.Numeric) -> model.Question:
    """Return a question about nan or inf as one whose answer is a word."""
    keys = tuple(
        model.TextKey(text=answer.value.text, credit=answer.credit, why=answer.why)
        for answer in question.rule.answers
        if answer.value
    )
    return _as(model.Text, question, rule=model.TextRule(accept=keys, otherwise=question.rule.otherwise))


def _lower_text(question: model.Text, target: str) -> list[model.Question]:
    """A text that only patterns accept cannot be asked by equality; a person has to look at it."""
    if any(is_askable(key, target) and key.credit == model.FULL for key in question.rule.accept):
        return [question]
    answer = "\n".join(key.text or key.regex for key in question.rule.accept)
    return _lower(_as(model.SelfGraded, question, answer=answer), target)


def _printed(question: model.Output) -> model.Question:
    text = question.expect.rstrip("\n")
    if "\n" in text.strip("\n"):
        return _as(model.SelfGraded, question, answer=question.expect)
    rule = model.TextRule(accept=(model.TextKey(text=text),), match=model.TextMatch(case="exact"))
    return _as(model.Text, question, rule=rule)


def _places(question: model.Order) -> model.Question:
    pairs = tuple(model.Pair(left=f"{number}.", right=item) for number, item in enumerate(question.items, 1))
    return _as(model.Match, question, pairs=pairs)


def _which(question: model.Match, number: int) -> model.Question:
    """Return the question for one pair: which of all the right sides belongs to this left one?"""
    rights = [*(pair.right for pair in question.pairs), *question.distractors]
    options = tuple(
        model.Option(id=model.short_id(right), text=right, correct=index == number)
        for index, right in enumerate(rights)
    )
    prompt = f"{question.prompt}\n\n{question.pairs[number].left}"
    return _as(model.Single, question, prompt=prompt, options=options, shuffle=question.shuffle)


def _alone(question: model.Cloze, asked: model.Blank) -> model.Question:
    """Return the question for one blank; the others are shown by name."""
    prompt = BLANK.sub(lambda found: GAP if found[1] == asked.name else f"[{found[1]}]", question.prompt)
    if isinstance(asked.rule, model.ChoiceRule):
        return _as(model.Single, question, prompt=prompt, options=asked.rule.options, shuffle=question.shuffle)
    kind = model.Numeric if isinstance(asked.rule, model.NumberRule) else model.Text
    return _as(kind, question, prompt=prompt, rule=asked.rule)


def is_askable(key: model.TextKey, target: str) -> bool:
    """Tell whether a format can compare an answer with a key. GIFT takes any ``->`` for that of a match."""
    return bool(key.text) and not (target == "gift" and ARROW in key.text)


# Texts that are put together the same way for every format


def stem(question: model.Question, bank: model.Bank, *, code: bool = False, alt: bool = False) -> str:
    """Return the prompt with its context and, for a format without a place for them, code and picture."""
    parts = [bank.contexts.get(question.context, ""), question.prompt]
    if code and question.code:
        parts.append(question.code.text)
    if alt and question.image:
        parts.append(picture_words(question.image.alt))
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Return texts as paragraphs. A newline at a text's end matters only where nothing follows."""
    kept = [part for part in parts if part]
    return "\n\n".join([*(part.rstrip("\n") for part in kept[:-1]), *kept[-1:]])


def picture_words(alt: str) -> str:
    """Return the words that stand for a picture."""
    return f"[picture: {alt}]"


def explanation(question: model.Question) -> str:
    """Return the explanation, and where to read more as its last line."""
    return _joined([question.explanation, f"See: {question.ref}" if question.ref else ""])


def answered(question: model.SelfGraded) -> str:
    """Return what a good answer says, and the explanation after it, for formats with one place for both."""
    return _joined([question.answer, explanation(question)])


def image_bytes(question: model.Question, bank: model.Bank) -> bytes | None:
    """Return a question's picture, if it can be read from beside the bank."""
    if question.image is None or bank.path is None:
        return None
    folder: Path = bank.path.parent.resolve()
    try:
        target = (folder / question.image.file).resolve()
        return target.read_bytes() if target.is_relative_to(folder) else None
    except (OSError, ValueError):
        return None
