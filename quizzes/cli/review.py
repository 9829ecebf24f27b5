"""``quiz review``: what is due, over all banks."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from quizzes import schedule
from quizzes.cli import common
from quizzes.history import sittings
from quizzes.model import Mastery
from quizzes.prompter import Prompter
from quizzes.sitting import Sitting, fresh_seed
from quizzes.sitting_run import run
from quizzes.writer import content_hash


@click.command("review")
@click.option("--missed", is_flag=True, help="Ask what was not right at the last first try, due or not.")
@click.option("--count", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="Ask at most so many.")
@common.seed_option("Take the params and the order of options from this seed.")
@common.banks_option
@common.state_option
def command(*, missed: bool, count: int, seed: str | None, banks: str | None, state: str | None) -> None:
    """Ask again what is due, mixed over all banks: each question comes back when it is about to be forgotten.

    Questions come from quizzes that you have taken. The spacing is by FSRS.

    Exit codes: 0 at least 80 % right or nothing due, 1 less, 2 wrong use, 3 could not, or ended early.
    """
    log = common.log(state)
    prompter = Prompter()
    found, faults = common.library(banks).all()
    for fault in faults:
        common.complain(str(fault))
    by_key = {(bank.id, question.id): (bank, question) for bank in found for question in bank.questions}
    hashes = {key: content_hash(question, bank) for key, (bank, question) in by_key.items()}
    taken = schedule.recalls(sittings(log.read().events).values())
    planned = schedule.plan(taken, hashes)
    now = datetime.now(UTC)
    due = [one for one in planned if one.missed] if missed else [one for one in planned if one.time <= now]
    if not due:
        prompter.say(_nothing(planned, sorted({of for of, _ in taken}), missed=missed))
        return
    chosen = schedule.mixed(due, count)
    seed = seed or fresh_seed()
    sitting = Sitting.start(log, [by_key[one.key] for one in chosen], seed, kind="review")
    title = "What you missed" if missed else "Review"
    sys.exit(run(sitting, Mastery(), prompter, title=title))


def _nothing(planned: list[schedule.Due], taken: list[str], *, missed: bool) -> str:
    if not planned and taken:
        return f"What you took is not in these banks ({', '.join(taken)}); --banks DIR reviews those of a folder."
    if not planned:
        return "There is nothing to review yet: take a quiz first, with `quiz`."
    if missed:
        return "Nothing was missed."
    return f"Nothing is due. The next question is due on {planned[0].time.astimezone():%Y-%m-%d at %H:%M}."
