"""What several commands need: the lesson, the workspace, colour and width."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.errors import StoreError, UsageError
from grader.store import Progress
from grader.text import no_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from grader.lesson import Lesson
    from grader.workflows.workspace import Workspace

    Command = TypeVar("Command", bound=Callable[..., Any])

AUTO = "auto"


class Place(click.Path):
    """A path on the command line; an empty one is an unset variable, and not the current folder."""

    def __init__(self, *, file_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path.

        Raises:
            click.BadParameter: it is empty.
        """
        if value == "":
            self.fail("it is empty; say `.` for the current folder", param, ctx)
        return super().convert(value, param, ctx)


lesson_option = click.option(
    "--lesson",
    "lesson_folder",
    type=Place(file_okay=False),
    metavar="DIR",
    help="Use another lesson, from a folder with exercises/lesson.yaml.",
)


def isolation_option(text: str) -> Callable[[Command], Command]:
    """The option ``--isolation``: None for the strongest that the command takes by itself.

    Args:
        text: its help.
    """
    from grader.model import Isolation

    def chosen(_ctx: click.Context, _param: click.Parameter, value: str) -> Isolation | None:
        return None if value == AUTO else Isolation(value)

    names = [AUTO, *(kind.value for kind in Isolation)]
    return click.option(
        "--isolation", type=click.Choice(names), default=AUTO, show_default=True, callback=chosen, help=text
    )


def the_lesson(folder: Path | None) -> Lesson:
    """The lesson in a folder, or the one that comes with the package.

    Raises:
        UsageError: there is no such folder.
        LessonError: there is no lesson in it, or one that is at fault.
    """
    from grader.lesson import load_lesson, shipped_lesson

    if folder and not folder.is_dir():
        raise UsageError(f"--lesson {folder}: there is no such folder")
    return load_lesson(folder) if folder else shipped_lesson()


def open_progress(workspace: Workspace) -> Progress:
    """The workspace's progress; one that is forgotten, with a word of warning, where it cannot be used."""
    try:
        return Progress(workspace.state)
    except StoreError as error:
        say_not_kept(error)
        return Progress(None)


def say_not_kept(error: StoreError) -> None:
    """Warns that progress is not kept, which hinders nothing else."""
    click.echo(f"Progress is not kept: {error}", err=True)


def coloured() -> bool:
    """Whether the output takes colour: a terminal that is not dumb, for a person who has not asked for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painter() -> Callable[[str, str], str]:
    """Colours a text where colour is to be had."""
    if coloured():
        return lambda text, colour: click.style(text, fg=colour, bold=True)
    return lambda text, _colour: text


def linker(root: Path, paths: Iterable[str]) -> Callable[[str], str]:
    """Turns places in a text into links where links are to be had: in a terminal that also takes colour."""
    from grader.reporters import links

    how = links.template(os.environ) if coloured() else None
    if how is None:
        return lambda text: text
    host = os.uname().nodename if "SSH_CONNECTION" in os.environ else ""
    return links.linker(root.absolute(), paths, how, host)


def this_program() -> list[str]:
    """The start of a command line that runs this program again, by the same interpreter with the same flags."""
    return [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]]


def columns() -> int:
    """The width of the terminal, 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def fill(text: str, label: str = "") -> str:
    """A text in lines of the terminal's width, 80 at most, the later ones indented below the label."""
    import textwrap

    width = min(columns(), 80)
    return textwrap.fill(text, width, initial_indent=label, subsequent_indent=" " * len(label), break_on_hyphens=False)


def echo(text: str = "") -> None:
    """Prints, with colour codes only where ``painter`` put them, and nothing that steers a CI's log."""
    click.echo(no_commands(text), file=sys.stdout, color=True)  # named, since click takes an ASCII stream for a mistake
