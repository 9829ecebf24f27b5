"""``quiz export``: a bank in a format that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizzes import formats
from quizzes.cli import common
from quizzes.terminal import clean

if TYPE_CHECKING:
    from quizzes.model import ExportResult


@click.command("export")
@click.argument("bank")
@click.option("--to", "kind", type=click.Choice(formats.TARGETS), required=True, help="The format to write.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder to write to (default: here).",
)
@click.option("--strict", is_flag=True, help="End with 1 if anything of the bank is lost.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@common.banks_option
def command(bank: str, *, kind: str, output: Path | None, strict: bool, force: bool, banks: str | None) -> None:
    """Write BANK in another format, and report what of each question that format cannot hold.

    Exit codes: 0 written, 1 with --strict: written, but something is lost, 2 wrong use or a bad bank, 3 could
    not.
    """
    result = formats.export(common.library(banks).find(bank), kind)
    _write(result, output or Path(), force=force)
    for loss in result.losses:
        click.echo(clean(f"{loss.question_id}: {loss.field}: {loss.message}"))
    count = len(result.losses)
    click.echo(f"{count} thing{'s' * (count != 1)} lost." if count else "Nothing is lost.")
    if strict and count:
        sys.exit(common.NOT_MASTERED)


def _write(result: ExportResult, folder: Path, *, force: bool) -> None:
    """Write the files, all or none where another one is in the way."""
    targets = {folder / name: data for name, data in result.files.items()}
    same = {path for path, data in targets.items() if path.is_file() and path.read_bytes() == data}
    taken = [str(path) for path in targets if path.exists() and path not in same]
    if taken and not force:
        common.complain(f"{', '.join(taken)} is already there; --force replaces it, --output DIR writes elsewhere")
        sys.exit(common.WRONG_USE)
    for path, data in targets.items():
        if path in same:  # such as a picture beside the bank
            click.echo(f"{clean(str(path))} is there already")
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            common.complain(f"{path} cannot be written: {error.strerror}")
            sys.exit(common.COULD_NOT)
        common.write(path, data)
        click.echo(f"wrote {clean(str(path))}")
