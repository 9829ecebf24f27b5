"""Draws a question's params from a seed and fills its texts with them.

In a question that has ``params``, ``{d}`` is the value as its author wrote it, ``{2*d}`` or
``{1/sqrt(d):.3f}`` is computed, and ``{{`` and ``}}`` are plain braces. A question without params is shown as
written, braces and all.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import random
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from quizzes import expressions
from quizzes.expressions import ExpressionError
from quizzes.model import Number, NumericAnswer, Param
from quizzes.numeric import NumberError, authored, shown
from quizzes.record import Record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from quizzes.model import Bank, Place, Question

MAX_TRIES = 1000
MAX_VALUES = 1_000_000

# The fields that a person reads. Ids, names and regular expressions are left as they are.
_FILLED = {
    "prompt", "title", "text", "why", "missed", "explanation", "otherwise", "why_true", "why_false", "left",
    "right", "expect", "answer", "alt", "correct", "partial", "incorrect", "hints", "distractors", "items",
}  # fmt: skip
_KEPT = {"params", "where", "place", "id"}
_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_FORMAT = r"(?s)(?P<expr>.*?)(?::(?P<format>\.\d{1,2}[fg]))?\s*"


class ParamError(ValueError):
    """Params that cannot be drawn or a text that cannot be filled; the message is fit for the author."""

    place: Place | None = None  # of the text or formula, if it is one

    def of(self, question: Question, bank: Bank) -> ParamError:
        """Return the same fault, saying which question of which file has it."""
        place = self.place or question.place.of("params")
        where = f"{bank.file or bank.id}:{place.line}:{place.column}"
        return ParamError(f"{where}: the question `{question.id}` cannot be asked: {self}")


class Value(Record, kw_only=False):
    """A drawn value: as it is shown, and as a number if it is one."""

    text: str
    number: Decimal | None


def draw(question: Question, seed: str, bank_id: str) -> dict[str, Value]:
    """Return the values of a question's params for a seed: the same values on every machine."""
    return _drawn(question, seed, bank_id, itertools.count()) or {}


def _drawn(question: Question, seed: str, bank_id: str, tries: Iterator[int]) -> dict[str, Value] | None:
    """Return the values for a seed, or None where there are no more tries."""
    if not question.params:
        return {}
    source = random.Random(f"{seed}:{bank_id}:{question.id}")  # noqa: S311 - a quiz, not a key
    spans = _spans(question)
    for _ in range(MAX_TRIES):
        if next(tries, None) is None:
            return None
        values = _values(question, {name: nth(source.randrange(size)) for name, (size, nth) in spans.items()})
        if _allowed(question, values):
            return values
    raise ParamError(f"none of {MAX_TRIES} draws meets `where`")


def variants(question: Question, most: int, tries: Iterator[int] | None = None) -> Iterator[Question]:
    """Give up to ``most`` filled forms of a question: all there are if they are few, else a sample.

    Where ``where`` meets few draws a sample takes long; with ``tries``, which many questions may share, it ends with
    them.
    """
    if not question.params:
        yield question
        return
    spans = _spans(question)
    if math.prod(size for size, _ in spans.values()) > most:
        for seed in range(most):
            values = _drawn(question, str(seed), "check", itertools.count() if tries is None else tries)
            if values is None:
                return
            yield fill(question, values)
        return
    allowed = 0
    for picks in itertools.product(*(range(size) for size, _ in spans.values())):
        picked = {name: nth(pick) for pick, (name, (_, nth)) in zip(picks, spans.items(), strict=True)}
        values = _values(question, picked)
        if _allowed(question, values):
            allowed += 1
            yield fill(question, values)
    if not allowed:
        raise ParamError("no choice of the params meets `where`")


