"""``grade quiz``: the same as ``quiz``."""

from __future__ import annotations

import click


@click.command("quiz", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Take the module's quick check."""
    from quizzes.cli import main

    main(list(arguments))
