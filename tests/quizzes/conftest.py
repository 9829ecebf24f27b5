"""What the quiz tests share: real files, real processes, and a bank small enough to know by heart."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

# Test modules are imported without their folder on the path; what they share is found through this line.
sys.path.insert(0, str(Path(__file__).parent))

from bankkit import TWELVE, TWELVE_HEAD, bank_text

from quizzes.log import Log

# How long an example takes says something about the machine, nothing about the program.
settings.register_profile("quiz", deadline=None)
settings.load_profile("quiz")


@dataclass
class Ran:
    """How a process ended and what it printed."""

    code: int
    out: str
    err: str


class Quiz:
    """Runs the real program with a history and a current folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self.folder = folder / "work"
        self.folder.mkdir()
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "LANG"}}
        self.env = {**kept, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "80"}
        self.env["PYTHONPATH"] = str(Path(__file__).parents[2])

    @property
    def command(self):
        """The command line that starts the program."""
        return [sys.executable, "-m", "quizzes"]

    def __call__(self, *arguments, given="", env=None, state=True, seconds=30, cwd=None):
        """Run it to its end with some input."""
        more = (
            ["--state", str(self.state)]
            if state and arguments[:1] not in {("check",), ("export",), ("import",)}
            else []
        )
        done = subprocess.run(
            [*self.command, *map(str, arguments), *more],
            input=given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given,
            capture_output=True,
            cwd=cwd or self.folder,
            env={**self.env, **(env or {})},
            timeout=seconds,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        encoding = "utf-8" if not env or "PYTHONIOENCODING" not in env else env["PYTHONIOENCODING"].split(":")[0]
        return Ran(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding, "replace"))

    def file(self, name, text):
        """Write a file into the current folder and return its path."""
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    @property
    def events(self):
        """The events in the log."""
        return list(Log(self.state).read().events)


@pytest.fixture
def quiz(tmp_path):
    """The program, with a home of its own."""
    return Quiz(tmp_path)


@pytest.fixture
def twelve(quiz):
    """A file with twelve questions whose right answers are f, t, f, t, ..."""
    return quiz.file("twelve.yaml", bank_text(TWELVE, TWELVE_HEAD))
