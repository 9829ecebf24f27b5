"""Whether a bank makes sense: E10 to E24 and E27, asked of the model, wherever that comes from.

A question with params is asked in several of its filled forms, because 2*d and d**2 are the same option when
d is 2.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from quizzes import grading, model, params, rules_bank
from quizzes.fields import nearest
from quizzes.numeric import as_typed, tolerance, typed_back
from quizzes.patterns import PatternError, compiled
from quizzes.problems import clip, quoted
from quizzes.text import normalised, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from quizzes.problems import Problems

# Formatting that an editor leaves in a text. `<eos>` and `list<int>` are none.
_MARKUP = r"(?i)</?(b|br|code|div|em|font|i|p|pre|span|strong|sub|sup|u)(\s[^>]*)?/?>|&(amp|lt|gt|quot|nbsp|#\d+);"

BLANK = re.compile(r"\[\[([^\[\]]+)\]\]")

# How many forms of a question with params are looked at when a quiz starts, and how many by `quiz check`.
FEW_VARIANTS = 1
MANY_VARIANTS = 64
# How many draws of params are tried in a bank: some 2 seconds where hardly any meets `where`.
MAX_TRIES = 200_000


def check(
    bank: model.Bank, problems: Problems, *, broken_ids: Collection[str] = (), variants: int = FEW_VARIANTS
) -> None:
    """Note what does not make sense. ``broken_ids`` are questions that exist but could not be read."""
    rules_bank.check_ids(bank, problems)
    rules_bank.check_pools(bank, problems, broken_ids)
    rules_bank.check_mastery(bank, problems, broken_ids)
    tries = iter(range(MAX_TRIES))
    for question in bank.questions:
        asker = _Asker(bank, question, problems)
        asker.check()
        asker.check_forms(variants, tries)


def check_forms(bank: model.Bank, problems: Problems, most: int) -> None:
    """Note what does not make sense in further forms of the questions with params."""
    tries = iter(range(MAX_TRIES))
    for question in bank.questions:
        if question.params:
            _Asker(bank, question, problems).check_forms(most, tries)


class _Asker:
    """Asks one question everything there is to ask."""

    def __init__(self, bank: model.Bank, question: model.Question, problems: Problems) -> None:
        self.bank = bank
        self.question = question
        self.problems = problems

    def note(self, code: str, place: model.Place, message: str, fix: str = "", *, error: bool | None = None) -> None:
        self.problems.add(code, place, message, fix, error=error)

    def check(self) -> None:
        self._names()
        self._params()
        for rule in (getattr(self.question, "rule", None), *(one.rule for one in getattr(self.question, "blanks", ()))):
            self._patterns(rule)

    def check_forms(self, most: int, tries: Iterator[int]) -> None:
        try:
            for form in params.variants(self.question, most, tries):
                self._content(form)
        except params.ParamError as error:
            self.note(
                "E23",
                error.place or self.question.place.of("params"),
                clip(str(error), 200),
                "mend the params or the text that uses them",
            )

    def _names(self) -> None:
        question = self.question
        objectives = {objective.id for objective in self.bank.objectives}
        if question.objective and question.objective not in objectives:
            hint = nearest(question.objective, objectives, self.problems)
            self.note(
                "E22",
                question.place.of("objective"),
                f"unknown objective `{clip(question.objective)}`{hint}",
                "list it under `objectives`",
            )
        if question.context and question.context not in self.bank.contexts:
            hint = nearest(question.context, self.bank.contexts, self.problems)
            self.note(
                "E22",
                question.place.of("context"),
                f"unknown context `{clip(question.context)}`{hint}",
                "list it under `contexts`",
            )
        if question.image and not question.image.alt.strip():
            self.note(
                "E24",
                question.place.of("image"),
                "the picture has no `alt`",
                "say in words what it shows; a terminal shows these words",
            )

    def _params(self) -> None:
        """Note params that nobody uses, and formulas where there are no params."""
        question = self.question
        used = params.used_names(question) if question.params else set()
        for param in question.params:
            if param.name not in used:
                self.note(
                    "E23",
                    param.place,
                    f"the param `{param.name}` is not used",
                    "use it in a text or a formula, or remove it",
                )
        if question.where and not question.params:
            self.note("E23", question.place.of("where"), "`where` without params", "add `params:` or remove it")

    def _patterns(self, rule: object) -> None:
        """Note patterns that must not be used; they are the same in every form of the question."""
        if isinstance(rule, model.TextRule):
            for key in rule.accept:
                if key.regex:
                    try:
                        compiled(key.regex, rule.match)
                    except PatternError as error:
                        self.note(
                            "E19",
                            key.place.of("regex"),
                            clip(str(error), 200),
                            "write a simpler pattern, or list the texts with `is`",
                        )

    # Content, of each filled form

    def _content(self, form: model.Question) -> None:
        match form:
            case model.Single():
                self._one_right(form.options, form.place.of("options"))
            case model.Multiple():
                self._some_right(form)
            case model.Numeric():
                self._number(form.rule, form.place)
            case model.Text():
                self._text(form.rule, form.place)
            case model.Cloze():
                self._cloze(form)
            case model.Match():
                self._match(form)
            case model.Order():
                self._enough(form.items, 2, "an order has at least two items", form.place.of("items"))
                self._distinct(form.items, [form.place.of("items", i) for i in range(len(form.items))], "E21", "items")

    def _enough(self, found: Sequence[object], least: int, message: str, place: model.Place) -> None:
        if len(found) < least:
            self.note("E14", place, f"{message}, this has {len(found)}", "add what is missing")

    def _distinct(self, texts: Sequence[str], places: Sequence[model.Place], code: str, what: str) -> None:
        seen: dict[str, int] = {}
        for index, text in enumerate(texts):
            form = plain(text)
            if form in seen:
                first = places[seen[form]].line
                self.note(
                    code,
                    places[index],
                    f"two {what} are the same to a reader: {quoted(clip(text))} is also on line {first}",
                    "change or remove one",
                )
            seen.setdefault(form, index)

    def _options(self, options: Sequence[model.Option], place: model.Place) -> None:
        self._enough(options, 2, "a choice has at least two options", place)
        self._distinct(
            [option.text for option in options],
            [option.place.of("text") for option in options],
            "E13",
            "options",
        )
        ids: set[str] = set()
        for option in options:
            if option.id in ids and "id" in getattr(option.place, "items", ()):
                self.note(
                    "E10",
                    option.place.of("id"),
                    f"two options have the id `{option.id}`",
                    "give one another id",
                )
            ids.add(option.id)
            if not option.why.strip():
                draft = self.bank.draft
                self.note(
                    "E15",
                    option.place,
                    f"the option {quoted(clip(option.text, 40))} has no `why`",
                    "say why it is right or wrong",
                    error=not draft,
                )

    def _one_right(self, options: Sequence[model.Option], place: model.Place) -> None:
        self._options(options, place)
        right = [option for option in options if option.correct]
        if not right:
            self.note("E11", place, "no option is marked `correct: true`", "mark the right one")
        for option in right[1:]:
            self.note(
                "E12",
                option.place,
                f"a second correct option; the first is on line {right[0].place.line}",
                "use `type: multiple`, or mark one only",
            )
        for option in options:
            if option.correct and grading.credit(option) != model.FULL:
                self.note(
                    "E26",
                    option.place.of("credit"),
                    "the correct option does not earn 100",
                    "remove its `credit`",
                )
            elif not option.correct and grading.credit(option) >= model.FULL:
                self.note(
                    "E12",
                    option.place.of("credit"),
                    "a wrong option earns 100",
                    "give it less, or mark it `correct: true`",
                )

    def _some_right(self, form: model.Multiple) -> None:
        place = form.place.of("options")
        self._options(form.options, place)
        if not any(option.correct for option in form.options):
            self.note(
                "E11",
                place,
                "no option is marked `correct: true`",
                "mark at least one; a question where none is right cannot be told from one not answered",
            )
        if form.grading != "weights":
            for option in form.options:
                if option.credit is not None:
                    self.note(
                        "E06",
                        option.place.of("credit"),
                        f"`credit` has no effect with `grading: {form.grading}`",
                        "remove it, or use `grading: weights`",
                    )
            return
        shares = grading.weights(form.options)
        right = {option.id for option in form.options if option.correct}
        if grading.choice_score(form, {option.id for option in form.options}) == 1:
            self.note(
                "E27",
                place,
                "choosing every option earns everything: the wrong ones cost nothing",
                "give the wrong ones a negative `credit`",
            )
        for option in form.options:
            # Of all choices that have a wrong option, none earns more than that one with all the right ones.
            if not option.correct and grading.choice_score(form, right | {option.id}) == 1:
                self.note(
                    "E27",
                    option.place,
                    "choosing this wrong option besides the right ones earns everything",
                    "give it a negative `credit`, which takes the sum below 100",
                )
            if option.correct != (shares[option.id] > 0):
                kind = "correct" if option.correct else "wrong"
                self.note(
                    "E27",
                    option.place,
                    f"a {kind} option has a credit of {option.credit}",
                    "credit above 0 is for correct options only",
                )

    def _number(self, rule: model.NumberRule, place: model.Place) -> None:
        if rule.answers and all(answer.credit < model.FULL for answer in rule.answers):
            self.note("E11", place.of("answers"), "no answer earns 100", "leave out `credit` at the right one")
        spans: list[tuple[Fraction, Fraction, model.NumericAnswer]] = []
        for answer in rule.answers:
            if answer.value is None or not self._tolerance(answer, rule):
                continue
            key = answer.value.value
            if key.is_finite():
                margin = tolerance(key, answer.abs, answer.rel)
                spans.append((Fraction(key) - margin, Fraction(key) + margin, answer))
        for index, (low, high, answer) in enumerate(spans):
            for other_low, other_high, other in spans[:index]:
                if low <= other_high and other_low <= high and answer.credit != other.credit:
                    credits_ = f"earns {other.credit}, not {answer.credit}"
                    message = f"this answer's range meets that of line {other.place.line}, which {credits_}"
                    self.note("E18", answer.place, message, "narrow `abs` or `rel`")

    def _tolerance(self, answer: model.NumericAnswer, rule: model.NumberRule) -> bool:
        """Tell whether value and tolerance go together, and note what does not."""
        assert answer.value is not None
        key = answer.value.value
        bad = [
            (name, number)
            for name, number in (("abs", answer.abs), ("rel", answer.rel))
            if number is not None and not (number.value.is_finite() and number.value >= 0)
        ]
        for name, number in bad:
            self.note("E17", answer.place.of(name), f"`{name}` is {number.text}", "a tolerance is 0 or more")
        if bad:
            return False
        if not key.is_finite():
            if answer.abs or answer.rel:
                self.note("E17", answer.place, f"a tolerance around {answer.value.text}", "remove `abs` and `rel`")
            return True
        if answer.rel is not None and key == 0 and answer.abs is None:
            self.note("E17", answer.place.of("rel"), "`rel` with the value 0 is no tolerance at all", "use `abs`")
            return False
        if answer.abs is None and answer.rel is None and key != key.to_integral_value():
            self.note(
                "E17",
                answer.place,
                f"{answer.value.text} is no whole number and has no tolerance",
                "add `abs:` (0 for exactly) or `rel:`",
            )
            return False
        if abs(Fraction(key) - typed_back(answer.value, rule)) > tolerance(key, answer.abs, answer.rel):
            # A formula has more digits than are shown, and what is shown as the key must count as right.
            message = f"the value, rounded to {as_typed(answer.value, rule)}, is outside its own tolerance"
            self.note("E17", answer.place, message, "widen `abs` or `rel`")
            return False
        return True

    def _text(self, rule: model.TextRule, place: model.Place) -> None:
        if rule.accept and all(key.credit < model.FULL for key in rule.accept):
            self.note("E11", place.of("accept"), "no accepted text earns 100", "leave out `credit` at the right one")
        seen: dict[str, model.TextKey] = {}
        for key in rule.accept:
            if key.regex:
                continue
            if markup := re.search(_MARKUP, key.text):
                self.note("E26", key.place.of("is"), f"nobody types `{markup.group()}`", "write the bare text")
            form = normalised(key.text, rule.match)
            if not form:
                self.note(
                    "E26",
                    key.place.of("is"),
                    "nothing is left of this text to compare",
                    "change it, or `match`",
                )
            elif form in seen:
                first = seen[form].place.line
                self.note(
                    "E20",
                    key.place.of("is"),
                    f"the same as line {first} once case, spaces and quotes are evened out",
                    "remove one",
                )
            seen.setdefault(form, key)

    def _cloze(self, form: model.Cloze) -> None:
        named = Counter(BLANK.findall(form.prompt))
        known = [blank.name for blank in form.blanks]
        prompt = form.place.of("prompt")
        for name, count in named.items():
            if name not in known:
                self.note(
                    "E16",
                    prompt,
                    f"the prompt has a blank `[[{clip(name)}]]`, `blanks` has not{nearest(name, known, self.problems)}",
                    "add it under `blanks`",
                )
            if count > 1:
                self.note(
                    "E16",
                    prompt,
                    f"the blank `[[{clip(name)}]]` is in the prompt {count} times",
                    "use another name",
                )
        for blank in form.blanks:
            if blank.name not in named:
                self.note(
                    "E16",
                    blank.place,
                    f"the prompt has no `[[{blank.name}]]`{nearest(blank.name, named, self.problems)}",
                    "put it where the blank is to be",
                )
            self._blank(blank)

    def _blank(self, blank: model.Blank) -> None:
        if isinstance(blank.rule, model.ChoiceRule):
            self._one_right(blank.rule.options, blank.place)
        elif isinstance(blank.rule, model.NumberRule):
            self._number(blank.rule, blank.place)
        else:
            self._text(blank.rule, blank.place)

    def _match(self, form: model.Match) -> None:
        place = form.place.of("pairs")
        self._enough(form.pairs, 2, "a match has at least two pairs", place)
        self._distinct(
            [pair.left for pair in form.pairs],
            [pair.place.of("left") for pair in form.pairs],
            "E21",
            "left sides",
        )
        rights = [pair.right for pair in form.pairs]
        places = [pair.place.of("right") for pair in form.pairs]
        places += [form.place.of("distractors", index) for index in range(len(form.distractors))]
        self._distinct([*rights, *form.distractors], places, "E21", "right sides")
