"""``grade batch DIR -o OUT``: a cohort of submissions into a gradebook."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import Place, echo, fill, isolation_option, lesson_option, the_lesson
from grader.cohort import Reveal
from grader.errors import UsageError
from grader.text import count, points, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from grader.model import Isolation
    from grader.workflows.batch import Finished, Progress

PLAIN_EVERY_S = 10.0
MOST_SHOWN = 50


@click.command("batch")
@click.argument("folder", type=Place(), metavar="DIR", required=False)
@click.option("-o", "--out", type=Place(), metavar="OUT", help="Where results go; made if need be.")
@click.option("--roster", type=Place(), metavar="FILE", help="Who is in the class, as CSV.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this submission; can be given several times.")
@click.option("--regrade", is_flag=True, help="Grade again what has not changed since the last run.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="What all inputs are drawn from.")
@click.option(
    "--reveal",
    type=click.Choice([level.value for level in Reveal]),
    default="full",
    show_default=True,
    help="How much of a check learners get to see.",
)
@isolation_option("How submissions are kept apart; auto takes bubblewrap or Landlock and nothing weaker.")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Processes on this machine: one a core.")
@click.option(
    "--executor", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Where they run."
)
@click.option("--scheduler", metavar="ADDRESS", help="Of the Dask cluster: tcp://HOST:PORT.")
@click.option(
    "--compare",
    nargs=2,
    type=Place(),
    metavar="OLD NEW",
    help="Show whose marks differ between two folders of results.",
)
@lesson_option
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path | None,
    out: Path | None,
    roster: Path | None,
    only: tuple[str, ...],
    regrade: bool,  # noqa: FBT001 - click passes options by name
    seed: int | None,
    reveal: str,
    isolation: Isolation | None,
    workers: int | None,
    executor: str,
    scheduler: str | None,
    compare: tuple[Path, Path] | None,
    lesson_folder: Path | None,
) -> int:
    """Grade a cohort: DIR holds a folder, .zip, .tar.gz or file for each submission.

    OUT gets gradebook.csv, a report and a page of feedback for each submission, and summary.html. The same command
    goes on where it was stopped, and grades only what is new or has changed.
    """
    from grader.workflows.batch import Options, batch

    if compare:
        _refuse_others(ctx)
        return _compare(*compare)
    if folder is None or out is None:
        raise UsageError("grade batch takes a folder of submissions and one for results: grade batch DIR -o OUT")
    if (executor == "dask") != (scheduler is not None):
        raise UsageError("--executor dask and --scheduler tcp://HOST:PORT go together")
    lesson = the_lesson(lesson_folder)
    options = Options(
        lesson_folder=lesson_folder,
        roster=roster,
        only=only,
        regrade=regrade,
        seed=seed,
        isolation=isolation,
        reveal=Reveal(reveal),
        workers=workers,
        scheduler=scheduler,
    )
    try:
        with _bar() if sys.stderr.isatty() else _lines() as show:
            finished = batch(lesson, folder, out, options, show)
    except KeyboardInterrupt:
        click.echo("\nStopped; what is done is kept. The same command goes on from here.", err=True)
        raise
    _say(finished)
    return 3 if finished.progress.failed else 0


def _refuse_others(ctx: click.Context) -> None:
    """Raises ``UsageError`` where more was asked for than to compare."""
    given = [name for name in ctx.params if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    if len(given) > 1:
        raise UsageError("--compare OLD NEW grades nothing, so it takes no DIR and no other option")


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    """A bar with the time that is left, on a terminal, which gets its cursor back whatever happens."""
    with ExitStack() as stack:
        bars: list[Any] = []
        shown = 0

        def tell(progress: Progress) -> None:
            nonlocal shown
            if not bars:
                bar = click.progressbar(length=progress.total, label="Grading", file=sys.stderr)
                bars.append(stack.enter_context(bar))
            bars[0].update(progress.done - shown)
            shown = progress.done

        yield tell


@contextmanager
def _lines() -> Iterator[Callable[[Progress], None]]:
    """A line now and then, where a file or a program reads."""
    started = last = time.monotonic()

    def tell(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if not progress.done or (now - last < PLAIN_EVERY_S and progress.done < progress.total):
            return
        last = now
        left_s = (now - started) / progress.done * (progress.total - progress.done)
        click.echo(f"{progress.done} of {count(progress.total, 'submission')}, about {left_s:.0f} s left", err=True)

    yield tell


def _say(finished: Finished) -> None:
    """What the run came to."""
    progress = finished.progress
    counts = [
        (progress.graded, "graded"),
        (progress.unchanged, "unchanged since the last run"),
        (progress.unreadable, "could not be read"),
        (progress.failed, "not graded, through the grader's own fault"),
        (finished.missing, "missing"),
        (len(finished.unlisted), "not on the roster"),
    ]
    echo(fill(f"{count(progress.total, 'submission')}: " + ", ".join(f"{n} {what}" for n, what in counts if n) + "."))
    if finished.unlisted:
        shown = ", ".join(finished.unlisted[:MOST_SHOWN])
        more = len(finished.unlisted) - MOST_SHOWN
        echo(fill(f"Not on the roster: {shown}" + (f", and {more} more" if more > 0 else "")))
    for doubt in finished.doubts[:MOST_SHOWN]:
        echo(fill(f"The roster: {doubt}"))
    if finished.earlier:
        echo(fill(f"Left out, as results of earlier runs: {', '.join(finished.earlier)}"))
    out = visible(str(finished.out))
    echo(f"\n{out}/summary.html\n{out}/gradebook.csv")


def _compare(old: Path, new: Path) -> int:
    """Shows who moved."""
    from grader.workflows.batch import compare

    moved, total = compare(old, new)
    for one in moved[:MOST_SHOWN]:
        before = points(one.before.points) if one.before else "absent"
        after = points(one.after.points) if one.after else "absent"
        checks = ", ".join(one.checks[:4]) + (f" and {len(one.checks) - 4} more" if len(one.checks) > 4 else "")
        echo(f"{one.by:+g}  {one.submission}: {before} -> {after}" + (f"  ({checks})" if checks else ""))
    if len(moved) > MOST_SHOWN:
        echo(f"... and {len(moved) - MOST_SHOWN} more")
    echo(f"Marks differ in {len(moved)} of {count(total, 'submission')}.")
    return 0
