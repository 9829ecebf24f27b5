"""Runs ``grade trace`` beside the watching, so that the keys stay alive however long it takes."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.cli.common import this_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.workflows.watch.inbox import Inbox


@dataclass(frozen=True, slots=True)
class Traced:
    """What the trace of an exercise printed."""

    exercise: str
    lines: tuple[str, ...]


class Tracing:
    """One trace at a time; the next takes the place of one that is still running.

    Args:
        root: the workspace.
        options: of the command.
        inbox: is told ``Traced``.
    """

    def __init__(self, root: Path, options: Sequence[str], inbox: Inbox) -> None:
        self._root = root
        self._options = options
        self._inbox = inbox
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None

    def start(self, exercise: str, columns: int) -> None:
        """Traces an exercise."""
        self.stop()
        process = subprocess.Popen(
            [*this_program(), "trace", *self._options, exercise],
            cwd=self._root,
            env=os.environ | {"COLUMNS": str(columns)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="backslashreplace",
            start_new_session=True,
        )

        def wait() -> None:
            said, _ = process.communicate()
            if process.returncode >= 0:  # else it was ended, by stop
                self._inbox.put(Traced(exercise, tuple(said.splitlines())))

        self._process = process
        self._thread = threading.Thread(target=wait, name="trace", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the trace that is running, if there is one, and what it started."""
        if self._process is None or self._thread is None:
            return
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._thread.join()
        self._process = self._thread = None
