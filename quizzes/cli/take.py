"""``quiz`` and ``quiz BANK``: a sitting over one bank."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from quizzes.answers import NO, YES
from quizzes.cli import common
from quizzes.fields import closest
from quizzes.history import unfinished
from quizzes.library import FIRST
from quizzes.model import Info
from quizzes.problems import clip
from quizzes.prompter import EndOfInputError, Prompter
from quizzes.sitting import Sitting, fresh_seed
from quizzes.sitting_run import run
from quizzes.source import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizzes.history import Past
    from quizzes.log import Log
    from quizzes.model import Bank
    from quizzes.tree import Node

MAX_NAMED = 20


@click.command("take")
@click.argument("bank", default=FIRST)
@common.seed_option("Take the params, the pools and the order of options from this seed, in a new quiz.")
@click.option("--count", "-n", type=click.IntRange(min=1), help="Ask only the first so many questions, in a new quiz.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished quiz, without asking.")
@click.option("--new", is_flag=True, help="Begin a new quiz, without asking.")
@click.option(
    "--answers",
    metavar="FILE",
    help="Take the answers from a file: a mapping of question ids, or the lines one would type.",
)
@common.banks_option
@common.state_option
def command(
    bank: str,
    *,
    seed: str | None,
    count: int | None,
    resume: bool,
    new: bool,
    answers: str | None,
    banks: str | None,
    state: str | None,
) -> None:
    """Ask the questions of BANK: the name of one of `quiz list`, or a file. Without a name: the quick check.

    Type an answer and Enter. A line with `?` says what can be typed; commands are `:hint`, `:skip`, `:flag`,
    `:again` and `:quit`. What is answered is kept at once, and an interrupted quiz can be gone on with; where nobody
    is asked, because the answers come from a pipe or a file, a new one begins unless --resume is given.

    Exit codes: 0 mastered, 1 not mastered, 2 wrong use or a bad bank, 3 could not, or ended early.
    """
    if resume and new:
        raise click.UsageError("--resume and --new contradict each other")
    chosen = common.library(banks).find(bank)
    log = common.log(state)
    prompter, given = _voices(answers)
    _name_unknown(given or {}, chosen)
    old = None if new or given is not None else unfinished(log.read().events, chosen.id)
    if old is not None and log.is_live(old.id):
        old = None
    if resume and old is None:
        prompter.say("There is no unfinished quiz of this bank; this is a new one.")
    try:
        if old is not None and not _goes_on(old, chosen, prompter, resume=resume, anew=bool(seed or count)):
            old = None
    except (EndOfInputError, KeyboardInterrupt):
        prompter.say()
        sys.exit(common.COULD_NOT)
    sitting = _sitting(log, chosen, old, seed, count)
    try:
        code = run(sitting, chosen.mastery, prompter, title=chosen.title, about=chosen.description, given=given)
    except UnreadableError as error:  # what the file says is no answer
        raise UnreadableError(f"{answers}: {error}") from None
    sys.exit(code)


def _voices(answers: str | None) -> tuple[Prompter, dict[str, Node] | None]:
    """Return who answers: a person or a pipe, the lines of a file, or a file's mapping."""
    if answers is None:
        return Prompter(), None
    from quizzes.answers_file import read_answers

    lines, mapping = read_answers(answers)
    return Prompter(lines), mapping


def _with_nearest(name: str, known: Iterable[str]) -> str:
    near = closest(name, known)
    return f"`{clip(name)}`{f' (`{near}`?)' if near else ''}"


def _name_unknown(given: dict[str, Node], bank: Bank) -> None:
    """Warn of answers to questions that the bank does not have: each may be a slip of the pen."""
    known = {question.id: None for question in bank.questions}
    unknown = [name for name in given if name not in known]
    if unknown:
        shown = [_with_nearest(name, known) for name in unknown[:MAX_NAMED]]
        shown += ["..."] if len(unknown) > MAX_NAMED else []
        common.complain(f"warning: the answers file names questions that this bank does not have: {', '.join(shown)}")


def _goes_on(old: Past, bank: Bank, prompter: Prompter, *, resume: bool, anew: bool) -> bool:
    """Tell whether to go on with an unfinished sitting; where it is not, say that a new one begins.

    A line from a pipe is an answer to a question of the bank and to nothing else, so only a person is asked.
    """
    stamp = old.time.astimezone().strftime("%Y-%m-%d %H:%M")
    stopped = f"You stopped this quiz of {stamp} after {old.done} of {len(old.planned)} questions"
    counted = {question.id for question in bank.questions if not isinstance(question, Info)}
    if counted and not counted & {name for of, name, _ in old.planned if of == bank.id}:
        prompter.say(f"{stopped}, and the bank has none of them any more; this is a new one.")
        return False
    if resume:
        return True
    if anew or not prompter.interactive:
        prompter.say(f"{stopped}; this is a new one. --resume goes on with the old one.")
        return False
    prompter.say(f"{stopped}.")
    while True:
        word = prompter.ask("Resume it (y or n)?").strip().casefold()
        if word in {*YES, ":resume"}:
            return True
        if word in {*NO, ":new"}:
            return False
        if len(word) > 1 and ":quit".startswith(word):
            raise EndOfInputError
        prompter.say("Type y to go on with it, n to begin a new one, or :quit to stop.", "  ")


def _sitting(log: Log, bank: Bank, old: Past | None, seed: str | None, count: int | None) -> Sitting:
    if old is not None:
        return Sitting.resume(log, old, bank)
    return Sitting.of_bank(log, bank, seed or fresh_seed(), count)
