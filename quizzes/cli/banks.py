"""``quiz list``: the banks, and how far the learner is with each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from quizzes.cli import common
from quizzes.history import sittings
from quizzes.model import Info
from quizzes.prompter import Prompter
from quizzes.writer import content_hash

if TYPE_CHECKING:
    from quizzes.history import Past
    from quizzes.model import Bank


@click.command("list")
@common.banks_option
@common.state_option
def command(*, banks: str | None, state: str | None) -> None:
    """List the banks: how many questions each has, and how many of them you got right at your last first try.

    Exit codes: 0, or 2 if a bank cannot be used.
    """
    library = common.library(banks)
    past = list(sittings(common.log(state).read().events).values())
    found, faults = library.all()
    prompter = Prompter()
    for bank in found:
        prompter.say(f"{bank.title}. {_progress(bank, past)}", "      ", f"{bank.id}: ")
    if not found and not faults:
        prompter.say(f"There are no banks in {library.folder}.")
    for fault in faults:
        common.complain(str(fault))
    if faults:
        sys.exit(common.WRONG_USE)


def _progress(bank: Bank, past: list[Past]) -> str:
    questions = [question for question in bank.questions if not isinstance(question, Info)]
    hashes = {question.id: content_hash(question, bank) for question in questions}
    last: dict[str, bool] = {}
    changed: set[str] = set()
    for sitting in past:
        seen: set[str] = set()
        for one in sitting.tries:
            if one.bank != bank.id or one.question in seen or one.question not in hashes:
                continue
            seen.add(one.question)
            if one.hash == hashes[one.question]:
                last[one.question] = one.score == 1
                changed.discard(one.question)
            elif one.question not in last:
                changed.add(one.question)
    text = f"{len(questions)} question{'s' * (len(questions) != 1)}"
    text += f", {len(last)} answered, {sum(last.values())} right" if last else ", not taken yet"
    return text + (f"; {len(changed)} changed since you answered" if changed else "") + "."
