"""The bank format ``quizbank/1``: which keys there are, what kind each is, and the model they make.

The walk goes down the tree once. It reports shape (E06 to E10, and E17 for numbers); whether a question makes
sense is asked afterwards, of the model (:mod:`quizzes.rules`).
"""

from __future__ import annotations

import functools
import re
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from quizzes import model
from quizzes.expressions import FUNCTIONS
from quizzes.fields import NAME, Fields, closest, nearest
from quizzes.problems import clip
from quizzes.record import Record
from quizzes.schema_types import MULTIPLE_GRADING, OWN, OWN_KEYS, Defaults
from quizzes.tree import Mapping, Node, Scalar

if TYPE_CHECKING:
    from quizzes.problems import Problems

SCHEMA = "quizbank/1"

BANK_KEYS = (
    "schema", "bank", "title", "lang", "description", "draft", "mastery", "defaults", "objectives",
    "contexts", "questions", "pools",
)  # fmt: skip
COMMON_KEYS = (
    "id", "type", "title", "objective", "tags", "difficulty", "points", "attempts", "confidence", "context",
    "prompt", "code", "image", "hints", "explanation", "feedback", "ref", "params", "where",
)  # fmt: skip
# What is asked where the question itself already says it.
DEFAULT_PROMPTS = {
    "match": "Which belongs to which?",
    "order": "Put these in order.",
    "output": "What does this print?",
}

# The size of a file limits how many questions there are.
NO_LIMIT = sys.maxsize

_PARAM_NAME = r"[A-Za-z][A-Za-z0-9_]{0,29}"


class Read(Record, kw_only=False):
    """What the walk made: the bank as far as it could be built, and the ids of questions that could not."""

    bank: model.Bank
    broken_ids: frozenset[str]


def read(root: Node | None, problems: Problems) -> Read | None:
    """Return the bank that a tree describes, or None if it does not even look like one."""
    if root is None or (isinstance(root, Scalar) and not root.text.strip()):
        problems.add("E07", model.Place(1, 1), "the bank is empty", f"begin with `schema: {SCHEMA}`")
        return None
    if not isinstance(root, Mapping):
        problems.add(
            "E08",
            root,
            "a bank is a mapping of keys and values, this is not",
            f"begin with `schema: {SCHEMA}`",
        )
        return None
    fields = Fields(root, problems, "a bank")
    if not _is_ours(fields):
        return None
    fields.rest(BANK_KEYS)
    defaults = _defaults(fields)
    questions, broken = _questions(fields, defaults)
    bank = model.Bank(
        id=fields.name("bank"),
        title=fields.text("title", required=True),
        lang=fields.text("lang") or "en",
        description=fields.text("description"),
        draft=fields.flag("draft"),
        mastery=_mastery(fields),
        objectives=_objectives(fields),
        contexts=_contexts(fields),
        questions=questions,
        pools=_pools(fields),
        place=root,
    )
    return Read(bank, frozenset(broken))


def _is_ours(fields: Fields) -> bool:
    """Tell whether the file is of a version that can be read; a later one may mean other things."""
    schema = fields.text("schema", required=True)
    if not schema or schema == SCHEMA:
        return True
    place = fields.at("schema")
    if match := re.fullmatch(r"quizbank/(\d{1,6})(\.\d{1,6})?", schema):
        if match[1] != "1":
            fields.fail(
                "E09",
                place,
                f"the bank is of version {match[1]}, this program reads version 1",
                "upgrade this program",
            )
            return False
        return True
    fields.fail("E09", place, f"unknown schema `{clip(schema)}`", f"write `schema: {SCHEMA}`")
    return True


# The bank's own keys


def _defaults(fields: Fields) -> Defaults:
    for inner in fields.inner("defaults", "`defaults`"):
        inner.rest(("shuffle", "points", "attempts", "grading", "confidence"))
        return Defaults(
            shuffle=inner.flag("shuffle", default=True),
            points=inner.decimal("points", Decimal(1), low=0, high=1000) or Decimal(0),
            attempts=inner.whole("attempts", low=1, high=10, default=2) or 1,
            grading=inner.word("grading", MULTIPLE_GRADING, "net"),
            confidence=inner.flag("confidence"),
        )
    return Defaults()


