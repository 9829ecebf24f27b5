"""``quiz share``: one's own log, for somebody else's statistics."""

from __future__ import annotations

from pathlib import Path

import click

from quizzes.cli import common
from quizzes.share import pseudonym, shared
from quizzes.source import UnreadableError
from quizzes.terminal import clean


@click.command("share")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@common.state_option
def command(file: Path, *, force: bool, state: str | None) -> None:
    """Write your log to FILE under a pseudonym, for a teacher's `quiz stats`. Nothing is sent anywhere.

    The copy holds which questions you answered, which options you chose, whether it was right, how long it
    took, and the days. It does not hold your name, the hours, or what you typed in your own words.

    Exit codes: 0 written, 2 wrong use, 3 could not.
    """
    log = common.log(state)
    events = log.read().events
    if not events:
        click.echo("There is nothing to share yet: take a quiz first, with `quiz`.")
        return
    if file.exists() and not force:
        raise UnreadableError(f"{file} is already there; --force replaces it")
    common.write(file, shared(events, pseudonym(log.folder)).encode("ascii"))
    click.echo(f"wrote {clean(str(file))}: {len(events)} events, as {pseudonym(log.folder)}")
