"""What each format can hold of a question: the table of which the loss report and the docs are made.

A cell says ``ok`` (held), ``enc`` (held by a device that our reader undoes), ``text`` (a person still reads
it, a program no longer knows it apart), ``LOSS`` or ``-`` (means nothing there). After a colon it says what
becomes of the field. Only LOSS is reported. The table speaks of what the other program shows and does; the
copy that our files carry for our own reader (:mod:`quizzes.formats.embed`) does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from quizzes import grading, model
from quizzes.formats.credits import MOST_RIGHT, is_listed, shares
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TARGETS = ("gift", "moodle-xml", "qti", "jupyterquiz", "anki")
ARROW = "->"
TITLES = ("GIFT", "Moodle XML", "QTI 1.2", "jupyterquiz", "Anki")


@dataclass(frozen=True, slots=True)
class Row:
    """A field, where a question has it, and its fate in each target."""

    field: str
    found: Callable[[model.Question], Iterable[str]]
    fates: tuple[str, ...]

    def fate(self, target: str) -> tuple[str, str]:
        """Return the verdict and what becomes of the field."""
        verdict, _, note = self.fates[TARGETS.index(target)].partition(": ")
        return verdict, note


def report(bank: model.Bank, target: str) -> tuple[model.Loss, ...]:
    """Return everything of a bank's questions that a target cannot hold, in the bank's order."""
    out = []
    for question in bank.questions:
        for row in ROWS:
            verdict, note = row.fate(target)
            if verdict == "LOSS":
                out += [model.Loss(question.id, label, note) for label in row.found(question)]
    pool_fate, note = POOLS.fate(target)
    if pool_fate == "LOSS":
        out += [model.Loss(pool.of[0], f"pool {pool.name}", note) for pool in bank.pools]
    return tuple(out)


def table() -> str:
    """Return the table as Markdown, for the docs."""
    lines = [f"| field | {' | '.join(TITLES)} |", "|---" * (len(TITLES) + 1) + "|"]
    lines += [f"| {row.field} | {' | '.join(row.fates)} |" for row in (*ROWS, POOLS)]
    return "\n".join(lines)


# Where a question has a field


def _has(name: str) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        if getattr(question, name):
            yield name

    return found


def _of(*kinds: type[model.Question]) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        if isinstance(question, kinds):
            yield "type"

    return found


def _graded(kind: type[model.Question], *modes: str) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        if isinstance(question, kind) and getattr(question, "grading", "") in modes:
            yield "grading"

    return found


def _rules(question: model.Question) -> Iterator[tuple[str, object]]:
    """Give the rules by which typed or chosen parts are judged, each with a label for messages."""
    if isinstance(question, model.Numeric | model.Text):
        yield "", question.rule
    elif isinstance(question, model.Cloze):
        for blank in question.blanks:
            yield f"blank {blank.name}: ", blank.rule


def _numbers(question: model.Question) -> Iterator[tuple[str, model.NumberRule]]:
    for label, rule in _rules(question):
        if isinstance(rule, model.NumberRule):
            yield label, rule


def _texts(question: model.Question) -> Iterator[tuple[str, model.TextRule]]:
    for label, rule in _rules(question):
        if isinstance(rule, model.TextRule):
            yield label, rule


def _options(question: model.Question) -> Iterator[tuple[str, model.Option]]:
    if isinstance(question, model.Single | model.Multiple):
        for number, option in enumerate(question.options, 1):
            yield f"option {number}: ", option
    for label, rule in _rules(question):
        if isinstance(rule, model.ChoiceRule):
            for number, option in enumerate(rule.options, 1):
                yield f"{label}option {number}: ", option


def _missed(question: model.Question) -> Iterator[str]:
    return (f"{label}missed" for label, option in _options(question) if option.missed)


def _pins(question: model.Question) -> Iterator[str]:
    return (f"{label}pin" for label, option in _options(question) if option.pin)


def _whys(question: model.Question) -> Iterator[str]:
    return (f"{label}why" for label, option in _options(question) if option.why)


def _partial(question: model.Question) -> Iterator[str]:
    """An option of a choice of one that earns neither everything nor nothing."""
    if not isinstance(question, model.Multiple):
        for label, option in _options(question):
            if grading.credit(option) not in {model.FULL, model.NONE}:
                yield f"{label}credit"


def _unlisted(question: model.Question) -> Iterator[str]:
    if isinstance(question, model.Multiple):
        if sum(option.correct for option in question.options) > MOST_RIGHT:
            return
        for (label, _), share in zip(_options(question), shares(question), strict=True):
            if not is_listed(share):
                yield f"{label}credit"
        return
    for label, option in _options(question):
        if not is_listed(grading.credit(option)):
            yield f"{label}credit"
    for label, rule in (*_numbers(question), *_texts(question)):
        keys: Iterable[model.NumericAnswer | model.TextKey] = getattr(rule, "answers", getattr(rule, "accept", ()))
        for number, key in enumerate(keys, 1):
            if not is_listed(key.credit):
                yield f"{label}answer {number}: credit"


def _too_many_right(question: model.Question) -> Iterator[str]:
    if isinstance(question, model.Multiple):
        count = sum(option.correct for option in question.options)
        if count > MOST_RIGHT:
            yield "question"


def _feedback(question: model.Question) -> Iterator[str]:
    if question.feedback and (question.feedback.correct or question.feedback.incorrect):
        yield "feedback"


def _feedback_partial(question: model.Question) -> Iterator[str]:
    if question.feedback and question.feedback.partial:
        yield "feedback: partial"


def _feedback_alone(question: model.Question) -> Iterator[str]:
    kinds = (model.Single, model.Multiple, model.Match, model.Order)
    if question.feedback and not isinstance(question, kinds):
        yield "feedback"


def _hints_alone(question: model.Question) -> Iterator[str]:
    if question.hints and isinstance(question, model.TrueFalse | model.SelfGraded | model.Info):
        yield "hints"


def _explained_alone(question: model.Question) -> Iterator[str]:
    if question.explanation and isinstance(question, model.SelfGraded | model.Info):
        yield "explanation"


def _points(question: model.Question) -> Iterator[str]:
    if question.points != 1 and not isinstance(question, model.Info):
        yield "points"


def _attempts(question: model.Question) -> Iterator[str]:
    if question.attempts != 2:
        yield "attempts"


def _attempts_once(question: model.Question) -> Iterator[str]:
    if question.attempts != 2 and isinstance(question, model.TrueFalse):
        yield "attempts"


def _unshuffled(question: model.Question) -> Iterator[str]:
    if not getattr(question, "shuffle", True):
        yield "shuffle"


def _near(name: str) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        for label, rule in _numbers(question):
            for number, answer in enumerate(rule.answers, 1):
                if getattr(answer, name) is not None:
                    yield f"{label}answer {number}: {name}"

    return found


def _number_credit(*, none: bool) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        for label, rule in _numbers(question):
            for number, answer in enumerate(rule.answers, 1):
                if answer.credit < model.FULL and (answer.credit == model.NONE) == none:
                    yield f"{label}answer {number}"

    return found


def _not_finite(question: model.Question) -> Iterator[str]:
    for label, rule in _numbers(question):
        for number, answer in enumerate(rule.answers, 1):
            if answer.value is not None and not answer.value.value.is_finite():
                yield f"{label}answer {number}"


def _tiny(question: model.Question) -> Iterator[str]:
    for label, rule in _numbers(question):
        for number, answer in enumerate(rule.answers, 1):
            if answer.abs is not None and 0 < answer.abs.value < Decimal("0.0001"):
                yield f"{label}answer {number}: abs"


def _rule_has(name: str) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        for label, rule in _rules(question):
            if getattr(rule, name, ""):
                yield f"{label}{name}"

    return found


def _otherwise_of_gap(question: model.Question) -> Iterator[str]:
    if isinstance(question, model.Cloze) and is_alike(question):
        yield from _rule_has("otherwise")(question)


def _typed_ways(question: model.Question) -> Iterator[str]:
    usual = set(model.NumberRule(answers=()).accept)
    for label, rule in _numbers(question):
        if set(rule.accept) != usual:
            yield f"{label}accept"


def _text_credit(question: model.Question) -> Iterator[str]:
    for label, rule in _texts(question):
        for number, key in enumerate(rule.accept, 1):
            if not key.regex and key.credit < model.FULL:
                yield f"{label}answer {number}: credit"


def _cased(question: model.Question) -> Iterator[str]:
    return (f"{label}match: case" for label, rule in _texts(question) if rule.match.case == "exact")


def _matched(question: model.Question) -> Iterator[str]:
    usual = model.TextMatch()
    for label, rule in _texts(question):
        names = [one for one in ("space", "quotes", "unicode") if getattr(rule.match, one) != getattr(usual, one)]
        if names:
            yield f"{label}match: {', '.join(names)}"


def _regex(question: model.Question) -> Iterator[str]:
    for label, rule in _texts(question):
        for number, key in enumerate(rule.accept, 1):
            if key.regex:
                yield f"{label}answer {number}: regex"


def _starred(question: model.Question) -> Iterator[str]:
    for label, rule in _texts(question):
        for number, key in enumerate(rule.accept, 1):
            if "*" in key.text:
                yield f"{label}answer {number}"


def is_missing_word(question: model.Cloze) -> bool:
    """Tell whether GIFT can hold a cloze question: one blank, and some text after it."""
    names = BLANK.findall(question.prompt)
    return len(names) == 1 and bool(question.prompt.rpartition("]]")[2].strip())


def is_alike(question: model.Cloze) -> bool:
    """Tell whether Canvas can hold a cloze question: every blank typed as text, or every blank chosen."""
    kinds = {blank.type for blank in question.blanks}
    return kinds in ({"text"}, {"choice"})


def _with(held: Callable[[model.Cloze], bool]) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        if isinstance(question, model.Cloze) and held(question):
            yield "type"

    return found


def _without(held: Callable[[model.Cloze], bool]) -> Callable[[model.Question], Iterator[str]]:
    return _with(lambda question: not held(question))


def _arrows(question: model.Question) -> Iterator[str]:
    """GIFT takes an arrow among the answers for a match, and has no escape for it."""
    if isinstance(question, model.Match):
        for number, pair in enumerate(question.pairs, 1):
            if ARROW in pair.left:
                yield f"pair {number}: left"


def _arrows_in_texts(question: model.Question) -> Iterator[str]:
    for label, rule in _texts(question):
        for number, key in enumerate(rule.accept, 1):
            if ARROW in key.text:
                yield f"{label}answer {number}"


def _arrows_in_whys(question: model.Question) -> Iterator[str]:
    for label, rule in _texts(question):
        for number, key in enumerate(rule.accept, 1):
            if ARROW in key.why:
                yield f"{label}answer {number}: why"
        if ARROW in rule.otherwise:
            yield f"{label}otherwise"


def _distractors(question: model.Question) -> Iterator[str]:
    if isinstance(question, model.Match) and question.distractors:
        yield "distractors"


def _printed(*, lines: bool) -> Callable[[model.Question], Iterator[str]]:
    def found(question: model.Question) -> Iterator[str]:
        if isinstance(question, model.Output) and ("\n" in question.expect.strip("\n")) == lines:
            yield "type"

    return found


def _row(field: str, found: Callable[[model.Question], Iterable[str]], *fates: str) -> Row:
    assert len(fates) == len(TARGETS)
    return Row(field, found, fates)


_OTHERS = ("each", "coverage")
_WEIGHED = "LOSS: a wrong option takes back what a right one gives"
_SPLIT = "LOSS: one question for each blank"
_ONE_BY_ONE = "LOSS: one question for each pair or place"
_GONE = "LOSS: left out"
_DROPS = "LOSS: in the file, but Canvas drops it"
_ALL = "LOSS: every right option must be found"
_WRONG = "LOSS: counts as wrong"
_PLACES = "LOSS: asked as a match of places"
_TYPED = "LOSS: asked as a text, case does not count"
_CATEGORY = "LOSS: a category; all are asked"
_DROPPED = "LOSS: the question is left out"
_ARROW = "LOSS: written as an arrow"
_VARIANTS = "LOSS: up to 5 variants, all asked"
_EACH_PAIR = "LOSS: every pair counts by itself"
_ESSAY = "LOSS: asked as an essay"
_NEAREST = "LOSS: moved to the nearest that Moodle takes"
_ANY_CASE = "LOSS: capital and small letters count as the same"
_AS_WORDS = "LOSS: asked as a text"

ROWS: tuple[Row, ...] = (
    _row("id", _has("id"), "enc", "ok", "ok", "enc", "ok"),
    _row("title", _has("title"), "ok", "ok", "ok", "enc", "text"),
    _row("objective", _has("objective"), "enc: a tag", "enc: a tag", _DROPS, "enc", "enc: a tag"),
    _row("tags", _has("tags"), "enc", "ok", _DROPS, "enc", "ok"),
    _row("difficulty", _has("difficulty"), "enc: a tag", "enc: a tag", _DROPS, "enc", "enc: a tag"),
    _row("context", _has("context"), *["text: before the prompt"] * 5),
    _row("single", _of(model.Single), "ok", "ok", "ok", "ok", "ok"),
    _row("option why", _whys, "ok", "ok", "ok", "ok", "ok"),
    _row("option missed", _missed, _GONE, _GONE, _GONE, _GONE, "text"),
    _row("partial credit of an option", _partial, "ok", "ok", _WRONG, _WRONG, "text"),
    _row("credit outside Moodle's list", _unlisted, _NEAREST, _NEAREST, "-", "-", "-"),
    _row("option pin", _pins, _GONE, _GONE, _GONE, _GONE, "-"),
    _row("multiple: net", _graded(model.Multiple, "net"), "ok", "ok", "ok", _ALL, "text"),
    _row("multiple: weights", _graded(model.Multiple, "weights"), "ok", "ok", _WEIGHED, _ALL, "text"),
    _row("multiple: all", _graded(model.Multiple, "all"), _WEIGHED, _WEIGHED, _WEIGHED, "ok", "text"),
    _row("multiple: each, coverage", _graded(model.Multiple, *_OTHERS), *[_WEIGHED] * 3, _ALL, "text"),
    _row("more than 10 right options", _too_many_right, _DROPPED, _DROPPED, "ok", "ok", "ok"),
    _row("truefalse", _of(model.TrueFalse), "ok", "ok", "ok", "enc: two options", "ok"),
    _row("numeric abs", _near("abs"), "ok", "ok", "ok", "enc: a range", "text"),
    _row("numeric abs below 0.0001", _tiny, "ok", "ok", "LOSS: Canvas may round it away", "ok", "text"),
    _row("numeric rel", _near("rel"), "enc: as abs", "enc: as abs", "enc: a range", "enc: a range", "text"),
    _row("wrong number with why", _number_credit(none=True), "ok", "ok", _GONE, "ok", "text"),
    _row("number with partial credit", _number_credit(none=False), "ok", "ok", _WRONG, _WRONG, "text"),
    _row("nan, inf as the key", _not_finite, _AS_WORDS, _AS_WORDS, _AS_WORDS, _AS_WORDS, "ok"),
    _row("accept (how a number is typed)", _typed_ways, _GONE, _GONE, _GONE, _GONE, "-"),
    _row("unit", _rule_has("unit"), _GONE, "ok", _GONE, _GONE, "text"),
    _row("otherwise", _rule_has("otherwise"), "ok", "ok", "ok", "ok", "text"),
    _row("otherwise of a gap", _otherwise_of_gap, "ok", "ok", _GONE, "ok", "text"),
    _row("text with partial credit", _text_credit, "ok", "ok", _WRONG, _WRONG, "text"),
    _row("match: case", _cased, _ANY_CASE, "ok", _ANY_CASE, "ok", "-"),
    _row("match: space, quotes, unicode", _matched, _GONE, _GONE, _GONE, _GONE, "-"),
    _row("regex", _regex, _GONE, _GONE, _GONE, _GONE, _GONE),
    _row("`*` in a text", _starred, "enc", "enc", "ok", "ok", "ok"),
    _row("`->` in a text", _arrows_in_texts, _GONE, "ok", "ok", "ok", "ok"),
    _row("`->` in the why of a text", _arrows_in_whys, _ARROW, "ok", "ok", "ok", "ok"),
    _row("cloze, one blank amid text", _with(is_missing_word), "ok", "ok", "ok", _SPLIT, "ok"),
    _row("cloze, other blanks", _without(is_missing_word), _SPLIT, "ok", "ok", _SPLIT, "ok"),
    _row("cloze, blanks of mixed type or numeric", _without(is_alike), "ok", "ok", _SPLIT, _SPLIT, "ok"),
    _row("match", _of(model.Match), "ok", "ok", "ok", _ONE_BY_ONE, "text"),
    _row("match: `->` on the left", _arrows, _ARROW, "ok", "ok", "ok", "ok"),
    _row("match: distractors", _distractors, "enc", "ok", "ok", "ok", "text"),
    _row("match: all or nothing", _graded(model.Match, "all"), *[_EACH_PAIR] * 4, "-"),
    _row("order", _of(model.Order), _PLACES, "ok: Moodle 4.4 or a plugin", _PLACES, _ONE_BY_ONE, "text"),
    _row("output of one line", _printed(lines=False), _TYPED, "enc: a text", _TYPED, "enc: a text", "ok"),
    _row("output of several lines", _printed(lines=True), _ESSAY, _ESSAY, _ESSAY, _DROPPED, "ok"),
    _row("code", _has("code"), "text: after the prompt", "ok", "ok", "ok", "ok"),
    _row("self", _of(model.SelfGraded), "enc: an essay", "ok: an essay", "enc: an essay", _DROPPED, "ok"),
    _row("info", _of(model.Info), "ok", "ok", "ok", _DROPPED, _DROPPED),
    _row("hints", _has("hints"), _GONE, "ok", _GONE, _GONE, "ok"),
    _row("hints of truefalse, self, info", _hints_alone, "-", _GONE, "-", "-", "ok"),
    _row("explanation", _has("explanation"), "ok", "ok", "ok", "enc: in each feedback", "ok"),
    _row("explanation of self, info", _explained_alone, "text: after the text", "ok", "ok", "-", "ok"),
    _row("ref", _has("ref"), *["enc: last line of the explanation"] * 5),
    _row("feedback correct, incorrect", _feedback, _GONE, "ok", "ok", _GONE, _GONE),
    _row("feedback partial", _feedback_partial, _GONE, "ok", _GONE, _GONE, _GONE),
    _row("feedback of what has no options", _feedback_alone, "-", _GONE, "-", "-", "-"),
    _row("points", _points, _GONE, "ok", "ok", _GONE, "-"),
    _row("attempts", _attempts, _GONE, "enc: the penalty", _GONE, _GONE, "-"),
    _row("attempts of truefalse", _attempts_once, "-", _GONE, "-", "-", "-"),
    _row("confidence", _has("confidence"), *[_GONE] * 4, "-"),
    _row("shuffle off", _unshuffled, _GONE, "ok", "LOSS: Canvas has one switch for all", _GONE, "-"),
    _row("image", _has("image"), "LOSS: only its words", "ok", "ok", *["enc: a file beside"] * 2),
    _row("params", _has("params"), *[_VARIANTS] * 2, "LOSS: one of up to 5 variants", *[_VARIANTS] * 2),
)  # fmt: skip

POOLS = _row("pools", _has("id"), _CATEGORY, _CATEGORY, "ok", "LOSS: all are asked", "-")  # fmt: skip
