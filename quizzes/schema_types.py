"""What each type of question has of its own: its keys, and how the model's part is read from them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from quizzes import model
from quizzes.expressions import ExpressionError, evaluate
from quizzes.fields import Fields, nearest
from quizzes.numeric import KINDS, shown
from quizzes.problems import clip, quoted
from quizzes.record import Record
from quizzes.tree import Mapping

if TYPE_CHECKING:
    from collections.abc import Callable

OWN_KEYS: dict[str, tuple[str, ...]] = {
    "single": ("options", "shuffle"),
    "multiple": ("options", "shuffle", "grading"),
    "truefalse": ("answer", "why_true", "why_false"),
    "numeric": ("answers", "accept", "unit", "otherwise"),
    "text": ("accept", "match", "otherwise"),
    "cloze": ("blanks", "shuffle"),
    "match": ("pairs", "distractors", "shuffle", "grading"),
    "order": ("items", "grading"),
    "output": ("expect",),
    "self": ("answer",),
    "info": (),
}
MULTIPLE_GRADING = ("all", "net", "each", "coverage", "weights")
MATCH_GRADING = ("each", "all")
ORDER_GRADING = ("lcs", "pairs", "all")

# What is chosen from has a letter each.
LABELS = 26

OPTION_KEYS = ("text", "correct", "credit", "why", "missed", "pin", "id")
ANSWER_KEYS = ("value", "expr", "abs", "rel", "credit", "why")
TEXT_KEYS = ("is", "regex", "credit", "why")
MATCH_KEYS = {
    "case": ("fold", "exact"),
    "space": ("collapse", "remove", "exact"),
    "quotes": ("fold", "exact"),
    "unicode": ("NFKC", "NFC", "exact"),
}


class Defaults(Record, kw_only=False):
    """What a question has where it says nothing."""

    shuffle: bool = True
    points: Decimal = Decimal(1)
    attempts: int = 2
    grading: str = "net"
    confidence: bool = False


def _options(fields: Fields) -> tuple[model.Option, ...]:
    out = []
    for inner in fields.each("options", "an option", required=True, most=LABELS):
        inner.rest(OPTION_KEYS)
        text = inner.text("text", required=True)
        out.append(
            model.Option(
                id=inner.name("id") if inner.has("id") else model.short_id(text),
                text=text,
                correct=inner.flag("correct"),
                credit=inner.decimal("credit", None, low=-100, high=100),
                why=inner.text("why"),
                missed=inner.text("missed"),
                pin=inner.word("pin", ("first", "last"), ""),
                place=inner.place,
            )
        )
    return tuple(out)


def _credit(fields: Fields) -> Decimal:
    credit = fields.decimal("credit", model.FULL, low=0, high=100)
    return model.FULL if credit is None else credit


def _stands_alone(fields: Fields) -> bool:
    """Tell whether a question has no params, so that its formulas have their values as soon as they are read."""
    params = fields.node.items.get("params")
    return params is None or (isinstance(params, Mapping) and not params.items)


def _computed(fields: Fields) -> model.Number | None:
    """Return the value of an answer's formula, of which the answer keeps both."""
    if not (formula := fields.text("expr")):
        return None
    try:
        value = evaluate(formula, {})
    except ExpressionError as error:
        fix = "write arithmetic of numbers such as 1/8 or sqrt(2); names need `params:`"
        fields.fail("E17", fields.at("expr"), clip(str(error), 200), fix)
        return None
    return model.Number(shown(value), value)


def _number_rule(fields: Fields, *, alone: bool) -> model.NumberRule:
    answers = []
    for inner in fields.each("answers", "an answer", required=True):
        inner.rest(ANSWER_KEYS)
        if inner.has("value") == inner.has("expr") and inner.node.items:
            inner.fail(
                "E07",
                inner.place,
                "an answer has one of `value` and `expr`",
                "for example `{value: 0.125, abs: 0.0005}`",
            )
        answers.append(
            model.NumericAnswer(
                value=inner.number("value") or (_computed(inner) if alone else None),
                expr=inner.text("expr"),
                abs=inner.number("abs"),
                rel=inner.number("rel"),
                credit=_credit(inner),
                why=inner.text("why"),
                place=inner.place,
            )
        )
    accept = fields.texts("accept", required=fields.has("accept"))
    for kind in accept:
        if kind not in KINDS:
            fields.fail(
                "E08",
                fields.at("accept"),
                f"`accept` has `{clip(kind)}`{nearest(kind, KINDS, fields.problems)}",
                f"use some of {', '.join(KINDS)}",
            )
    return model.NumberRule(
        answers=tuple(answers),
        accept=accept or KINDS[:3],
        unit=fields.text("unit", null=True),
        otherwise=fields.text("otherwise"),
    )


