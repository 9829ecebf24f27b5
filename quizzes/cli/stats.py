"""``quiz stats``: one's own history, or several people's logs."""

from __future__ import annotations

from pathlib import Path

import click

from quizzes import stats, stats_text
from quizzes.cli import common
from quizzes.log import Event, history_of
from quizzes.prompter import Prompter
from quizzes.source import UnreadableError, read_bytes


@click.command("stats")
@click.argument("logs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--bank", help="Only this bank: a name of `quiz list`, or a file.")
@common.banks_option
@common.state_option
def command(logs: tuple[Path, ...], *, bank: str | None, banks: str | None, state: str | None) -> None:
    """Show your own history; with LOGS, what the first answers of several people show about each question.

    LOGS are files that people wrote with `quiz share`. Figures that too few people stand behind are left out.

    Exit codes: 0, 2 wrong use or a log that cannot be read, 3 could not.
    """
    prompter = Prompter()
    library = common.library(banks)
    chosen, faults = ([library.find(bank)], []) if bank else library.all()
    for fault in faults:
        common.complain(str(fault))
    if not logs:
        stats_text.own(common.log(state).read(), {one.id: one for one in chosen}, prompter)
        return
    people, unreadable = _people(logs)
    if unreadable:
        prompter.say(f"{unreadable} line(s) of the logs could not be read and are left out.")
    figures = [stats.cohort(people, one) for one in chosen]
    shown = [one for one in figures if one.people]
    for one in shown:
        stats_text.cohort(one, prompter)
        prompter.say()
    if not shown:
        prompter.say("These logs hold no answers to these banks.")


def _people(logs: tuple[Path, ...]) -> tuple[dict[str, list[Event]], int]:
    """Return the events of each person, a person's copies as one, and how many lines were none.

    A line that is none, such as a last one that was cut off, is left out; a file that has no other cannot be read.
    """
    people: dict[str, list[Event]] = {}
    unreadable = 0
    known: set[str] = set()
    for path in logs:
        data = read_bytes(path, MAX_LOG)
        if len(data) > MAX_LOG:
            raise UnreadableError(f"{path} is larger than {MAX_LOG} bytes")
        history = history_of(data)
        if history.unreadable and not history.events:
            lines = f"{history.unreadable} line{'s' * (history.unreadable != 1)}"
            raise UnreadableError(f"{path} is no log: none of its {lines} can be read; name files of `quiz share`")
        unreadable += history.unreadable
        for event in history.events:
            # A later copy of a log holds the earlier one's events again.
            same = repr(sorted(event.items(), key=str))
            if same not in known:
                known.add(same)
                people.setdefault(str(event.get("person", path)), []).append(event)
    return people, unreadable


MAX_LOG = 64 * 1024 * 1024
