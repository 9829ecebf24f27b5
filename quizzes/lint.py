"""What gives the answer away or reads badly: warnings about the questions of a bank, one function each.

A rule warns only where a person would agree at a glance; the numbers are named where they are used. What only
the text of a bank shows, not its model, is in :mod:`quizzes.lint_source`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from quizzes import model
from quizzes.lint_source import SMART
from quizzes.present import LETTERS
from quizzes.problems import clip, quoted
from quizzes.text import normalised, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from quizzes.model import Bank, Option, Place, Question
    from quizzes.problems import Problems

    Found = Iterator[tuple[Place, str, str, str]]  # place, code, message, fix

LONGER = 1.5  # times the mean length of the others
LONGER_BY = 12  # characters, so that "Q K^T" beside "Q" is no finding
MANY_OPTIONS = 5
LONG_OPTION = 200
TRUE_FALSE_ROW = 3
# Chi-square with 3 degrees of freedom passes this once in a hundred banks by chance.
SKEW = {1: 6.63, 2: 9.21, 3: 11.34, 4: 13.28, 5: 15.09}
LEAST_FOR_SKEW = 8

_ABSOLUTE = re.compile(r"\b(always|never)\b", re.IGNORECASE)
_ALL_OR_NONE = re.compile(
    r"^\W*(all|none|both|neither|any|some)\s+"
    r"(of\s+(the\s+)?(above|these|those|others?|options|answers|following)\b|(the\s+)?above\b|of\s+them\W*$"
    r"|(is|are)\s+(correct|right|true|wrong|false|incorrect)\W*$|appl(y|ies)\W*$)",
    re.IGNORECASE,
)
_POSITION = re.compile(
    r"\b(?i:both|either|neither|options?|answers?|choices?)\s+\(?[A-Ha-h1-8]\)?\s*(and|or|,|&)\s*\(?[A-Ha-h1-8]\)?(?!\w)"
    r"|^\W*((?i:only)\s+)?\(?[A-Ha-h]\)?\s*(,\s*\(?[A-Ha-h]\)?\s*)*(and|or|&)\s*\(?[A-Ha-h]\)?(\s+only)?\W*$"
    r"|\b(?i:the\s+)?(?i:first|second|third|fourth|last)\s+(two\s+|three\s+)?(options?|answers?|choices?)\b"
    r"|\b(option|answer|choice|statement|one)s?\s+(above|below)\b"
)
_NEGATIVE_STEM = re.compile(
    r"\b(which|what)\b[^.?!]*\b((is|are|does|do|was|were|would|can|could|should|must|will)\s+not|cannot|never"
    r"|(is|are|does|do|was|were|would|ca|could|should|must|wo)n['\u2019]t)\b|\bexcept\b|\b(incorrect|untrue)\b",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"\b(NOT|EXCEPT|INCORRECT|UNTRUE|CANNOT|NEVER)\b|N['\u2019]T\b|[*_](not|except|cannot|never)[*_]"
)
_ARTICLE = re.compile(
    r"\b(an?)\s*(?:_{2,}|\[\[[^\]]+\]\]|\.\.\.|:)?\s*$|\b(an?)\s+(?:_{2,}|\[\[[^\]]+\]\])", re.IGNORECASE
)
# Greek and Cyrillic letters that are drawn like Latin ones, and these.
_GREEK = "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf"
_CYRILLIC = (
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455"
)
_ALIKE = str.maketrans(_GREEK, "ABEZHIKMNOPTYXo") | str.maketrans(_CYRILLIC, "ABEKMHOPCTXaeopcyxijs")
# A word in Greek or Cyrillic, not just a sign: who reads it writes in that alphabet.
_OTHER_WORD = re.compile("[\u0370-\u03ff\u0400-\u04ff]{3}")
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{4,}")
_NUMBER = r"[+-]?(\d[\d_]*([.,]\d+)*|\.\d+)([eE][+-]?\d+)?(\s*%|\s*/\s*\d+)?"
_COMMON = {
    "about", "after", "again", "which", "where", "their", "there", "these", "those", "would", "could",
    "should", "other", "between", "because", "before", "every", "have", "having", "being", "does", "from",
    "into", "that", "them", "then", "they", "this", "what", "when", "will", "with", "your", "than", "each",
    "more", "most", "many", "much", "only", "over", "same", "some", "such", "very", "were", "whose", "using",
    "used", "value", "values", "following", "statement",
}  # fmt: skip


def bank(whole: Bank, problems: Problems, *, complete: bool = True) -> None:
    """Note what the questions of a bank give away. Without ``complete``, some have been left out as wrong."""
    for question in whole.questions:
        for rule in _OF_QUESTION:
            for place, code, message, fix in rule(question):
                problems.add(code, place, message, fix)
    for across in (_skewed_key, _same_why, _true_false_row, *([_unused_objective] if complete else [])):
        for place, code, message, fix in across(whole):
            problems.add(code, place, message, fix)


def _option_lists(question: Question) -> Iterator[tuple[Sequence[Option], bool]]:
    """Give each list of options of a question, and whether it is shuffled."""
    shuffled = bool(getattr(question, "shuffle", False))
    if isinstance(question, model.Single | model.Multiple):
        yield question.options, shuffled
    if isinstance(question, model.Cloze):
        for blank in question.blanks:
            if isinstance(blank.rule, model.ChoiceRule):
                yield blank.rule.options, shuffled


def _longest_right(question: Question) -> Found:
    for options, _ in _option_lists(question):
        right = [option for option in options if option.correct]
        wrong = [len(option.text) for option in options if not option.correct]
        if len(right) != 1 or not wrong:
            continue
        length, mean = len(right[0].text), sum(wrong) / len(wrong)
        if length > max(wrong) and length > LONGER * mean and length - mean > LONGER_BY:
            message = f"the correct option is {length} characters long, the others {mean:.0f} on average"
            yield right[0].place.of("text"), "L1", message, "shorten it, or make the others as exact"


def _positions(question: Question) -> Found:
    for options, shuffled in _option_lists(question):
        for option in options:
            place = option.place.of("text")
            if _ALL_OR_NONE.search(option.text) and not option.pin and shuffled:
                yield (
                    place,
                    "L3",
                    f"{quoted(clip(option.text, 40))} can stand anywhere when options are shuffled",
                    "add `pin: last`",
                )
            elif shuffled and _names_positions(option.text, len(options)):
                yield (
                    place,
                    "L3",
                    f"{quoted(clip(option.text, 40))} names positions, and the options are shuffled",
                    "name what it means",
                )


def _names_positions(text: str, count: int) -> bool:
    """Tell whether a text is about other options; a small letter that labels none of them is a name, such as `h`."""
    found = _POSITION.search(text)
    return found is not None and set(re.findall(r"\b[a-h]\b", found.group())) <= set(LETTERS[:count])


def _negative_stem(question: Question) -> Found:
    if not isinstance(question, model.Single | model.Multiple | model.TrueFalse):
        return
    if _NEGATIVE_STEM.search(question.prompt) and not _EMPHASIS.search(question.prompt):
        yield (
            question.place.of("prompt"),
            "L4",
            "a negative question is misread easily",
            "write NOT in capitals, or ask for what is true",
        )


def _absolutes(question: Question) -> Found:
    for options, _ in _option_lists(question):
        right = [option for option in options if option.correct]
        if any(_ABSOLUTE.search(option.text) for option in right):
            continue
        for option in options:
            if not option.correct and (found := _ABSOLUTE.search(option.text)):
                message = f"`{found.group()}` stands in wrong options only: a practised test taker rules it out"
                yield option.place.of("text"), "L5", message, "say it without the absolute"


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)} - _COMMON


def _overlap(question: Question) -> Found:
    for options, _ in _option_lists(question):
        right = [option for option in options if option.correct]
        wrong = [option for option in options if not option.correct]
        if len(right) != 1 or len(wrong) < 2:
            continue
        shared = (_words(question.prompt) & _words(right[0].text)).difference(
            *(_words(option.text) for option in wrong)
        )
        # One shared word is how people talk; two are an echo.
        if len(shared) >= 2:
            named = ", ".join(sorted(shared)[:3])
            yield (
                right[0].place.of("text"),
                "L6",
                f"only the correct option repeats the question's words ({named})",
                "use them in others too",
            )


def _too_many(question: Question) -> Found:
    for options, _ in _option_lists(question):
        if len(options) > MANY_OPTIONS:
            yield (
                question.place.of("options"),
                "L7",
                f"{len(options)} options; three that people believe in do as well",
                "drop the weakest",
            )
        for option in options:
            if len(option.text) > LONG_OPTION:
                yield (
                    option.place.of("text"),
                    "L12",
                    f"an option of {len(option.text)} characters",
                    "move what is common into the prompt",
                )


def _generous_net(question: Question) -> Found:
    if isinstance(question, model.Multiple) and question.grading == "net":
        right = sum(option.correct for option in question.options)
        if right > len(question.options) / 2:
            message = f"{right} of {len(question.options)} are correct: choosing everything earns credit with `net`"
            yield question.place.of("options"), "L8", message, "use `grading: all`, or add wrong options"


def _text_rules(question: Question) -> Iterator[model.TextRule]:
    """Give the rules by which a question judges texts: its own, or those of its blanks."""
    if isinstance(question, model.Text):
        yield question.rule
    for blank in getattr(question, "blanks", ()):
        if isinstance(blank.rule, model.TextRule):
            yield blank.rule


def _digits(question: Question) -> Found:
    for rule in _text_rules(question):
        for key in rule.accept:
            if re.fullmatch(_NUMBER, key.text.strip()):
                yield (
                    key.place.of("is"),
                    "L13",
                    f"{quoted(key.text)} is a number: 1.0 and 1 are different texts",
                    "use `type: numeric`",
                )


def _lost_in_pattern(question: Question) -> Found:
    """Find what a pattern waits for in vain: characters that no answer has by the time it is compared."""
    for rule in _text_rules(question):
        for key in rule.accept:
            for character in dict.fromkeys(key.regex):
                evened = normalised(character, rule.match)
                alive = character.isspace() or re.fullmatch(re.escape(character), evened, re.IGNORECASE)
                if not (alive or SMART.match(character)):  # those are L18
                    message = f"no answer has `{character}` when it is compared: it is `{evened}` by then"
                    yield key.place.of("regex"), "L20", message, f"write `{evened}`"


def _article(question: Question) -> Found:
    """Find "an ___" where only one option begins with a vowel."""
    found = _ARTICLE.search(question.prompt.strip())
    if not found:
        return
    vowel = (found.group(1) or found.group(2)).lower() == "an"
    for options, _ in _option_lists(question):
        fits = [option for option in options if bool(re.match(r"\W*[aeiou]", option.text, re.IGNORECASE)) == vowel]
        if fits and len(fits) < len(options) and all(option.correct for option in fits):
            yield (
                question.place.of("prompt"),
                "L14",
                "the article before the blank fits only the correct option",
                "write `a(n)`",
            )


def _same_but_case(question: Question) -> Found:
    for options, _ in _option_lists(question):
        texts = [(option.text, option.place.of("text")) for option in options]
        for text, place in _twins(texts, str.casefold):
            message = f"{quoted(clip(text, 40))} differs from another option in capitals only"
            yield place, "L19", message, "make the difference plain"


def _unexplained(question: Question) -> Found:
    """Find a statement whose wrong answer is explained nowhere: the learner reads the key, and not why."""
    if isinstance(question, model.TrueFalse) and not question.explanation:
        wrong = "why_false" if question.answer else "why_true"
        if not getattr(question, wrong):
            answer = wrong.removeprefix("why_")
            message = f"who answers {answer} reads no reason: there is neither `{wrong}` nor `explanation`"
            yield question.place.of("answer"), "L23", message, f"say in `{wrong}` why it is not so"


def _look_alikes(question: Question) -> Found:
    for texts in _read_together(question):
        for text, place in _twins(texts, lambda form: form.translate(_ALIKE)):
            message = f"{quoted(clip(text, 40))} looks like another one, in letters of another alphabet"
            yield place, "L22", message, "write both in one alphabet, or make the difference plain"


def _untypable(question: Question) -> Found:
    """Find what is to be typed and holds a letter of another alphabet that is drawn like a Latin one."""
    foreign = bool(_OTHER_WORD.search(question.prompt))
    for text, place in _typed_texts(question):
        words = re.findall(r"[^\W\d_]+", text)
        # A word of two alphabets is a slip; without one, so is a text all of whose letters could be Latin.
        mixed = any(word.translate(_ALIKE).isascii() and re.search("[A-Za-z]", word) for word in words if _alike(word))
        if mixed or (_alike(text) and not foreign and "".join(words).translate(_ALIKE).isascii()):
            found = ", ".join(f"`{one}` (U+{ord(one):04X})" for one in _alike(text))
            message = f"{quoted(clip(text, 40))} has {found}, which looks like a letter of the Latin alphabet"
            yield place, "L22", message, "write it in one alphabet, or nobody can type it"


def _alike(text: str) -> list[str]:
    return list(dict.fromkeys(one for one in text if ord(one) in _ALIKE))


def _typed_texts(question: Question) -> Iterator[tuple[str, Place]]:
    """Give each text that an answer is compared with, with its place."""
    for rule in _text_rules(question):
        for key in rule.accept:
            yield key.text or key.regex, key.place.of("is" if key.text else "regex")
    if isinstance(question, model.Numeric):
        yield question.rule.unit, question.place.of("unit")
    for blank in getattr(question, "blanks", ()):
        if isinstance(blank.rule, model.NumberRule):
            yield blank.rule.unit, blank.place.of("unit")
    if isinstance(question, model.Output):
        yield question.expect, question.place.of("expect")


def _read_together(question: Question) -> Iterator[list[tuple[str, Place]]]:
    """Give each list of texts that a person has to tell apart, with their places."""
    for options, _ in _option_lists(question):
        yield [(option.text, option.place.of("text")) for option in options]
    if isinstance(question, model.Order):
        yield [(text, question.place.of("items", index)) for index, text in enumerate(question.items)]
    if isinstance(question, model.Match):
        yield [(pair.left, pair.place.of("left")) for pair in question.pairs]
        spare = [(text, question.place.of("distractors", index)) for index, text in enumerate(question.distractors)]
        yield [*((pair.right, pair.place.of("right")) for pair in question.pairs), *spare]


def _twins(texts: Sequence[tuple[str, Place]], form: Callable[[str], str]) -> Iterator[tuple[str, Place]]:
    """Give each text that differs from an earlier one, but not in its form."""
    seen: dict[str, str] = {}
    for text, place in texts:
        read = plain(text)
        if seen.setdefault(form(read), read) != read:
            yield text, place


_OF_QUESTION: tuple[Callable[[model.Question], Found], ...] = (
    _longest_right,
    _positions,
    _negative_stem,
    _absolutes,
    _overlap,
    _too_many,
    _generous_net,
    _digits,
    _lost_in_pattern,
    _article,
    _same_but_case,
    _look_alikes,
    _untypable,
    _unexplained,
)


# Over the whole bank


def _skewed_key(whole: Bank) -> Found:
    """Find keys that stand at one position too often, where positions are shown as they are."""
    fixed = [one for one in whole.questions if isinstance(one, model.Single) and not one.shuffle]
    by_count: dict[int, list[model.Single]] = {}
    for question in fixed:
        by_count.setdefault(len(question.options), []).append(question)
    for count, questions in by_count.items():
        if len(questions) < LEAST_FOR_SKEW or count - 1 not in SKEW:
            continue
        keys = Counter(next((i for i, option in enumerate(one.options) if option.correct), 0) for one in questions)
        expected = len(questions) / count
        chi = sum((keys[index] - expected) ** 2 / expected for index in range(count))
        if chi > SKEW[count - 1]:
            index, often = keys.most_common(1)[0]
            message = f"the key is option {index + 1} in {often} of {len(questions)} unshuffled questions"
            yield questions[0].place.of("options"), "L2", message, "use `shuffle: true`, or move the keys"


def _same_why(whole: Bank) -> Found:
    seen: dict[str, tuple[str, Place]] = {}
    for question in whole.questions:
        for options, _ in _option_lists(question):
            for option in options:
                form = plain(option.why).casefold()
                if not form:
                    continue
                before = seen.setdefault(form, (question.id, option.place))
                if before[0] != question.id:
                    message = f"the same `why` as in `{before[0]}` on line {before[1].line}"
                    yield option.place.of("why"), "L9", message, "explain this option in this question"


def _unused_objective(whole: Bank) -> Found:
    used = {question.objective for question in whole.questions}
    for objective in whole.objectives:
        if objective.id not in used:
            yield (
                objective.place,
                "L10",
                f"no question asks for the objective `{objective.id}`",
                "add one, or remove it",
            )


def _true_false_row(whole: Bank) -> Found:
    row = 0
    for question in whole.questions:
        row = row + 1 if isinstance(question, model.TrueFalse) else 0
        if row == TRUE_FALSE_ROW + 1:
            yield (
                question.place,
                "L11",
                f"more than {TRUE_FALSE_ROW} true-or-false questions in a row",
                "put others between them",
            )
