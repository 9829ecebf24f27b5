"""The command line: one module a command, loaded when it is asked for; the only place that knows click."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Any

import click

from grader import __version__
from grader.errors import GradeError, UsageError

# command, which is a module: the line that `grade --help` shows. It stands here so that help loads no command.
COMMANDS = {
    "run": "",
    "list": "Show the exercises, what is done, and which is next.",
    "watch": "Grade whenever you save a file.",
    "open": "Open an exercise in your editor, at its first problem.",
    "trace": "Show what each line of your code makes, and where it goes wrong.",
    "hint": "Show one more hint for an exercise.",
    "solution": "Show the reference, after a pass.",
    "reset": "Start an exercise afresh; what you wrote is kept.",
    "init": "Make a folder to work in.",
    "batch": "Grade a cohort of submissions into a gradebook.",
    "doctor": "Say what this machine has, and how files are kept apart.",
    "author": "Check what a lesson is made of.",
    "quiz": "Take the module's quick check.",
}
DEFAULT = "run"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
BROKEN_PIPE, INTERRUPTED, INTERNAL = 141, 130, 3


class Commands(click.Group):
    """Loads a command's module when it is called; what is no command is an exercise to grade."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The commands, in the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"grader.cli.{name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts the default command in front of options and exercises."""
        if args not in (["--help"], ["-h"], ["--version"]) and (not args or args[0] not in COMMANDS):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; ends quietly when whoever read the output has gone away."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Nothing is left to say, and Python must not try to flush it either when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise click.exceptions.Exit(BROKEN_PIPE) from None

    def format_usage(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both ways to use it."""
        formatter.write_usage("grade", "[EXERCISE ...] [OPTIONS]")
        formatter.write_usage("grade", "COMMAND [ARGS] ...")

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, from the table rather than from their modules."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, text in COMMANDS.items() if text])
        with formatter.section("Grading (grade run --help says more)"):
            formatter.write_dl(
                [
                    ("--in DIR", "Grade another folder; no progress is kept."),
                    ("--format NAME", "text, json, html, junit, gradescope or github."),
                    ("--output FILE", "Where the report goes."),
                    ("--all", "Show every check that did not pass."),
                ]
            )


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit codes: 0 all passed, 1 something did not, 2 wrong use, 3 the grader could not do its job.",
)
@click.version_option(__version__, prog_name="grade")
def cli() -> None:
    """Grade your exercises: all of them, or those you name."""


def main(args: list[str] | None = None) -> None:
    """Runs the command line and exits with its code."""
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")  # a terminal that lacks a character still gets the rest
    try:
        code = cli.main(args=args, prog_name="grade", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.exceptions.Abort:
        click.echo("Stopped.", err=True)
        code = INTERRUPTED
    except GradeError as error:
        click.echo(_to_width(f"grade: {error}"), err=True)
        code = error.exit_code
    except Exception as error:  # noqa: BLE001 - a fault of ours must not look like one of the learner's (exit code 1)
        said, code = _unexpected(error)
        click.echo(_to_width(f"grade: {said}"), err=True)
    sys.exit(code if isinstance(code, int) else 0)


def _unexpected(error: Exception) -> tuple[str, int]:
    """What is said of an error that no command expects, and the exit code."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"the output cannot be written: {error.strerror}", INTERNAL
    if isinstance(error, FileNotFoundError):
        from grader.workflows.workspace import current_folder

        try:
            current_folder()  # whatever starts from there fails in a way of its own where it is gone
        except UsageError as gone:
            return str(gone), gone.exit_code
    import traceback

    traceback.print_exc()
    return f"a fault in the grader itself, not in your files: {error!r}", INTERNAL


def _open_standard_streams() -> None:
    """Puts the null device where a stream was closed: else the next file to be opened would take its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays
            setattr(sys, name, stream)


def _to_width(text: str) -> str:
    """A message in lines that fit the terminal; whole where a program reads it."""
    if not sys.stderr.isatty():
        return text
    import shutil
    import textwrap

    width = shutil.get_terminal_size().columns
    lines = text.splitlines()
    return "\n".join(textwrap.fill(line, width, break_on_hyphens=False, break_long_words=False) for line in lines)
