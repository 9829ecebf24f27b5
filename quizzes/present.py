"""A question as one sitting shows it: params filled, options in a seeded order, a label on each.

The order comes from the sitting's seed alone, so it is the same at a retry and after a resume. Labels are how
a person answers; what is logged are ids, which mean the same in every order (:func:`logged`).
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

from quizzes import model, params
from quizzes.record import Record
from quizzes.text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A formula may have no value for a few draws, which then are no draws.
MAX_DRAWS = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Shown(Record, kw_only=False):
    """A filled question and the order of what it shows.

    ``orders`` has one entry for a question with one list, under "", and one for each choice blank of a cloze,
    under its name. An entry holds indexes into the author's own order.
    """

    bank: model.Bank
    template: model.Question
    question: model.Question
    orders: Mapping[str, tuple[int, ...]]

    def texts(self, name: str = "") -> list[str]:
        """Return the texts of a list in the order in which they are shown."""
        listed = choices(self.question, name)
        return [listed[index] for index in self.orders[name]]

    def labels(self, name: str = "") -> list[str]:
        """Return the labels of a list: letters, or numbers where an option is itself a letter."""
        return labels(self.texts(name))


def present(question: model.Question, bank: model.Bank, seed: str) -> Shown:
    """Return a question as a sitting with this seed shows it; ParamError if its params cannot be drawn."""
    filled = _filled(question, bank, seed)
    orders: dict[str, tuple[int, ...]] = {}
    for name in lists(filled):
        # A stream of its own for each list: adding one must not change the order of another.
        source = random.Random(f"{seed}:{bank.id}:{question.id}:{name}:order")  # noqa: S311 - a quiz, not a key
        orders[name] = _order(filled, name, source)
    return Shown(bank, question, filled, orders)


def _filled(question: model.Question, bank: model.Bank, seed: str) -> model.Question:
    for again in range(MAX_DRAWS):
        try:
            return params.fill(question, params.draw(question, f"{seed}/{again}" if again else seed, bank.id))
        except params.ParamError as error:
            fault = error
    raise fault.of(question, bank)


def pick(bank: model.Bank, seed: str) -> list[model.Question]:
    """Return the questions of a sitting, in order: all that are in no pool, and each pool's pick."""
    left_out: set[str] = set()
    for pool in bank.pools:
        source = random.Random(f"{seed}:{bank.id}:pool:{pool.name}")  # noqa: S311 - a quiz, not a key
        left_out |= set(pool.of) - set(source.sample(pool.of, min(pool.pick, len(pool.of))))
    return [question for question in bank.questions if question.id not in left_out]


def lists(question: model.Question) -> list[str]:
    """Return the names of the lists that a question shows: "" for its only one, blank names for a cloze."""
    if isinstance(question, model.Cloze):
        return [blank.name for blank in question.blanks if isinstance(blank.rule, model.ChoiceRule)]
    return [""] if isinstance(question, model.Single | model.Multiple | model.Match | model.Order) else []


def options_of(question: model.Question, name: str = "") -> tuple[model.Option, ...]:
    """Return the options of a list in the author's order; none where it is made of plain texts."""
    match question:
        case model.Single() | model.Multiple():
            return question.options
        case model.Cloze():
            rules = [blank.rule for blank in question.blanks if blank.name == name]
            return rules[0].options if rules and isinstance(rules[0], model.ChoiceRule) else ()
    return ()


def choices(question: model.Question, name: str = "") -> list[str]:
    """Return the texts of a list in the author's order."""
    match question:
        case model.Match():
            return [*(pair.right for pair in question.pairs), *question.distractors]
        case model.Order():
            return list(question.items)
    return [option.text for option in options_of(question, name)]


def _order(question: model.Question, name: str, source: random.Random) -> tuple[int, ...]:
    count = len(choices(question, name))
    if isinstance(question, model.Order):
        order = list(range(count))
        source.shuffle(order)
        while order == sorted(order) and count > 2:  # the key itself is not shown, but of two the other is no secret
            source.shuffle(order)
        return tuple(order)
    if not getattr(question, "shuffle", True):
        return tuple(range(count))
    pins = [option.pin for option in options_of(question, name)] or [""] * count
    loose = [index for index in range(count) if not pins[index]]
    source.shuffle(loose)
    first = [index for index in range(count) if pins[index] == "first"]
    last = [index for index in range(count) if pins[index] == "last"]
    return (*first, *loose, *last)


def labels(texts: Sequence[str]) -> list[str]:
    """Return a label for each text. A label is never the text of another option, where that can be had."""
    count = len(texts)
    letters = list(LETTERS[:count])
    numbers = [str(number) for number in range(1, count + 1)]
    # A label may be typed with signs around it, so a text may not be that either.
    said = {re.sub(r"\W", "", plain(text)).casefold() for text in texts}
    if not said & set(letters):
        return letters
    return letters if said & set(numbers) else numbers


# What the log holds


def logged(shown: Shown, answer: Any) -> Any:
    """Return an answer as the log keeps it: ids of what was chosen, never positions; texts as typed."""
    template = shown.template
    match template:
        case model.Single() | model.Multiple():
            return sorted(answer)
        case model.Match():
            rights = [model.short_id(text) for text in choices(template)]
            return [
                [model.short_id(pair.left), rights[index]] for pair, index in zip(template.pairs, answer, strict=True)
            ]
        case model.Order():
            return [model.short_id(template.items[index]) for index in answer]
        case model.Cloze():
            return dict(answer)
    return answer


def order_ids(shown: Shown) -> dict[str, list[str]]:
    """Return the orders as the log keeps them."""
    out = {}
    for name, order in shown.orders.items():
        options = options_of(shown.template, name)
        ids = [one.id for one in options] or [model.short_id(text) for text in choices(shown.template, name)]
        out[name] = [ids[index] for index in order]
    return out
