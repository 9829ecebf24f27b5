"""Takes a sitting from its first line to its exit code, whatever ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizzes.dialogue import Dialogue, QuitError
from quizzes.prompter import EndOfInputError
from quizzes.report import report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from quizzes.model import Mastery
    from quizzes.prompter import Prompter
    from quizzes.sitting import Sitting
    from quizzes.tree import Node

PASSED, NOT_MASTERED, ENDED_EARLY = 0, 1, 3


def run(
    sitting: Sitting,
    mastery: Mastery,
    prompter: Prompter,
    *,
    title: str,
    about: str = "",
    given: Mapping[str, Node] | None = None,
) -> int:
    """Ask what is left of a sitting, report, and return the exit code."""
    with sitting.log.hold(sitting.id) as free:
        if not free:
            prompter.say("Another window is taking this very quiz; finish it there.")
            return ENDED_EARLY
        # Another window may have gone on with it while this one asked whether to.
        ended = sitting.catch_up()
        _greet(sitting, prompter, title, about)
        try:
            Dialogue(sitting, prompter, given=given).run()
        except (QuitError, EndOfInputError, KeyboardInterrupt) as ending:
            return _leave(sitting, prompter, ending)
        if not ended:
            sitting.end()
    report(sitting, mastery, sitting.log.read(), prompter)
    return PASSED if sitting.mastered(mastery) or not sitting.counted else NOT_MASTERED


def _greet(sitting: Sitting, prompter: Prompter, title: str, about: str) -> None:
    count = len(sitting.items)
    done = sum(item.seen or item.skipped for item in sitting.items)
    left = f", {done} of them done" if done else ""
    prompter.say(f"{title}: {count} question{'s' * (count != 1)}{left}. Seed {sitting.seed}.")
    prompter.say("Type ? for help, :quit to stop.")
    if about and not done:
        prompter.say()
        prompter.say(about.rstrip("\n"))
    prompter.say()


def _leave(sitting: Sitting, prompter: Prompter, ending: BaseException) -> int:
    """Say that nothing is lost, after ending the line where Ctrl-C or the end of input left it."""
    if not isinstance(ending, QuitError):
        prompter.say()
    done = sum(item.seen or item.skipped for item in sitting.items)
    kept = f"Stopped after {done} of {len(sitting.items)} questions; your answers are kept."
    again = "The next run offers to resume." if prompter.interactive else "`--resume` goes on with it."
    if sitting.kind == "review":
        again = "`quiz review` goes on with what is due."
    prompter.say(f"{kept} {again}")
    return ENDED_EARLY