def _values(question: Question, picked: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of all params, given those that are not computed."""
    values: dict[str, Value] = {}
    for param in question.params:
        if param.expr:
            with _standing(question.place, "params", param.name, "expr"):
                number = expressions.evaluate(param.expr, _numbers(values))
            values[param.name] = Value(shown(number), number)
        else:
            values[param.name] = picked[param.name]
    return values


@contextlib.contextmanager
def _standing(place: Place, *path: str | int) -> Iterator[None]:
    """Tell a fault where it stands, unless it knows that more closely."""
    try:
        yield
    except ParamError as error:
        error.place = error.place or place.of(*path)
        raise
    except ExpressionError as error:
        placed = ParamError(str(error))
        placed.place = place.of(*path)
        raise placed from None


def _allowed(question: Question, values: Mapping[str, Value]) -> bool:
    for index, condition in enumerate(question.where):
        with _standing(question.place, "where", index):
            if not expressions.holds(condition, _numbers(values)):
                return False
    return True


def _numbers(values: Mapping[str, Value]) -> dict[str, Decimal]:
    return {name: value.number for name, value in values.items() if value.number is not None}


def _spans(question: Question) -> dict[str, tuple[int, Callable[[int], Value]]]:
    """Return how many values each param can take, and which is the n-th; a computed one adds none of its own."""
    spans: dict[str, tuple[int, Callable[[int], Value]]] = {}
    for param in question.params:
        if param.choice:
            spans[param.name] = len(param.choice), [_chosen(text) for text in param.choice].__getitem__
        elif not param.expr:
            low, high, step = bounds(param)
            spans[param.name] = int((high - low) / step) + 1, functools.partial(_counted, low, step)
    return spans


def bounds(param: Param) -> tuple[Decimal, Decimal, Decimal]:
    """Return low, high and step of a range; ParamError if it holds nothing or too much."""
    if len(param.range) not in {2, 3}:
        raise ParamError(f"the range of `{param.name}` has {len(param.range)} numbers; write [low, high, step]")
    low, high = param.range[0].value, param.range[1].value
    step = param.range[2].value if len(param.range) == 3 else Decimal(1)
    if not all(number.is_finite() for number in (low, high, step)) or step <= 0 or high < low:
        raise ParamError(f"the range of `{param.name}` holds no value")
    if (high - low) / step > MAX_VALUES:
        raise ParamError(f"the range of `{param.name}` has more than {MAX_VALUES} values")
    return low, high, step


def _chosen(text: str) -> Value:
    try:
        return Value(text, authored(text).value)
    except NumberError:
        return Value(text, None)


def _counted(low: Decimal, step: Decimal, index: int) -> Value:
    number = low + index * step
    return Value(f"{number:f}", number)


# Filling


def fill(question: Question, values: Mapping[str, Value]) -> Question:
    """Return the question with its texts filled and its formulas computed; it has no params any more."""
    if not question.params:
        return question
    filled: Question = _map(question, lambda text: fill_text(text, values), _numbers(values), question.place)
    return replace(filled, params=(), where=())


def fill_text(text: str, values: Mapping[str, Value]) -> str:
    """Return a text with its holes filled; ParamError for a hole that names no param."""
    return _HOLE.sub(lambda match: _hole(match, values), text)


def _hole(match: re.Match[str], values: Mapping[str, Value]) -> str:
    whole = match.group()
    if whole in {"{{", "}}"}:
        return whole[0]
    inner = match.group(1)
    if inner is None:
        raise ParamError(f"a single `{whole}` in a question with params; double it to show one")
    if inner.strip() in values:
        return values[inner.strip()].text
    parts = re.fullmatch(_FORMAT, inner)
    expression = parts["expr"] if parts else inner
    try:
        used = expressions.names(expressions.parse(expression))
        if not used & set(values):
            raise ParamError(f"`{whole}` names no param; double the braces to show them")
        number = expressions.evaluate(expression, _numbers(values))
    except ExpressionError as error:
        raise ParamError(f"in `{whole}`: {error}") from None
    return f"{number:{parts['format']}}" if parts and parts["format"] else shown(number)


def _map(value: Any, change: Callable[[str], str], numbers: Mapping[str, Decimal], place: Place) -> Any:
    """Return a record with the texts that a person reads changed, and formulas replaced by their values."""
    changes: dict[str, Any] = {}
    place = getattr(value, "place", place)
    for name in value.fields:
        old = getattr(value, name)
        if name in _KEPT:
            continue
        if isinstance(old, str):
            if old and name in _FILLED:
                with _standing(place, name):
                    changes[name] = change(old)
        elif isinstance(old, tuple) and old:
            if isinstance(old[0], str):
                changes[name] = _changed(old, change, place, name) if name in _FILLED else old
            else:
                changes[name] = tuple(_map(one, change, numbers, place) for one in old)
        elif isinstance(old, Record) and not isinstance(old, Number):
            changes[name] = _map(old, change, numbers, place.of(name))
    if isinstance(value, NumericAnswer) and value.expr:
        with _standing(place, "expr"):
            number = expressions.evaluate(value.expr, numbers)
        changes |= {"expr": "", "value": Number(shown(number), number)}
    return replace(value, **changes) if changes else value


def _changed(old: tuple[str, ...], change: Callable[[str], str], place: Place, name: str) -> tuple[str, ...]:
    out = []
    for index, one in enumerate(old):
        with _standing(place, name, index):
            out.append(change(one))
    return tuple(out)


def texts(question: Question) -> Iterator[str]:
    """Give every text of a question that may have holes."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    plain = replace(question, params=())
    _map_texts_only(plain, note)
    yield from found


def _map_texts_only(value: Any, change: Callable[[str], str]) -> None:
    for name in value.fields:
        old = getattr(value, name)
        if name in _KEPT:
            continue
        for one in old if isinstance(old, tuple) else (old,):
            if isinstance(one, str):
                if name in _FILLED:
                    change(one)
            elif isinstance(one, Record) and not isinstance(one, Number):
                _map_texts_only(one, change)


def used_names(question: Question) -> set[str]:
    """Return the names that a question's texts, formulas and conditions use; unreadable ones are left out."""
    sources = [*question.where, *(param.expr for param in question.params if param.expr), *formulas(question)]
    for text in texts(question):
        sources += [match.group(1).split(":")[0] for match in _HOLE.finditer(text) if match.group(1) is not None]
    used: set[str] = set()
    for source in sources:
        used.add(source.strip())
        try:
            used |= expressions.names(expressions.parse(source))
        except ExpressionError:
            continue
    return used


def formulas(question: Question) -> list[str]:
    """Return the formulas among the answers of a question."""
    rules = [getattr(question, "rule", None), *(blank.rule for blank in getattr(question, "blanks", ()))]
    return [answer.expr for rule in rules for answer in getattr(rule, "answers", ()) if answer.expr]