def _mastery(fields: Fields) -> model.Mastery:
    for inner in fields.inner("mastery", "`mastery`"):
        inner.rest(("score", "min_questions"))
        score = inner.decimal("score", Decimal("0.8"), low=0, high=1)
        return model.Mastery(
            score=Decimal("0.8") if score is None else score,
            min_questions=inner.whole("min_questions", low=0, high=1000) or 0,
        )
    return model.Mastery()


def _objectives(fields: Fields) -> tuple[model.Objective, ...]:
    out = []
    for name, node in fields.named("objectives", "`objectives`", most=NO_LIMIT):
        text = ref = ""
        if not NAME.fullmatch(name.text):
            fields.fail(
                "E10",
                name,
                f"the objective's name is `{clip(name.text)}`",
                "use small letters, digits and dashes",
            )
        if isinstance(node, Mapping):
            for inner in fields.within(Fields(node, fields.problems, "an objective")):
                inner.rest(("text", "ref"))
                text, ref = inner.text("text", required=True), inner.text("ref")
        else:
            text = _only_text(fields, "objectives", name)
        out.append(model.Objective(id=name.text, text=text, ref=ref, place=name))
    return tuple(out)


def _contexts(fields: Fields) -> dict[str, str]:
    return {
        name.text: _only_text(fields, "contexts", name)
        for name, _ in fields.named("contexts", "`contexts`", most=NO_LIMIT)
    }


def _only_text(fields: Fields, key: str, name: Scalar) -> str:
    """Return the text under one of the author's own keys."""
    for inner in fields.inner(key, f"`{key}`"):
        return inner.text(name.text, required=True)
    return ""


def _pools(fields: Fields) -> tuple[model.Pool, ...]:
    out = []
    for inner in fields.each("pools", "a pool", most=NO_LIMIT):
        inner.rest(("name", "pick", "of"))
        pick = inner.whole("pick", low=1, high=100_000, default=1, required=True) or 1
        out.append(
            model.Pool(
                name=inner.name("name"),
                pick=pick,
                of=inner.texts("of", required=True, most=NO_LIMIT),
                place=inner.place,
            )
        )
    return tuple(out)


# Questions


def _questions(fields: Fields, defaults: Defaults) -> tuple[tuple[model.Question, ...], set[str]]:
    out: list[model.Question] = []
    broken: set[str] = set()
    for inner in fields.each("questions", "a question", required=True, most=NO_LIMIT):
        question = _question(inner, defaults)
        if question is not None and inner.ok:
            out.append(question)
        elif isinstance(node := inner.node.items.get("id"), Scalar):
            broken.add(node.text)
    return tuple(out), broken


def _question(fields: Fields, defaults: Defaults) -> model.Question | None:
    if not fields.node.items:
        if fields.ok:
            fields.fail("E07", fields.place, "a question without anything in it", "give it an id, a type and a prompt")
        return None
    kind = _type(fields)
    if not kind:
        fields.name("id")
        return None
    fields.rest((*COMMON_KEYS, *OWN_KEYS[kind]), _whose(kind))
    own = OWN[kind](fields, defaults)
    return model.TYPES[kind](**_common(fields, kind, defaults), **own)


def _type(fields: Fields) -> str:
    """Return the type of a question, or that which a misspelled one seems to mean, so that all else is checked too."""
    kind = fields.text("type", required=True)
    if not kind and fields.has("type"):
        return ""
    if kind in OWN_KEYS:
        return kind
    here = set(fields.node.items)
    fitting = [name for name, own in OWN_KEYS.items() if own and own[0] in here]
    fix = (
        f"its keys are those of {' or '.join(f'`{name}`' for name in fitting)}"
        if fitting
        else f"use one of {', '.join(OWN_KEYS)}"
    )
    if kind:
        meant = closest(kind, OWN_KEYS)
        message = f"unknown type `{clip(kind)}`{nearest(kind, OWN_KEYS, fields.problems)}"
        if meant or len(fitting) == 1:
            # The bank is lost, but not what else there is to say about the question.
            fields.problems.add("E09", fields.at("type"), message, fix)
            return meant or fitting[0]
        fields.fail("E09", fields.at("type"), message, fix)
    elif fitting:
        fields.problems.add("E09", fields.place, f"which type? {fix}", f"add `type: {fitting[0]}`")
    return ""


