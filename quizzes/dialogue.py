"""Asks the questions of a sitting, one line at a time, and explains every answer.

An answer is what the question asks for; a command starts with a colon, so that no option's letter is taken.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from quizzes import answers, model
from quizzes.grading import NearMissError, NotAnAnswerError, judge, judge_blank
from quizzes.prompter import EndOfInputError
from quizzes.reveal import explain, key_text, lines_expected, notes_by_option, remarks
from quizzes.source import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from quizzes.grading import Verdict
    from quizzes.prompter import Prompter
    from quizzes.sitting import Item, Sitting
    from quizzes.tree import Node

COMMANDS = {
    ":hint": "show a hint",
    ":skip": "leave this question",
    ":flag": "mark this question as unclear, for its author",
    ":again": "show the question again",
    ":quit": "stop; what you answered is kept",
}
# What people type for a command, beside its name without the colon.
_OTHER_NAMES = {"exit": ":quit", "help": "?"}
# A near miss is forgiven so often; after that a learner who means what they type must get a verdict.
MAX_FORGIVEN = 2
# A script that sends nothing usable must come to an end.
MAX_UNUSABLE = 20
MAX_LINES = 200


class QuitError(Exception):
    """The person wants to stop."""


class _SkipError(Exception):
    """The person leaves this question."""


class Dialogue:
    """A conversation about one sitting."""

    def __init__(self, sitting: Sitting, prompter: Prompter, given: Mapping[str, Node] | None = None) -> None:
        self.sitting = sitting
        self.prompter = prompter
        self.given = given  # answers by question id; where there are any, nothing is read
        self._unusable = 0
        self._lines = 0  # read since the last answer

    def run(self) -> None:
        """Ask until all is done; QuitError or EndOfInputError when it ends early."""
        while (item := self.sitting.current) is not None:
            self._ask(item)

    def _ask(self, item: Item) -> None:
        position = self.sitting.items.index(item) + 1
        if item.edited:
            self.prompter.say("The next question was edited since you were done with it, so it is asked again.")
        self._show(item, position)
        if item.finished:
            # Read only, or answered just before the program was killed: what is left is to say what there is
            # to say.
            if item.scores:
                self.prompter.say("You have answered this: " + _grade(item.scores[-1]))
                self._reveal(item)
        elif self.given is not None:
            self._take_given(item, self.given.get(item.question.id))
        else:
            self._try(item)
        if not item.skipped:
            self.sitting.mark_seen(item)
        self.prompter.say()

    def _try(self, item: Item) -> None:
        keep: dict[str, str] = {}
        near: list[Any] = []
        try:
            while not item.finished:
                started = time.monotonic()
                answer = self._collect(item, keep)
                sure = self._certainty(item)
                seconds = time.monotonic() - started
                try:
                    # The blanks of a cloze have been forgiven one by one.
                    forgive = _forgives(near, answer) and not isinstance(item.question, model.Cloze)
                    if forgive and isinstance(item.question, model.Text | model.Output):
                        _look_for_command(answer, judge(item.question, answer, forgive=False))
                    verdict = self.sitting.answer(item, answer, seconds, sure=sure, forgive=forgive)
                except NotAnAnswerError as error:
                    self._not_usable(error, near, answer)
                    continue
                self._unusable = self._lines = 0
                keep = _right_blanks(item, answer, verdict)
                self._respond(item, verdict)
        except _SkipError:
            self._lines = 0
            self.sitting.skip(item)
            self.prompter.say("Skipped." if not item.scores else f"Skipped. {key_text(item.shown)}")

    def _take_given(self, item: Item, node: Node | None) -> None:
        """Answer from the file: one try for each question, and what has no answer there is skipped."""
        if node is None:
            self.prompter.say("No answer in the file; skipped.")
            self.sitting.skip(item)
            return
        try:
            answer = answers.from_data(item.shown, node)
            verdict = self.sitting.answer(item, answer, 0, forgive=False)
        except NotAnAnswerError as error:
            name = item.question.id
            raise UnreadableError(f"line {node.line} of the answers file: `{name}`: {error}") from None
        self.prompter.say(f"Answer from the file, line {node.line}.")
        self._respond(item, verdict)

    def _not_usable(self, error: NotAnAnswerError | str, near: list[Any] | None = None, answer: Any = None) -> None:
        """Say why a line was no answer; a near miss is remembered: typed again, it counts."""
        if near is not None and isinstance(error, NearMissError):
            near.append(answer)
        message = str(error)
        self.prompter.say(message[0].upper() + message[1:] + ("" if message.endswith("?") else "."), "  ")
        self._unusable += 1
        if not self.prompter.interactive and self._unusable >= MAX_UNUSABLE:
            self.prompter.say(f"{MAX_UNUSABLE} lines in a row were no answers; stopping here.")
            raise EndOfInputError

    # Showing

    def _show(self, item: Item, position: int) -> None:
        question, say = item.question, self.prompter.say
        heading = f"Question {position} of {len(self.sitting.items)}"
        if isinstance(question, model.Info):
            heading = "To read"
        say(f"{heading}{': ' + question.title if question.title else ''}")
        if question.context:
            say(item.shown.bank.contexts.get(question.context, "").rstrip("\n"))
            say()
        say(_prompt(question))
        if question.code:
            self.prompter.listing(question.code.text)
        if question.image:
            say(f"[Picture: {question.image.alt}]", "  ", "  ")
        self._show_lists(item)

    def _show_lists(self, item: Item) -> None:
        question, shown = item.question, item.shown
        if isinstance(question, model.Match):
            for number, pair in enumerate(question.pairs, 1):
                self.prompter.say(pair.left, "     ", f"  {number}. ")
            self.prompter.say("belongs to one of")
        for name in shown.orders:
            if name:
                self.prompter.say(f"{name}:")
            for label, text in zip(shown.labels(name), shown.texts(name), strict=True):
                self.prompter.say(text, "     ", f"  {label}) ")

    # Reading

    def _line(self, item: Item, prompt: str, wanted: str) -> str:
        """Return a line that is no command; commands are obeyed on the way. ``wanted`` is what ``?`` says."""
        while True:
            line = self.prompter.ask(prompt)
            self._lines += 1
            if not self.prompter.interactive and self._lines > MAX_LINES:
                self.prompter.say(f"{MAX_LINES} lines without an answer; stopping here.")
                raise EndOfInputError
            if not answers.is_command(line):
                return line
            if line.strip() == "?":
                self._help(wanted)
            else:
                self._command(item, line.strip().casefold())

    def _command(self, item: Item, word: str) -> None:
        found = [name for name in COMMANDS if len(word) > 1 and name.startswith(word)]
        if len(found) != 1:
            self._not_usable(
                f"there is no command {word[:40]}; ? lists them. An answer may have a space before its colon"
            )
            return
        actions: dict[str, Callable[[Item], None]] = {
            ":hint": self._hint,
            ":skip": self._skip,
            ":flag": self._flag,
            ":again": lambda one: self._show(one, self.sitting.items.index(one) + 1),
            ":quit": self._quit,
        }
        actions[found[0]](item)

    def _help(self, wanted: str) -> None:
        self.prompter.say(f"Type {wanted}, or a command:")
        for name, about in COMMANDS.items():
            self.prompter.say(about, " " * 10, f"  {name:<8}")

    def _hint(self, item: Item) -> None:
        text = self.sitting.hint(item)
        self.prompter.say(f"Hint: {text}" if text else "There is no further hint.", "  ")

    def _flag(self, item: Item) -> None:
        if not item.flagged:
            self.sitting.flag(item)
        self.prompter.say("Flagged as unclear. You can still answer.", "  ")

    def _skip(self, _item: Item) -> None:
        raise _SkipError

    def _quit(self, _item: Item) -> None:
        raise QuitError

    def _collect(self, item: Item, keep: dict[str, str]) -> Any:
        """Return the answer to a question, asking for its parts one after the other."""
        question = item.question
        match question:
            case model.Cloze():
                for blank in question.blanks:
                    if blank.name not in keep:
                        keep[blank.name] = self._blank(item, blank)
                filled = dict(keep)
                keep.clear()
                return filled
            case model.Output():
                count = lines_expected(question)
                prompts = (
                    ["Printed:"] if count == 1 else [f"Line {number} of {count}:" for number in range(1, count + 1)]
                )
                return self._printed(item, prompts)
            case model.SelfGraded():
                self._line(item, "Recall it, then press Enter:", "nothing but Enter once you recall it")
                self.prompter.say("The answer:")
                self.prompter.say(question.answer, "  ")
                return self._parsed(item, "Did you have it (y, p for partly, n)?")
        hint = answers.wanted(item.shown)
        return self._parsed(
            item, f"Your answer ({hint}):" if len(hint) < self.prompter.columns - 20 else "Your answer:"
        )

    def _printed(self, item: Item, prompts: list[str]) -> str:
        wanted = answers.wanted(item.shown)
        while not any(lines := [self._line(item, prompt, wanted).rstrip() for prompt in prompts]):
            self._not_usable("type what is printed")
        return "\n".join(lines)

    def _parsed(self, item: Item, prompt: str) -> Any:
        while True:
            line = self._line(item, prompt, answers.wanted(item.shown))
            try:
                return answers.parse(item.shown, line)
            except NotAnAnswerError as error:
                self._not_usable(error)

    def _blank(self, item: Item, blank: model.Blank) -> str:
        """Return what a blank is filled with; what cannot be judged is refused at once."""
        near: list[Any] = []
        while True:
            line = self._line(item, f"{blank.name}:", answers.wanted(item.shown, blank.name))
            try:
                filled: str = answers.parse(item.shown, line, blank.name)
                forgive = _forgives(near, line)
                verdict = judge_blank(blank, filled, forgive=forgive)
                if forgive and isinstance(blank.rule, model.TextRule):
                    _look_for_command(line, verdict)
            except NotAnAnswerError as error:
                self._not_usable(error, near, line)
            else:
                return filled

    def _certainty(self, item: Item) -> int:
        """Ask how sure the person is, where the question wants to know and has not asked before."""
        if not item.question.confidence or item.sure or isinstance(item.question, model.SelfGraded):
            return 0
        while True:
            wanted = "1, 2 or 3"
            line = self._line(item, "How sure are you (1 guessing, 2 fairly, 3 certain)?", wanted).strip()
            if line in {"1", "2", "3"}:
                return int(line)
            self._not_usable(f"type {wanted}")

    # Responding

    def _respond(self, item: Item, verdict: Verdict) -> None:
        say = self.prompter.say
        say(_grade(verdict.score))
        left = item.attempts - len(item.scores)
        if not item.finished and self.given is None:
            for remark in remarks(item.shown, verdict):
                say(remark, "  ")
            say(f"Try again ({left} {'try' if left == 1 else 'tries'} left, :skip to leave it).")
            return
        if not notes_by_option(item.question):
            for note in verdict.notes:
                say(note, "  ")
        if isinstance(item.question, model.Match | model.Cloze) and not verdict.full:
            say(f"{sum(verdict.parts)} of {len(verdict.parts)} right.", "  ")
        self._reveal(item, verdict)

    def _reveal(self, item: Item, verdict: Verdict | None = None) -> None:
        """Show the key, unless it was just given, and all that explains it."""
        given, missed = (verdict.full, verdict.missed) if verdict is not None else (False, ())
        for text, indent in explain(item.shown, item.scores[-1], given=given, missed=missed):
            self.prompter.say(text, indent + "   " if indent else "", indent)


def _grade(score: Any) -> str:
    if score == 1:
        return "Right."
    return f"Partly right: {round(float(score) * 100)} %." if score else "Not right."


def _prompt(question: model.Question) -> str:
    if isinstance(question, model.Multiple):
        return question.prompt.rstrip("\n") + "\n(Several may be right.)"
    return question.prompt.rstrip("\n")


def _right_blanks(item: Item, answer: Any, verdict: Verdict) -> dict[str, str]:
    """Return the blanks that need not be filled again."""
    if not isinstance(item.question, model.Cloze):
        return {}
    pairs = zip(item.question.blanks, verdict.parts, strict=True)
    return {blank.name: answer[blank.name] for blank, right in pairs if right}


def _look_for_command(typed: str, verdict: Verdict) -> None:
    """Keep a command without its colon from costing a try; typed again, it is an answer."""
    word = typed.strip().casefold()
    command = _OTHER_NAMES.get(word, f":{word}")
    if not verdict.score and (command in COMMANDS or word in _OTHER_NAMES):
        raise NearMissError(f"the command is {command}; type {word} again if it is your answer")


def _forgives(near: list[Any], answer: Any) -> bool:
    return len(near) < MAX_FORGIVEN and answer not in near
