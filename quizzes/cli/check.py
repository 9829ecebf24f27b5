"""``quiz check``: for people who write banks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from quizzes.checking import check_bytes, check_file
from quizzes.cli.common import complain
from quizzes.problems import Problems, render
from quizzes.source import MAX_BYTES, UnreadableError
from quizzes.terminal import clean_line

if TYPE_CHECKING:
    from quizzes.model import Place


@click.command("check")
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--run", is_flag=True, help="Also execute the code of output questions and compare what it prints.")
@click.option("--strict", is_flag=True, help="End with 1 if there are warnings.")
@click.option("--quiet", is_flag=True, help="Show errors only.")
def command(files: tuple[str, ...], *, run: bool, strict: bool, quiet: bool) -> None:
    """Report everything that is wrong with the banks in FILES; without any, with those of the package.

    Each problem is shown as file:line:column with its code, the line, a caret, and the fix. E codes are
    errors, L codes are warnings. `-` reads a bank from standard input.

    Exit codes: 0 no errors, 1 warnings with --strict, 2 errors.
    """
    from quizzes.library import package_files

    errors = warnings = 0
    seen: dict[str, str] = {}
    for path in files or map(str, package_files()):
        try:
            loaded = (
                check_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), "-", run=run)
                if path == "-"
                else check_file(path, run=run)
            )
        except UnreadableError as error:
            complain(str(error))
            errors += 1
            continue
        problems = loaded.problems
        if loaded.bank is not None:
            _note_taken_id(loaded.bank.id, path, seen, problems, loaded.bank.place.of("bank"))
        shown = [problem for problem in problems if problem.error or not quiet]
        errors += problems.errors
        warnings += sum(not problem.error for problem in problems)
        if shown:
            click.echo(render(loaded.source.name, shown, loaded.source.lines))
            if problems.dropped:
                click.echo(f"{loaded.source.name}: and {problems.dropped} more; mend these first")
        elif loaded.bank is not None:
            count = len(loaded.bank.questions)
            click.echo(f"{clean_line(path)}: ok, {count} question{'s' * (count != 1)}")
    if errors or warnings:
        click.echo(f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}")
    if errors:
        sys.exit(2)
    if warnings and strict:
        sys.exit(1)


def _note_taken_id(bank_id: str, path: str, seen: dict[str, str], problems: Problems, place: Place) -> None:
    """Two banks of one id would share one history."""
    if bank_id in seen and seen[bank_id] != path:
        problems.add(
            "E10",
            place,
            f"the bank's id `{bank_id}` is also that of {seen[bank_id]}",
            "give one of them another id",
        )
    seen[bank_id] = path
