"""What the commands share: options, the exit codes, and the one place where faults become messages."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quizzes.history import is_seed
from quizzes.library import Library, NoSuchBankError, package_folder
from quizzes.log import Log, StateError, default_folder
from quizzes.model import ExportFailedError, ImportFailedError
from quizzes.params import ParamError
from quizzes.problems import BankError
from quizzes.source import UnreadableError
from quizzes.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PASSED, NOT_MASTERED, WRONG_USE, COULD_NOT = 0, 1, 2, 3

Command = TypeVar("Command", bound="Callable[..., Any]")


def state_option(command: Command) -> Command:
    """Give a command `--state`."""
    about = "Keep the history in this folder (default: the user's data folder)."
    return click.option("--state", metavar="DIR", help=about)(command)


def banks_option(command: Command) -> Command:
    """Give a command `--banks`."""
    about = "Take the banks from this folder (default: those that come with the package)."
    return click.option("--banks", metavar="DIR", help=about)(command)


def seed_option(about: str) -> Callable[[Command], Command]:
    """Give a command `--seed`."""
    return click.option("--seed", callback=_seed, help=about)


def _seed(_context: click.Context, _option: click.Parameter, seed: str | None) -> str | None:
    if seed is not None and not is_seed(seed):
        raise click.BadParameter("this is no text; any letters and digits will do")
    return seed


def library(banks: str | None) -> Library:
    """Return the banks to choose from."""
    if banks is not None and not os.path.isdir(banks):
        raise UnreadableError(f"{banks} is not a folder; --banks takes a folder of banks")
    return Library(banks or package_folder())


def log(state: str | None) -> Log:
    """Return the learner's log."""
    if state is None:
        return Log(default_folder())
    if os.path.exists(state) and not os.path.isdir(state):
        raise UnreadableError(f"{state} is not a folder; --state takes a folder")
    return Log(state)


@contextlib.contextmanager
def faults() -> Iterator[None]:
    """Turn every fault that is not the program's own into a message and an exit code."""
    try:
        yield
        sys.stdout.flush()
    except (BankError, NoSuchBankError, UnreadableError, ExportFailedError, ImportFailedError) as error:
        complain(str(error))
        sys.exit(WRONG_USE)
    except (StateError, ParamError) as error:
        complain(str(error))
        sys.exit(COULD_NOT)
    except OSError as error:
        # Whoever read our output has gone, or its disk is full. Python would complain once more at its end.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            complain(f"could not go on: {error.strerror or error}")
        sys.exit(COULD_NOT)


def write(path: Path, data: bytes) -> None:
    """Write a file whole, or leave what is there as it is and end."""
    target = type(path)(os.path.realpath(path))  # through a link, as writing does
    fresh = target.with_name(f".quiz-{os.getpid()}")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe
            return
        try:
            fresh.write_bytes(data)
            if target.exists():
                fresh.chmod(target.stat().st_mode)
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
        sys.exit(COULD_NOT)


def complain(message: str) -> None:
    """Print a message about a fault, safe for the terminal."""
    click.echo(clean(message), err=True)
