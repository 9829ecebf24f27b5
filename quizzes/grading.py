"""Judges one answer: a score from 0 to 1, and what is to be said. Knows nothing of attempts or terminals.

What an answer is, by type: single and multiple: a frozenset of option ids; truefalse: a bool; numeric, text
and output: a str; cloze: a mapping from blank to str (an option id for a choice blank); match: a tuple that
holds, for each pair in the bank's order, the index of the right it was given (those of the pairs first, then
the distractors); order: a tuple of indexes into the bank's items; self: "yes", "partly" or "no".
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from quizzes import model
from quizzes.numeric import NumberError, meets, typed
from quizzes.patterns import compiled
from quizzes.record import Record
from quizzes.text import MAX_ANSWER, bare, is_near, normalised, raised

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from decimal import Decimal

    from quizzes.model import Option, Question

Answer = Any

# Credits such as three times 33.33333 add up to a little less than everything, and mean everything.
_FULL = Fraction(999, 1000)

SELF_SCORES = {"yes": Fraction(1), "partly": Fraction(1, 2), "no": Fraction(0)}


class NotAnAnswerError(ValueError):
    """What was typed cannot be judged: this is said to the person, and no attempt is lost."""


class NearMissError(NotAnAnswerError):
    """A text one slip away from a key, or a line but for its spaces; typed again as it is, it counts."""


class Verdict(Record, kw_only=False):
    """How an answer did: ``score`` from 0 to 1, ``notes`` about what was answered, in order.

    Where several options may be chosen, ``about`` has the id of each note's option, and ``missed`` those of the
    right ones that were not chosen.
    """

    score: Fraction
    notes: tuple[str, ...] = ()
    parts: tuple[bool, ...] = ()  # of a cloze or a match: which parts are right
    about: tuple[str, ...] = ()
    missed: frozenset[str] = frozenset()

    @property
    def full(self) -> bool:
        """Whether the answer is simply right."""
        return self.score == 1


def judge(question: Question, answer: Answer, *, forgive: bool = True) -> Verdict:
    """Return how an answer to a filled question does.

    With ``forgive``, a text one slip away from a key, or a line with other spaces, raises
    :class:`NearMissError` instead of counting as wrong.
    """
    match question:
        case model.Single():
            return _single(question.options, answer)
        case model.Multiple():
            return _multiple(question, answer)
        case model.TrueFalse():
            why = question.why_true if answer else question.why_false
            return Verdict(Fraction(answer == question.answer), (why,) if why else ())
        case model.Numeric():
            return judge_number(question.rule, answer)
        case model.Text():
            return judge_text(question.rule, answer, forgive=forgive)
        case model.Cloze():
            return _cloze(question, answer, forgive=forgive)
        case model.Match():
            parts = tuple(index == chosen for index, chosen in enumerate(answer))
            share = Fraction(sum(parts), len(parts))
            return Verdict(share if question.grading == "each" else Fraction(share == 1), parts=parts)
        case model.Order():
            return Verdict(order_score(answer, question.grading))
        case model.Output():
            return _output(question, answer, forgive=forgive)
        case model.SelfGraded():
            return Verdict(SELF_SCORES[answer])
    return Verdict(Fraction(1))


def _whole(score: Fraction) -> Fraction:
    return Fraction(1) if score >= _FULL else max(score, Fraction(0))


# Choosing


def credit(option: Option) -> Decimal:
    """Return an option's percent where one is chosen: as authored, else 100 if it is right."""
    if option.credit is not None:
        return option.credit
    return model.FULL if option.correct else model.NONE


def weights(options: Collection[Option]) -> dict[str, Fraction]:
    """Return each option's share where weights are added up: what is not authored evens out."""
    right = sum(option.correct for option in options)
    wrong = len(options) - right
    shares = {}
    for option in options:
        even = Fraction(1, max(right, 1)) if option.correct else Fraction(-1, max(wrong, 1))
        shares[option.id] = even if option.credit is None else Fraction(option.credit) / 100
    return shares


def _single(options: Collection[Option], answer: Collection[str]) -> Verdict:
    chosen = [option for option in options if option.id in answer]
    score = Fraction(sum(credit(option) for option in chosen)) / 100
    return Verdict(_whole(score), tuple(option.why for option in chosen if option.why))


def _multiple(question: model.Multiple, answer: Collection[str]) -> Verdict:
    right = {option.id for option in question.options if option.correct}
    chosen = set(answer)
    said = [(option.id, option.why) for option in question.options if option.id in chosen]
    said += [(option.id, option.missed) for option in question.options if option.id in right - chosen]
    said = [(name, note) for name, note in said if note]
    return Verdict(
        choice_score(question, chosen),
        tuple(note for _, note in said),
        about=tuple(name for name, _ in said),
        missed=frozenset(right - chosen),
    )


