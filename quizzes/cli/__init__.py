"""The ``quiz`` command: click lives here alone, one module a command, each loaded when it is asked for."""

from __future__ import annotations

import contextlib
import gc
import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from quizzes.prompter import make_streams_safe

if TYPE_CHECKING:
    from collections.abc import Iterator

# The module of each command, and the line about it in the help, so that help imports none of them.
COMMANDS = {
    "take": ("take", "Ask a bank's questions (the default: `quiz BANK` is `quiz take BANK`)."),
    "list": ("banks", "List the banks and how far you are."),
    "review": ("review", "Ask what is due, over all banks."),
    "stats": ("stats", "Show your own history, or what several people's logs say about a bank."),
    "share": ("share", "Write your log under a pseudonym, for somebody else's `quiz stats`."),
    "check": ("check", "Report everything that is wrong with banks."),
    "export": ("export", "Write a bank in another format."),
    "import": ("importing", "Turn a file of another format into a bank."),
}


class Commands(click.Group):
    """A group that loads a command when asked for, and takes what is no command as a bank's name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order in which people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, loading its module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"quizzes.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `take` before what names no command, so that `quiz` and `quiz masking` take a quiz."""
        known = {name for param in self.params for name in param.opts}
        first = args[0] if args else ""
        if first not in COMMANDS and first not in known | {"--help", "--version"}:
            args = ["take", *args]
        return super().parse_args(ctx, args)

    def make_context(self, *arguments: Any, **named: Any) -> click.Context:
        """Read the command line; Ctrl-C ends the program here as it does later."""
        with stopping():
            return super().make_context(*arguments, **named)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong in the world becomes a message and an exit code."""
        with stopping():
            from quizzes.cli.common import faults

            with faults():
                return super().invoke(ctx)


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """End with the exit code of what ended early at Ctrl-C, which click would take for a failure."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("\nstopped", err=True)
        sys.exit(3)


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's signature
    if wanted:
        from importlib.metadata import version

        click.echo(f"quiz, version {version('attention-lesson')}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def group() -> None:
    """Ask quiz questions in the terminal, explain every answer, and keep what was learnt fresh.

    Exit codes: 0 passed or nothing to say, 1 not mastered, 2 wrong use or a bad bank, 3 could not, or ended
    early.
    """


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; ends the process with the exit code."""
    # A run is short and makes no cycles worth the time that looking for them takes from the first question.
    gc.disable()
    make_streams_safe()
    return group.main(arguments, prog_name="quiz")
