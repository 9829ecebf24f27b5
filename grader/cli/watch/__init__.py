"""``grade watch``: grades whenever a file is saved.

terminal     keys, signals, and drawing
screen       what is drawn
tracing      ``grade trace`` beside the watching
loop         what waits for all of them
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from grader.cli.common import AUTO, isolation_option, lesson_option, open_progress, the_lesson, this_program
from grader.workflows.workspace import find_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model import Isolation


@click.command("watch")
@click.argument("exercise", required=False, metavar="[EXERCISE]")
@click.option("--poll", is_flag=True, help="Look at the files four times a second, where no file events arrive.")
@isolation_option("How your code is kept apart; auto takes the strongest that works here.")
@lesson_option
def command(exercise: str | None, poll: bool, isolation: Isolation | None, lesson_folder: Path | None) -> int:  # noqa: FBT001 - by name
    """Grade whenever you save a file, beginning with EXERCISE or the first that is unfinished.

    In a terminal, ? shows the keys. Where the output is no terminal, each verdict is printed, and there are no keys.
    """
    from grader.cli.watch.loop import Loop

    lesson = the_lesson(lesson_folder)
    which = ["--lesson", str(lesson_folder)] if lesson_folder else []
    start = lesson.choose((exercise,))[0].id if exercise else None
    workspace = find_workspace()
    with open_progress(workspace) as progress:
        loop = Loop(
            lambda: the_lesson(lesson_folder),
            lesson,
            workspace,
            progress,
            isolation=isolation,
            poll=poll,
            current=start,
            trace_options=which,
        )
        code = loop.run()
    if code is None:
        # The lesson is another one now. Suites and solutions stay imported as long as a process lives, so this one
        # becomes a new one: same terminal, same process id.
        options = [*which, *(["--poll"] if poll else []), "--isolation", isolation or AUTO]
        os.execv(sys.executable, [*this_program(), "watch", *options, loop.state.current])  # noqa: S606 - it is this program
    return code
