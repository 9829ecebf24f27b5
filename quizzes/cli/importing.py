"""``quiz import``: a file of another format as a bank."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizzes import formats
from quizzes.cli import common
from quizzes.fields import NAME
from quizzes.source import MAX_BYTES, UnreadableError, read_bytes
from quizzes.terminal import clean

if TYPE_CHECKING:
    from quizzes.formats.intake import Imported

MAX_SHOWN = 200
KINDS = ("auto", "gift", "aiken", "moodle-xml", "jupyterquiz")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "kind",
    type=click.Choice(KINDS),
    default="auto",
    show_default=True,
    help="The format of the file.",
)
@click.option(
    "--name",
    metavar="ID",
    help="The id of the new bank (default: what one of our own files says, else made from the file's name).",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Write here (default: print it).")
@click.option("--force", is_flag=True, help="Replace the output file if it is there.")
def command(file: Path, *, kind: str, name: str | None, output: Path | None, force: bool) -> None:
    """Turn a GIFT, Aiken, Moodle XML or jupyterquiz file into a bank, as YAML that passes `quiz check`.

    What could not be imported is said with its line. `-` reads standard input.

    Exit codes: 0 something was imported, 2 the file cannot be read as a bank, 3 could not write.
    """
    if name is not None and not NAME.fullmatch(name):
        raise click.BadParameter(f"`{name}`: use a small letter, then up to 39 small letters, digits and dashes")
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if str(file) == "-" else read_bytes(file)
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"{file} is larger than {MAX_BYTES} bytes; split it")
    if output is not None and output.exists() and not force:
        raise UnreadableError(f"{output} is already there; --force replaces it")
    imported = formats.import_bank(data, kind, name or _bank_id(file), str(file), keep_id=not name)
    _tell(imported, file)
    if output is None:
        click.echo(imported.text, nl=False)
        return
    common.write(output, imported.text.encode())
    click.echo(f"wrote {clean(str(output))}", err=True)


def _tell(imported: Imported, file: Path) -> None:
    """Say what was not imported and what became of the rest, where it is not overlooked."""
    lost = sum(note.lost for note in imported.notes)
    if lost:
        common.complain(f"{lost} of {lost + imported.count} questions were not imported")
    for note in imported.notes[:MAX_SHOWN]:
        common.complain(note.show(str(file)))
    if len(imported.notes) > MAX_SHOWN:
        common.complain(f"... and {len(imported.notes) - MAX_SHOWN} more")


def _bank_id(file: Path) -> str:
    """Return an id made from a file's name."""
    words = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-") or "imported"
    return (words if words[:1].isalpha() else f"bank-{words}").strip("-")[:40].rstrip("-")
