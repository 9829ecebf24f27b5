"""One thread waits; the others, and the signals, leave word. Both sides are descriptors, so that a poll sees them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from typing import Any

PIECE_BYTES = 1 << 12
WORD = b"\0"  # no signal has this number


class Flag:
    """A yes or no that one thread sets and another sees by polling a descriptor."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)

    def fileno(self) -> int:
        """The descriptor that is readable while the flag is set."""
        return self._read

    def set(self) -> None:
        """Sets it, which may be done again and again."""
        with contextlib.suppress(BlockingIOError):  # a full pipe is as readable as can be
            os.write(self._write, WORD)

    def clear(self) -> bytes:
        """Takes it back; returns what was written to it."""
        taken = b""
        with contextlib.suppress(BlockingIOError):  # it is empty: all is taken
            while piece := os.read(self._read, PIECE_BYTES):
                taken += piece
        return taken

    def wake_on_signals(self) -> int:
        """Has signals written to it by number; returns what ``signal.set_wakeup_fd`` was before."""
        return signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)


class Inbox:
    """What happened, in order, until it is taken: whatever threads put in, and signals that were caught."""

    def __init__(self) -> None:
        self._flag = Flag()
        self._items: deque[Any] = deque()

    def fileno(self) -> int:
        """The descriptor that is readable while there is something to take."""
        return self._flag.fileno()

    def catch_signals(self) -> int:
        """Has signals that Python handles announced here; returns what ``signal.set_wakeup_fd`` was before."""
        return self._flag.wake_on_signals()

    def put(self, item: Any) -> None:
        """Leaves word, from any thread."""
        self._items.append(item)
        self._flag.set()

    def take(self) -> list[Any]:
        """All that is there, signals first: a result that came while the program was stopped is judged by that."""
        told = self._flag.clear()
        items: list[Any] = [signal.Signals(number) for number in told if number]
        while self._items:
            items.append(self._items.popleft())
        return items
