"""What is said about a question once it is over: the key in the labels that were shown, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizzes import model
from quizzes.grading import printed
from quizzes.numeric import as_typed
from quizzes.present import options_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from fractions import Fraction

    from quizzes.grading import Verdict
    from quizzes.model import Question
    from quizzes.present import Shown


def notes_by_option(question: Question) -> bool:
    """Tell whether each option's reason is shown by its label, so that the chosen one's is not repeated."""
    return isinstance(question, model.Single | model.Multiple)


def lines_expected(question: model.Output) -> int:
    """Return how many lines a program prints."""
    return len(printed(question.expect))


def remarks(shown: Shown, verdict: Verdict) -> list[str]:
    """Return what is said about an answer after which another is asked for.

    Of several options, each remark says by its label which one it is about. Those that were missed are not named
    yet: they are the rest of the key.
    """
    if not verdict.about:
        return list(verdict.notes)
    notes = dict(zip(verdict.about, verdict.notes, strict=True))
    options = options_of(shown.question)
    listed = zip(shown.labels(), (options[index].id for index in shown.orders[""]), strict=True)
    return [f"{label}) {notes[name]}" for label, name in listed if name in notes and name not in verdict.missed]


def explain(shown: Shown, score: Fraction, *, given: bool, missed: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return what there is to say, as (text, indent): the key unless given, each reason, the rest.

    ``missed`` are the ids of right options that were not chosen.
    """
    question = shown.question
    said: list[tuple[str, str]] = []
    if not given and not isinstance(question, model.SelfGraded) and (key := key_text(shown)):
        said.append((key, ""))
    if isinstance(question, model.Single | model.Multiple):
        options = [question.options[index] for index in shown.orders[""]]
        for label, option in zip(shown.labels(), options, strict=True):
            if option.why:
                said.append((f"{label}) {'right' if option.correct else 'wrong'}: {option.why}", "  "))
            if option.missed and option.id in missed:
                said.append((f"{label}) not chosen: {option.missed}", "  "))
    if feedback := _feedback(question, score):
        said.append((feedback, ""))
    if question.explanation:
        said.append((question.explanation.rstrip("\n"), ""))
    if score < 1 and (ref := shown.bank.ref(shown.template)):
        said.append((f"See {ref}", ""))
    return said


def _feedback(question: Question, score: Fraction) -> str:
    if question.feedback is None:
        return ""
    if score == 1:
        return question.feedback.correct
    return question.feedback.partial if score else question.feedback.incorrect


def key_text(shown: Shown) -> str:
    """Return the right answer in words and labels."""
    question = shown.question
    match question:
        case model.Single() | model.Multiple():
            options = [question.options[index] for index in shown.orders[""]]
            right = [
                (label, option.text) for label, option in zip(shown.labels(), options, strict=True) if option.correct
            ]
            if len(right) == 1:
                return f"The answer: {right[0][0]}) {right[0][1]}"
            return _listed([f"{label}) {text}" for label, text in right])
        case model.TrueFalse():
            return f"The answer: {'true' if question.answer else 'false'}"
        case model.Numeric() | model.Text():
            return _said(rule_key(question.rule))
        case model.Cloze():
            keys = [(blank.name, rule_key(blank.rule)) for blank in question.blanks]
            return _said(", ".join(f"{name}: {key}" for name, key in keys if key))
        case model.Match():
            labels = dict(zip(shown.orders[""], shown.labels(), strict=True))
            return _listed([f"{pair.left}: {labels[i]}) {pair.right}" for i, pair in enumerate(question.pairs)])
        case model.Order():
            labels = dict(zip(shown.orders[""], shown.labels(), strict=True))
            return _listed([f"{labels[i]}) {item}" for i, item in enumerate(question.items)])
        case model.Output():
            lines = printed(question.expect)
            return (
                f"It prints: {lines[0]}"
                if len(lines) == 1
                else "It prints:\n" + "\n".join(f"  {line}" for line in lines)
            )
        case model.SelfGraded():
            return _said(question.answer)
    return ""


def _listed(rows: list[str]) -> str:
    return "The answer:\n" + "\n".join(f"  {row}" for row in rows)


def _said(key: str) -> str:
    return f"The answer: {key}" if key else ""


def rule_key(rule: model.NumberRule | model.TextRule | model.ChoiceRule) -> str:
    """Return the first answer that earns everything; nothing where only a pattern does."""
    if isinstance(rule, model.NumberRule):
        full = [as_typed(answer.value, rule) for answer in rule.answers if answer.value and answer.credit == model.FULL]
        return f"{full[0]}{f' {rule.unit}' if rule.unit else ''}" if full else ""
    if isinstance(rule, model.TextRule):
        return next((key.text for key in rule.accept if key.text and key.credit == model.FULL), "")
    return next((option.text for option in rule.options if option.correct), "")
