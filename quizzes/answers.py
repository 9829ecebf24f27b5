"""From what a person types, or writes in an answers file, to an answer that :mod:`quizzes.grading` can judge.

A label or a whole option's text is taken; anything else is refused with what would do, and never guessed at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from quizzes import model, tree
from quizzes.grading import NotAnAnswerError
from quizzes.numeric import forms
from quizzes.present import choices, options_of
from quizzes.problems import quoted
from quizzes.text import bare, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizzes.present import Shown

YES = ("y", "yes")
NO = ("n", "no")
_BETWEEN = {"", "and", "then"}  # labels of a row
_TRUE = {"true": True, "t": True, "false": False, "f": False}
_RECALLED = dict.fromkeys(YES, "yes") | {"p": "partly", "partly": "partly"} | dict.fromkeys(NO, "no")


def wanted(shown: Shown, name: str = "") -> str:
    """Return what is to be typed, for the prompt and for who typed something else; never with labels in a row.

    Any row may be the key of some question, and with two items a wrong one tells the key as well.
    """
    question = shown.question
    match question:
        case model.Single():
            return f"one of {_span(shown.labels())}"
        case model.Multiple():
            return "all that are right, with spaces between"
        case model.TrueFalse():
            return "t for true or f for false"
        case model.Numeric():
            return _number(question.rule)
        case model.Text():
            return "a word or a few"
        case model.Match():
            count = len(question.pairs)
            return f"{count} labels, for 1 to {count} in turn, with spaces between"
        case model.Order():
            return f"all {len(question.items)} labels in the right order, with spaces between"
        case model.Cloze():
            if name in shown.orders:
                return f"one of {_span(shown.labels(name))}"
            rule = next(blank.rule for blank in question.blanks if blank.name == name)
            return _number(rule) if isinstance(rule, model.NumberRule) else "a word or a few"
        case model.SelfGraded():
            return "y for yes, p for partly, n for no"
    return "the line that is printed"


def _number(rule: model.NumberRule) -> str:
    unit = f" in {rule.unit}" if rule.unit else ""
    return f"a number{unit}" if "decimal" in rule.accept else f"a number{unit}: {forms(rule)}"


def _span(labels: list[str]) -> str:
    return f"{labels[0]} to {labels[-1]}" if len(labels) > 2 else " or ".join(labels)


def is_command(line: str) -> bool:
    """Tell whether the prompt obeys a line instead of taking it as an answer; a space before a colon prevents that."""
    return line.startswith(":") or line.strip() == "?"


def parse(shown: Shown, text: str, name: str = "") -> Any:
    """Return the answer that a line means (``name`` is the blank); NotAnAnswerError if it means none."""
    typed = text.strip()
    if not typed:
        raise NotAnAnswerError(f"type {wanted(shown, name)}")
    _refuse_ambiguous(shown, typed, name)
    question = shown.question
    match question:
        case model.Single():
            return frozenset({question.options[_one(shown, typed)].id})
        case model.Multiple():
            return frozenset(question.options[index].id for index in _some(shown, typed))
        case model.TrueFalse():
            return _word(_TRUE, typed, shown)
        case model.SelfGraded():
            return _word(_RECALLED, typed, shown)
        case model.Match():
            return _row(shown, _in_turn(shown, typed), len(question.pairs))
        case model.Order():
            return _row(shown, _in_turn(shown, typed), len(question.items), once=True)
        case model.Cloze() if name in shown.orders:
            rule = next(blank.rule for blank in question.blanks if blank.name == name)
            assert isinstance(rule, model.ChoiceRule)
            return rule.options[_one(shown, typed, name)].id
    return text


def _refuse_ambiguous(shown: Shown, typed: str, name: str) -> None:
    """Refuse what is the label of one option and the text of another: where letters and digits both are texts."""
    label = typed.casefold()
    if name not in shown.orders or label not in shown.labels(name):
        return
    texts = [plain(text) for text in shown.texts(name)]
    if plain(typed) in texts and texts.index(plain(typed)) != shown.labels(name).index(label):
        raise NotAnAnswerError(f"that is an option, and the label of another; type `{label})` for the label")


def _word(words: dict[str, Any], typed: str, shown: Shown) -> Any:
    word = bare(plain(typed)).casefold()
    if word not in words:
        raise NotAnAnswerError(f"type {wanted(shown)}")
    return words[word]


def _label(typed: str) -> str:
    """A label as people type it: ``a``, ``A``, ``a)``, ``(a)``, ``[a]``, ``a.``, ``a:`` or in quotes."""
    return re.sub(r"""^[(['"]?(\w{1,2})[])'".:]?$""", r"\1", plain(typed)).casefold()


def _one(shown: Shown, typed: str, name: str = "") -> int:
    """Return the author's index of the option that is meant: by its label or its text, or by the line of both."""
    labels, texts = shown.labels(name), [plain(text) for text in shown.texts(name)]
    lines = [plain(f"{label}) {text}") for label, text in zip(labels, texts, strict=True)]
    word = bare(plain(typed))
    for known, meant in (
        (labels, typed.casefold()),
        (texts, plain(typed)),
        (labels, _label(typed)),
        (texts, word),
        (lines, plain(typed)),
        ([text.casefold() for text in texts], word.casefold()),
    ):
        if known.count(meant) == 1:
            return shown.orders[name][known.index(meant)]
    raise NotAnAnswerError(f"that is none of the options; type {wanted(shown, name)}")


def _some(shown: Shown, typed: str) -> list[int]:
    """Return the author's indexes of several options."""
    found = _listed(shown, typed)
    if len(set(found)) != len(found):
        raise NotAnAnswerError("an option is there twice")
    return found


def _in_turn(shown: Shown, typed: str) -> list[int]:
    """Return the author's indexes of the options that a row names, in the order of typing."""
    arrow = r"[-=]?>|[\u2192\u21d2]"
    text = re.sub(arrow, ";", plain(typed))
    # Every label is to be there, so a dash can be no "to".
    if words := _numbered(shown, typed) or _labels(shown, text.replace("-", " ")):
        return _of_labels(shown, words)
    return _listed(shown, typed if any(re.search(arrow, one) for one in shown.texts()) else text)


def _row(shown: Shown, found: Sequence[int], count: int, *, once: bool = False) -> tuple[int, ...]:
    """Return a row of options if it has as many as are asked for."""
    if len(found) != count:
        raise NotAnAnswerError(f"that names {len(found)}; type {wanted(shown)}")
    if once and len(set(found)) != count:
        raise NotAnAnswerError("one is there twice; each belongs in once")
    return tuple(found)


def _listed(shown: Shown, typed: str) -> list[int]:
    """Return the author's indexes of options: ``a c``, ``a,c``, ``a and c``, ``ac``, or whole texts with commas."""
    words, texts = _labels(shown, typed), [plain(text) for text in shown.texts()]
    if words and plain(typed) not in texts:
        return _of_labels(shown, words)
    if words and len(words) > 1:
        raise NotAnAnswerError("that is an option, and labels as well; put commas between labels")
    pieces = [piece for piece in re.split("[,;]", typed) if piece.strip()]
    if len(pieces) < 2 or any(re.search("[,;]", text) for text in texts):
        return [_one(shown, typed)]
    return [_one(shown, piece) for piece in pieces]


def _of_labels(shown: Shown, words: Sequence[str]) -> list[int]:
    return [shown.orders[""][shown.labels().index(word)] for word in words]


def _numbered(shown: Shown, typed: str) -> list[str] | None:
    """Return the labels of ``2b 1-a`` in the order of their numbers, or None for another kind of line."""
    pair = r"(\d{1,2})\W*([a-z])\b"
    parts = [(int(number), label) for number, label in re.findall(pair, plain(typed).casefold())]
    row = [label for _, label in sorted(parts)]
    rest = re.sub(pair, "", plain(typed).casefold())
    in_turn = sorted(number for number, _ in parts) == list(range(1, len(parts) + 1))
    return row if in_turn and not re.search(r"\w", rest) and all(label in shown.labels() for label in row) else None


def _labels(shown: Shown, typed: str) -> list[str] | None:
    """Return the labels in a line, or None if it holds something else."""
    labels = shown.labels()
    words = [_label(word) for word in re.split(r"[\s,;&+()[\]{}]+", plain(typed)) if word.casefold() not in _BETWEEN]
    if len(words) == 1 and words[0] not in labels and all(len(label) == 1 for label in labels):
        words = list(words[0])
    return words if words and all(word in labels for word in words) else None


# Answers files


def _named(shown: Shown, text: str, name: str = "") -> int:
    """Return the author's index of an option that a file names."""
    known = _known(shown, text, name)
    return _one(shown, text, name) if known is None else known


def _known(shown: Shown, text: str, name: str = "") -> int | None:
    """Return the author's index of the option whose id or whole text this is: no order changes them, unlike labels."""
    found = {index for index, option in enumerate(options_of(shown.question, name)) if option.id == text}
    found |= {index for index, one in enumerate(choices(shown.question, name)) if plain(one) == plain(text)}
    if len(found) > 1:
        raise NotAnAnswerError("that is the id of one option and the text of another")
    return found.pop() if found else None


def from_data(shown: Shown, node: tree.Node) -> Any:
    """Return the answer that an answers file gives: ids, texts or labels, several in lists and mappings."""
    question = shown.question
    if isinstance(question, model.Cloze):
        if not isinstance(node, tree.Mapping):
            raise NotAnAnswerError(f"give a mapping of {', '.join(blank.name for blank in question.blanks)}")
        texts = _complete(node, [blank.name for blank in question.blanks])
        return {blank.name: _filling(shown, text, blank) for blank, text in zip(question.blanks, texts, strict=True)}
    if isinstance(question, model.Match) and isinstance(node, tree.Mapping):
        return tuple(_named(shown, text) for text in _complete(node, [pair.left for pair in question.pairs]))
    if isinstance(node, tree.Sequence):
        texts = [_text(item) for item in node.items]
        if isinstance(question, model.Multiple) and texts:
            return frozenset(question.options[_named(shown, text)].id for text in texts)
        if isinstance(question, model.Match):
            return _row(shown, [_named(shown, text) for text in texts], len(question.pairs))
        if isinstance(question, model.Order):
            return _row(shown, [_named(shown, text) for text in texts], len(question.items), once=True)
        if isinstance(question, model.Output):
            return "\n".join(texts)
        raise NotAnAnswerError(f"a list does not fit here; give {wanted(shown)}")
    text = _text(node)
    if isinstance(question, model.Single | model.Multiple) and (index := _known(shown, text)) is not None:
        return frozenset({question.options[index].id})
    return parse(shown, text)


def _complete(node: tree.Mapping, names: Sequence[str]) -> list[str]:
    """Return what a mapping gives to each part of a question; NotAnAnswerError names the parts it leaves out."""
    given = {plain(name): value for name, value in node.items.items()}
    missing = [name for name in names if plain(name) not in given]
    if missing:
        raise NotAnAnswerError(f"there is no answer for {', '.join(map(quoted, missing))}")
    return [_text(given[plain(name)]) for name in names]


def _filling(shown: Shown, text: str, blank: model.Blank) -> str:
    if isinstance(blank.rule, model.ChoiceRule):
        return blank.rule.options[_named(shown, text, blank.name)].id
    filled: str = parse(shown, text, blank.name)
    return filled


def _text(node: tree.Node | None) -> str:
    if isinstance(node, tree.Scalar) and not node.broken:
        return node.text
    raise NotAnAnswerError("there is no answer here that could be typed")
