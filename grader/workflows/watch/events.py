"""Says that something in a folder has changed. What it was, and whether it matters, is seen by looking."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from grader.workflows.watch.inbox import Inbox

# Events are handed on when none has come for a step: an editor's truncate and write, or its swap file, its new file
# and its rename, are one. The verdict waits for two steps at most.
STEP_MS = 20
MOST_MS = 100
WAKE_MS = 60_000
STOP_S = 1.0


@dataclass(frozen=True, slots=True)
class Changed:
    """Something has changed in one of the folders."""


@dataclass(frozen=True, slots=True)
class NoEvents:
    """There are no events on this machine, or no more."""


class Events(threading.Thread):
    """Waits for events of the file system.

    Folders are watched rather than files: a file that an editor renames into place is another file each time.

    Args:
        folders: which to watch, without the folders in them.
        inbox: is told ``Changed`` and ``NoEvents``.
    """

    def __init__(self, folders: Iterable[Path], inbox: Inbox) -> None:
        super().__init__(name="events", daemon=True)
        self._folders = sorted(set(folders))
        self._inbox = inbox
        self._stopped = threading.Event()

    def run(self) -> None:
        """Serves until ``stop``."""
        from watchfiles import watch

        try:
            for _ in watch(
                *self._folders,
                watch_filter=None,
                debounce=MOST_MS,
                step=STEP_MS,
                stop_event=self._stopped,
                rust_timeout=WAKE_MS,
                raise_interrupt=False,
                force_polling=False,  # it sees whole seconds only; whoever reads the inbox can look for itself
                recursive=False,
            ):
                self._inbox.put(Changed())
        except (OSError, RuntimeError):  # a folder is missing, or the system's limit on watches is reached
            self._inbox.put(NoEvents())

    def stop(self) -> None:
        """Ends the thread."""
        self._stopped.set()
        if self.is_alive():
            self.join(STOP_S)
