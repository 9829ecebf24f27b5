"""The terminal, in the state that keys need; and back in its own whenever something else has it.

Signals interrupt nothing: each is announced in the inbox, and whoever reads that decides. So the terminal is never
left half way.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import termios
import tty
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.workflows.watch.inbox import Inbox

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
USUAL_SIZE = (80, 24)
KEY_BYTES = 256
# A text that is pasted was meant for another window: the terminal is asked to say where it begins and ends.
PASTING_ON, PASTING_OFF = "\x1b[?2004h", "\x1b[?2004l"
PASTE_BEGINS = "\x1b[200~"
PASTED = re.compile(r"\x1b\[200~.*?\x1b\[201~", re.DOTALL)
ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)


class Gone(Exception):  # noqa: N818 - an end like others
    """The terminal was closed, or nobody reads the output any more."""


class Terminal:
    """Standard input and output, as keys and as a screen where they are a terminal, else as lines to print.

    Attributes:
        keyboard: the descriptor that keys come from, None where there are none.
        paints: whether the screen can be drawn anew, which a dumb terminal cannot.
    """

    def __init__(self, inbox: Inbox) -> None:
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.keyboard: int | None = sys.stdin.fileno() if interactive else None
        self.paints = interactive and os.environ.get("TERM") not in (None, "", "dumb")
        self._inbox = inbox
        self._own: list[Any] = []
        self._handlers: dict[signal.Signals, Any] = {}
        self._wakeup = -1
        self._drawn = False
        self._pasted = ""

    def __enter__(self) -> Self:
        self._wakeup = self._inbox.catch_signals()
        caught = ENDING if self.keyboard is None else (*ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)
        for number in caught:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has good reasons
                self._handlers[number] = signal.signal(number, _announced)
        try:
            self.take()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines; 80 columns and lines without end where it is no terminal."""
        if self.keyboard is None:
            return (80, sys.maxsize)
        try:  # rather than from the environment, where it stays what it was when the window is resized
            columns, lines = os.get_terminal_size(self.keyboard)
        except OSError:
            return USUAL_SIZE
        return (columns, lines) if columns and lines else USUAL_SIZE

    def take(self) -> None:
        """Has keys come one by one, unseen. Nothing else changes: Ctrl-C and Ctrl-Z still send their signals."""
        if self.keyboard is not None:
            try:
                self._own = self._own or termios.tcgetattr(self.keyboard)
                tty.setcbreak(self.keyboard, termios.TCSANOW)
            except termios.error as error:
                raise Gone from error
            if self.paints:
                self._write(PASTING_ON)

    def give_back(self) -> None:
        """Puts the terminal back into the state in which it was found."""
        if self.keyboard is not None and self._own:
            with contextlib.suppress(termios.error, Gone):  # it was closed: there is nothing left to put back
                if self.paints:
                    self._write(PASTING_OFF)
                termios.tcsetattr(self.keyboard, termios.TCSANOW, self._own)

    def stand_still(self) -> None:
        """Stops, as Ctrl-Z asks, and returns when the program goes on; the terminal then has to be taken again."""
        self.give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, _announced)

    def keys(self) -> str | None:
        """The keys that were pressed, in lower case; None when there will be no more.

        Raises:
            Gone: the terminal was closed.
        """
        assert self.keyboard is not None
        try:
            typed = os.read(self.keyboard, KEY_BYTES)
        except OSError as error:
            raise Gone from error
        if not typed:
            return None
        text = PASTED.sub("", self._pasted + typed.decode("utf-8", "replace"))
        text, begins, rest = text.partition(PASTE_BEGINS)
        self._pasted = begins + rest  # until its end has come as well
        return ESCAPE.sub("", text).lower()

    def show(self, lines: Iterable[str]) -> None:
        """Draws the lines in place of those before; on a dumb terminal, or none, below them.

        Raises:
            Gone: nobody can see them.
        """
        if self.paints:
            # What stood on the screen is pushed up, not overwritten: it is still there to scroll back to.
            before = "" if self._drawn else "\n" * self.size[1]
            text = before + "\x1b[H" + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J"
        else:
            text = "".join(f"{line}\n" for line in lines)
        self._drawn = True
        self._write(text)

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
            raise Gone from error


def _announced(_number: int, _frame: object) -> None:
    """Does nothing: the signal's number is in the inbox by now."""