def choice_score(question: model.Multiple, chosen: Collection[str]) -> Fraction:
    """Return the score of a set of options under the question's grading mode."""
    options = question.options
    right = {option.id for option in options if option.correct}
    hits, extras = len(right & set(chosen)), len(set(chosen) - right)
    match question.grading:
        case "net":  # a wrong one takes back what a right one gives
            score = Fraction(hits - extras, max(len(right), 1))
        case "each":  # every option is a question of its own; an empty answer scores
            score = Fraction(hits + (len(options) - len(right) - extras), len(options))
        case "coverage":  # the share found, times the share of what was chosen that is right
            score = Fraction(hits**2, max(len(right) * len(chosen), 1))
        case "weights":
            shares = weights(options)
            score = sum((shares[one] for one in chosen), Fraction(0))
        case _:
            score = Fraction(set(chosen) == right)
    return _whole(score)


# Typing


def judge_number(rule: model.NumberRule, text: str) -> Verdict:
    """Return how a typed number does; what is no number costs no attempt."""
    try:
        number = typed(text, rule)
    except NumberError as error:
        raise NotAnAnswerError(str(error)) from None
    for answer in rule.answers:
        if answer.value is None:
            continue
        key = answer.value.value
        if not key.is_finite():
            near = number.word == str(key).lower().replace("infinity", "inf")
        else:
            near = number.value is not None and meets(number.value, answer)
        if near:
            return Verdict(_whole(Fraction(answer.credit) / 100), (answer.why,) if answer.why else ())
    return Verdict(Fraction(0), (rule.otherwise,) if rule.otherwise else ())


def judge_text(rule: model.TextRule, text: str, *, forgive: bool = True) -> Verdict:
    """Return how a typed text does."""
    if len(text) > MAX_ANSWER:
        raise NotAnAnswerError(f"that is longer than {MAX_ANSWER} characters; a few words are expected")
    given = normalised(text, rule.match)
    word = given
    if rule.match.quotes == "fold":  # a backtick around a prime is told from it only as long as it is one
        word = normalised(bare(normalised(bare(text), rule.match)), rule.match)
    key = _first(rule, given)
    if word != given and not (key and key.text):  # what stands around the word is not asked for
        key = _first(rule, given, word)
    if key:
        return Verdict(_whole(Fraction(key.credit) / 100), (key.why,) if key.why else ())
    if rule.match.unicode == "NFKC" and (spelled := raised(text)) != text:
        return judge_text(rule, spelled, forgive=forgive)
    keys = [normalised(key.text, rule.match) for key in rule.accept if key.text and key.credit]
    if forgive and is_near(word, keys):
        raise NearMissError("that is close; check the spelling")
    return Verdict(Fraction(0), (rule.otherwise,) if rule.otherwise else ())


def _first(rule: model.TextRule, *forms: str) -> model.TextKey | None:
    """Return the first key that one of these forms of an answer fits."""
    for key in rule.accept:
        if key.regex:
            pattern = compiled(key.regex, rule.match)
            if any(map(pattern.fullmatch, forms)):
                return key
            continue
        texts = {key.text, raised(key.text)} if rule.match.unicode == "NFKC" else {key.text}
        if any(normalised(text, rule.match) in forms for text in texts):
            return key
    return None


def _output(question: model.Output, text: str, *, forgive: bool) -> Verdict:
    if printed(text) == printed(question.expect):
        return Verdict(Fraction(1))
    if forgive and "".join(text.split()) == "".join(question.expect.split()):
        raise NearMissError("that is close; check the spaces")
    return Verdict(Fraction(0))


def printed(text: str) -> list[str]:
    """Return printed lines as they are compared: without spaces at line ends and empty lines at the end."""
    return [line.rstrip() for line in text.replace("\r\n", "\n").rstrip().split("\n")]


# Several parts


def judge_blank(blank: model.Blank, text: str, *, forgive: bool = True) -> Verdict:
    """Return how one blank's filling does."""
    match blank.rule:
        case model.TextRule() as rule:
            return judge_text(rule, text, forgive=forgive)
        case model.NumberRule() as rule:
            return judge_number(rule, text)
        case model.ChoiceRule() as rule:
            return _single(rule.options, {text})


def _cloze(question: model.Cloze, answer: Mapping[str, str], *, forgive: bool) -> Verdict:
    verdicts = [judge_blank(blank, answer[blank.name], forgive=forgive) for blank in question.blanks]
    notes = [
        f"{blank.name}: {note}"
        for blank, verdict in zip(question.blanks, verdicts, strict=True)
        for note in verdict.notes
    ]
    score = sum((verdict.score for verdict in verdicts), Fraction(0)) / len(verdicts)
    return Verdict(score, tuple(notes), tuple(verdict.full for verdict in verdicts))


def order_score(order: tuple[int, ...], grading: str) -> Fraction:
    """Return how near a permutation is to 0, 1, 2, ...: all of it, its right pairs, or the longest run."""
    count = len(order)
    if list(order) == list(range(count)):
        return Fraction(1)
    if grading == "pairs":
        pairs = list(itertools.combinations(order, 2))
        return Fraction(sum(a < b for a, b in pairs), len(pairs))
    if grading == "lcs":
        # The first item is always a kept run of one, so one counts for nothing.
        return Fraction(_longest_rise(order) - 1, count - 1)
    return Fraction(0)


def _longest_rise(order: tuple[int, ...]) -> int:
    longest: list[int] = []
    for index, item in enumerate(order):
        longest.append(1 + max((longest[i] for i in range(index) if order[i] < item), default=0))
    return max(longest)