def _text_rule(fields: Fields) -> model.TextRule:
    keys = []
    for inner in fields.each("accept", "an accepted text", required=True):
        inner.rest(TEXT_KEYS)
        if inner.has("is") == inner.has("regex") and inner.node.items:
            inner.fail(
                "E07",
                inner.place,
                "an accepted text has one of `is` and `regex`",
                "for example `{is: softmax}`",
            )
        keys.append(
            model.TextKey(
                text=inner.text("is"),
                regex=inner.text("regex"),
                credit=_credit(inner),
                why=inner.text("why"),
                place=inner.place,
            )
        )
    match = model.TextMatch()
    for inner in fields.inner("match", "`match`"):
        inner.rest(MATCH_KEYS)
        match = model.TextMatch(**{key: inner.word(key, known, known[0]) for key, known in MATCH_KEYS.items()})
    return model.TextRule(accept=tuple(keys), match=match, otherwise=fields.text("otherwise"))


_BLANK_KEYS = {"text": OWN_KEYS["text"], "numeric": OWN_KEYS["numeric"], "choice": ("options",)}


def _blanks(fields: Fields) -> tuple[model.Blank, ...]:
    out = []
    for name, node in fields.named("blanks", "`blanks`", required=True, most=LABELS):
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", name.text, re.ASCII):
            fields.fail(
                "E16",
                name,
                f"a blank cannot be called {quoted(clip(name.text))}",
                "use letters, digits, dashes and underscores",
            )
        for inner in fields.within(Fields(node, fields.problems, "a blank")):
            kind = inner.word("type", _BLANK_KEYS, "") if inner.has("type") else ""
            if not kind:
                inner.text("type", required=True)
                continue
            inner.rest(("type", *_BLANK_KEYS[kind]))
            rule: model.TextRule | model.NumberRule | model.ChoiceRule
            if kind == "text":
                rule = _text_rule(inner)
            elif kind == "numeric":
                rule = _number_rule(inner, alone=_stands_alone(fields))
            else:
                rule = model.ChoiceRule(options=_options(inner))
            out.append(model.Blank(name=name.text, rule=rule, place=inner.place))
    return tuple(out)


def _pairs(fields: Fields) -> tuple[model.Pair, ...]:
    out = []
    for inner in fields.each("pairs", "a pair", required=True, most=LABELS // 2):
        inner.rest(("left", "right"))
        left, right = inner.text("left", required=True), inner.text("right", required=True)
        out.append(model.Pair(left=left, right=right, place=inner.place))
    return tuple(out)


def _shuffle(fields: Fields, defaults: Defaults) -> bool:
    return fields.flag("shuffle", default=defaults.shuffle)


OWN: dict[str, Callable[[Fields, Defaults], dict[str, Any]]] = {
    "single": lambda f, d: {"options": _options(f), "shuffle": _shuffle(f, d)},
    "multiple": lambda f, d: {
        "options": _options(f),
        "shuffle": _shuffle(f, d),
        "grading": f.word("grading", MULTIPLE_GRADING, d.grading),
    },
    "truefalse": lambda f, _: {
        "answer": f.flag("answer", required=True),
        "why_true": f.text("why_true"),
        "why_false": f.text("why_false"),
    },
    "numeric": lambda f, _: {"rule": _number_rule(f, alone=_stands_alone(f))},
    "text": lambda f, _: {"rule": _text_rule(f)},
    "cloze": lambda f, d: {"blanks": _blanks(f), "shuffle": _shuffle(f, d)},
    "match": lambda f, d: {
        "pairs": _pairs(f),
        "distractors": f.texts("distractors", most=LABELS // 2),
        "shuffle": _shuffle(f, d),
        "grading": f.word("grading", MATCH_GRADING, "each"),
    },
    "order": lambda f, _: {
        "items": f.texts("items", required=True, most=LABELS),
        "grading": f.word("grading", ORDER_GRADING, "lcs"),
    },
    "output": lambda f, _: {"expect": f.text("expect", required=True)},
    "self": lambda f, _: {"answer": f.text("answer", required=True)},
    "info": lambda _f, _d: {},
}