@functools.cache
def _whose(kind: str) -> dict[str, str]:
    """For a key that other types have: which they are."""
    owners: dict[str, list[str]] = {}
    for name, own in OWN_KEYS.items():
        for key in own:
            owners.setdefault(key, []).append(name)
    return {
        key: f"`{kind}` questions do not have it; it belongs to {', '.join(names)}" for key, names in owners.items()
    }


def _common(fields: Fields, kind: str, defaults: Defaults) -> dict[str, Any]:
    points = fields.decimal("points", defaults.points, low=0, high=1000)
    return {
        "id": fields.name("id"),
        "prompt": fields.text("prompt", required=kind not in DEFAULT_PROMPTS) or DEFAULT_PROMPTS.get(kind, ""),
        "title": fields.text("title"),
        "objective": fields.text("objective"),
        "tags": fields.texts("tags"),
        "difficulty": fields.whole("difficulty", low=1, high=5),
        "points": Decimal(0) if kind == "info" or points is None else points,
        "attempts": fields.whole("attempts", low=1, high=10, default=defaults.attempts) or 1,
        "confidence": fields.flag("confidence", default=defaults.confidence),
        "context": fields.text("context"),
        "code": _code(fields, required=kind == "output"),
        "image": _image(fields),
        "hints": fields.texts("hints"),
        "explanation": fields.text("explanation"),
        "feedback": _feedback(fields),
        "ref": fields.text("ref"),
        "params": _params(fields),
        "where": fields.texts("where"),
        "place": fields.place,
    }


def _code(fields: Fields, *, required: bool) -> model.Code | None:
    for inner in fields.inner("code", "`code`", required=required):
        inner.rest(("lang", "text"))
        return model.Code(text=inner.text("text", required=True), lang=inner.text("lang") or "python")
    return None


def _image(fields: Fields) -> model.Image | None:
    for inner in fields.inner("image", "`image`"):
        inner.rest(("file", "alt"))
        return model.Image(file=inner.text("file", required=True), alt=inner.text("alt"))
    return None


def _feedback(fields: Fields) -> model.Feedback | None:
    for inner in fields.inner("feedback", "`feedback`"):
        inner.rest(("correct", "partial", "incorrect"))
        return model.Feedback(
            correct=inner.text("correct"), partial=inner.text("partial"), incorrect=inner.text("incorrect")
        )
    return None


def _params(fields: Fields) -> tuple[model.Param, ...]:
    out = []
    for name, node in fields.named("params", "`params`"):
        if not re.fullmatch(_PARAM_NAME, name.text) or name.text in FUNCTIONS:
            fields.fail(
                "E23",
                name,
                f"a param cannot be called `{clip(name.text)}`",
                "use letters, digits and underscores, and no function's name",
            )
        for inner in fields.within(Fields(node, fields.problems, "a param")):
            inner.rest(("choice", "range", "expr"))
            if sum(inner.has(key) for key in ("choice", "range", "expr")) != 1:
                inner.fail(
                    "E07",
                    inner.place,
                    "a param has one of `choice`, `range` and `expr`",
                    "for example `{choice: [16, 64]}`",
                )
                continue
            ends = [inner.as_number(one, "`range`", "E08") for one in inner.list("range") if isinstance(one, Scalar)]
            out.append(
                model.Param(
                    name=name.text,
                    choice=inner.texts("choice", required=inner.has("choice")),
                    range=tuple(end for end in ends if end is not None),
                    expr=inner.text("expr"),
                    place=name,
                )
            )
    return tuple(out)
