"""What a person sees in a real terminal: colour and its absence, widths, questions, Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Terminal = Callable[..., "Seen"]

MINI = Path(__file__).parent / "mini_lesson"
CODES = re.compile(r"\x1b\[[0-9;]*m")
WRONG = {
    "softmax": "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    print('in', x)\n    return np.exp(x) / 1e-9\n",
    "projections": "def project_qkv(x, w_q, w_k, w_v):\n    return w_q.no_such_attribute_of_an_array_anywhere\n",
    "attention": "import a_module_of_a_very_long_name_that_is_not_there_at_all\n",
}


@dataclass
class Seen:
    """What a terminal got, and the exit code."""

    code: int
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines without colour codes."""
        return CODES.sub("", self.text).splitlines()


@pytest.fixture
def terminal(warm: Any) -> Terminal:
    """Runs the program in a terminal of a size, typing answers when their moment comes."""

    def run(
        *args: str | Path,
        cwd: Path,
        width: int = 80,
        env: Mapping[str, str] | None = None,
        answers: tuple[Any, ...] = (),
    ) -> Seen:
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        pid = warm.start(args, cwd, env, *[os.ttyname(theirs)] * 3)
        text = b""
        waiting = list(answers)
        ended = False
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline or os.kill(pid, signal.SIGKILL):
            if select.select([ours], [], [], 0 if ended else 0.02)[0]:
                text += os.read(ours, 4096)
            elif ended:
                break
            if waiting and waiting[0][0](text, pid):
                os.write(ours, waiting.pop(0)[1])
            ended = ended or bool(select.select([warm.server.stdout], [], [], 0)[0])
        os.close(ours)
        os.close(theirs)
        return Seen(warm.told(), text.decode().replace("\r\n", "\n"))

    return run


@pytest.fixture
def troubled(workspace: Path) -> Path:
    """A workspace with a wrong value, an exception, an import that fails, and a stub; something is printed too."""
    for stem, text in WRONG.items():
        (workspace / "exercises" / f"{stem}.py").write_text(text)
    return workspace


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_colour(plain: dict[str, str], troubled: Path, terminal: Terminal) -> None:
    """Colour is there in a terminal, gone where it is not wanted, and the words are the same either way."""
    for command in (["--seed", "1"], ["list"]):
        coloured = terminal(*command, cwd=troubled)
        bare = terminal(*command, cwd=troubled, env=plain)

        assert "\x1b[" in coloured.text
        assert "\x1b" not in bare.text
        assert coloured.lines == bare.lines
        assert coloured.code == bare.code


@pytest.mark.parametrize("width", [80, 40])
def test_width(width: int, troubled: Path, terminal: Terminal) -> None:
    """No line is longer than the terminal is wide, of reports, lists, hints, findings, help and messages."""
    commands = [
        ["--seed", "1"], ["--all", "--seed", "1"], ["list"], ["hint", "multihead"], ["hint", "multihead"], ["doctor"],
        ["softmx"], ["solution", "attention"],
    ]  # fmt: skip
    if width >= 50:  # click writes help no narrower
        commands += [["--help"], ["run", "--help"]]
    for command in commands:
        seen = terminal(*command, cwd=troubled, width=width)

        too_long = [line for line in seen.lines if len(line) > width]
        assert (command, []) == (command, too_long)


def asks(text: bytes, pid: int) -> bool:
    """Whether the program has asked, and waits; a signal just before it waits would be seen at the next key only."""
    return b"[y/N]" in text and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


@pytest.mark.parametrize(("answer", "code", "kept"), [(b"y\n", 0, False), (b"n\n", 130, True), (b"\x03", 130, True)])
def test_reset_asks(answer: bytes, code: int, kept: bool, troubled: Path, terminal: Terminal) -> None:  # noqa: FBT001
    """Reset asks before it replaces a file; only yes replaces it."""
    seen = terminal("reset", "softmax", cwd=troubled, answers=((asks, answer),))

    assert code == seen.code
    assert kept == ((troubled / "exercises" / "softmax.py").read_text() == WRONG["softmax"])
    assert kept != (troubled / ".grade" / "backups").exists()
    assert "Traceback" not in seen.text


def test_interrupted_from_the_keyboard(tmp_path: Path, terminal: Terminal, hanging: Callable[[int], list[int]]) -> None:
    """Ctrl-C at the keyboard ends a run that hangs, with one word and exit code 130."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "double.py").write_text("def double(x):\n    while True:\n        pass\n")

    seen = terminal("double", "--lesson", MINI, cwd=tmp_path, answers=((lambda _, pid: hanging(pid), b"\x03"),))

    assert (130, ["^C", "Stopped."]) == (seen.code, seen.lines)


def test_escapes_of_a_learner(tmp_path: Path, terminal: Terminal) -> None:
    """What a learner prints, raises or is called never steers the terminal."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "double.py").write_text(
        "def double(x):\n"
        "    print('\\x1b]0;title\\x07\\x1b[2J\\x9b31m gone \\u202e right to left')\n"
        "    raise ValueError('\\x1b[8m hidden \\r over')\n"
    )

    seen = terminal("double", "--lesson", MINI, cwd=tmp_path, env={"NO_COLOR": "1"})

    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", seen.text)
    assert r"raised ValueError: \x1b[8m hidden over" in seen.text
    assert r"double printed: \x1b]0;title\x07\x1b[2J\x9b31m gone \u202e right to left" in seen.text


if shutil.which("tmux"):  # a second opinion where it is installed: what a terminal emulator makes of it

    def test_screen(troubled: Path, environment: Callable[..., dict[str, str]], tmp_path: Path) -> None:
        """In a terminal emulator of 80 columns no line wraps, and the screen shows what a pipe gets."""
        tmux = ["tmux", "-S", str(tmp_path / "tmux"), "-f", "/dev/null"]
        command = f"{sys.executable} -m grader softmax --seed 1"
        env = environment()
        piped = subprocess.run(command.split(), cwd=troubled, env=env, capture_output=True, text=True, check=False)
        try:
            subprocess.run(
                [*tmux, "new-session", "-d", "-x", "80", "-y", "40", f'{command}; echo "code $?"; exec sleep 60'],
                cwd=troubled,
                env=env,
                check=True,
            )
            for _ in range(600):
                shown = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True).stdout
                if "code " in shown:
                    break
                time.sleep(0.1)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)

        assert piped.stdout + "code 1" == shown.rstrip("\n")
