"""`grade watch` in a pseudo terminal and in tmux: the real program, real saves, real keys.

Nothing here sleeps: a test waits for what it expects to see, and fails when that does not come in good time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from grader.lesson import load_lesson
from grader.workflows.stubs import make_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MINI = Path(__file__).parent / "mini_lesson"
GRADE = Path(sys.executable).with_name("grade")
PATIENCE_S = 30.0
STEP_S = 0.02
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x1b\x07]*(?:\x1b\\|\x07)")
FRAME = re.compile(r"\x1b\[H(.*?)\x1b\[J", re.DOTALL)

RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return 3 * x\n"
HANGS = "def double(x):\n    while True:\n        pass\n"
TOTAL = "import numpy as np\n\n\ndef total(x, axis=-1):\n    return np.sum(x, axis=axis)\n"
CENTRE = (MINI / "solutions" / "centre.py").read_text(encoding="utf-8")


def wait_for(happens: Callable[[], Any], what: str) -> Any:
    """Waits until something is so, and returns it."""
    end = time.monotonic() + PATIENCE_S
    while not (found := happens()):
        assert time.monotonic() < end, f"in {PATIENCE_S:g} s there was not {what}"
        time.sleep(STEP_S)
    return found


def below(pid: int) -> set[int]:
    """The processes that a process has started, and those that these have."""
    try:
        children = [int(word) for task in Path(f"/proc/{pid}/task").iterdir()
                    for word in (task / "children").read_text().split()]  # fmt: skip
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return set(children).union(*map(below, children))


def lives(pid: int) -> bool:
    """Whether a process is still there, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Watched:
    """`grade watch` in a pseudo terminal."""

    def __init__(self, root: Path, env: dict[str, str], *args: str, size: tuple[int, int] = (24, 80)) -> None:
        self.root = root
        self.said = ""
        self.master, self.slave = os.openpty()
        self.resize(*size)
        self.own_state = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [GRADE, "watch", *args],
            cwd=root,
            env=env,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no other thread is here
        )

    def resize(self, rows: int, columns: int) -> None:
        """Gives the window another size."""
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self) -> None:
        """Takes what has been written so far."""
        while select.select([self.master], [], [], 0)[0]:
            self.said += os.read(self.master, 1 << 16).decode("utf-8", "replace")

    @property
    def screen(self) -> str:
        """What is on the screen: the last whole frame."""
        self.read()
        frames = FRAME.findall(self.said)
        return ESCAPES.sub("", frames[-1]).replace("\r\n", "\n") if frames else ""

    def sees(self, *texts: str) -> str:
        """Waits until all the texts are on the screen together."""
        try:
            return wait_for(lambda: (now := self.screen) and all(text in now for text in texts) and now, repr(texts))
        except AssertionError as error:
            raise AssertionError(f"{error}, but\n{self.screen or self.said}") from None

    def press(self, keys: str) -> None:
        """Types."""
        os.write(self.master, keys.encode())

    def save(self, stem: str, text: str) -> None:
        """Writes a file of the learner's."""
        (self.root / "exercises" / f"{stem}.py").write_text(text, encoding="utf-8")

    def attempts(self, stem: str) -> int:
        """How many verdicts on an exercise were recorded."""
        with contextlib.closing(sqlite3.connect(self.root / ".grade" / "progress.sqlite3")) as base:
            return base.execute("SELECT COUNT(*) FROM attempts WHERE exercise = ?", (stem,)).fetchone()[0]

    def end(self) -> int:
        """Waits for the end, also of what was started, and returns the exit code."""
        started = self.started
        wait_for(lambda: self.read() or self.process.poll() is not None, "an end")
        wait_for(lambda: not any(map(lives, started)), "an end of all processes")
        return self.process.returncode

    @property
    def started(self) -> set[int]:
        """The processes that it has started."""
        return below(self.process.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for descriptor in {self.master, self.slave} - {-1}:
            os.close(descriptor)


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """The miniature lesson, with short limits, in a folder of its own to be changed."""
    folder = tmp_path / "lesson"
    shutil.copytree(MINI, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "exercises" / "lesson.yaml"
    manifest.write_text(manifest.read_text().replace("call_s: 30\n  exercise_s: 60", "call_s: 1\n  exercise_s: 2"))
    return folder


@pytest.fixture
def watch(tmp_path: Path, quick: Path, environment: Callable[..., dict[str, str]]) -> Iterator[Callable[..., Watched]]:
    """Starts `grade watch` on a workspace of that lesson, whose files are as given, and as `grade init` makes them."""
    root = tmp_path / "work"
    with contextlib.ExitStack() as stack:

        def start(
            *args: str, env: dict[str, str] | None = None, size: tuple[int, int] = (24, 80), **files: str
        ) -> Watched:
            if not root.exists():
                make_workspace(load_lesson(quick), root)
            for stem, text in files.items():
                (root / "exercises" / f"{stem}.py").write_text(text)
            started = Watched(root, environment(env), "--lesson", str(quick), *args, size=size)
            return stack.enter_context(started)

        yield start


# --- verdicts ---------------------------------------------------------------------------------------------------


def test_first_screen(watch: Callable[..., Watched]) -> None:
    """The first unfinished exercise is current; below its verdict stand progress and keys."""
    seen = watch(double=RIGHT).sees("total  0/4  not started", "1 of 4 passed, 3 of 11 points")

    assert "Sums along an axis: write total in exercises/total.py, and save." in seen
    assert "q quit" in seen
    assert "double" not in seen


def test_wrong_then_right(watch: Callable[..., Watched]) -> None:
    """A save shows the first problem and what was printed; a pass makes the next unfinished exercise current."""
    program = watch()
    program.sees("double  0/3  not started")

    program.save("double", 'print("hello\\x1b]0;evil\\x07")\n' + WRONG)
    seen = program.sees("double  1/3  failed, wrong value", "expected", "printed:")
    assert "  hello\\x1b]0;evil\\x07" in seen

    program.save("double", RIGHT)
    program.sees("double  3/3  passed", "total  0/4  not started", "1 of 4 passed, 3 of 11 points")


def write(path: Path, text: str) -> None:
    """Saves in place."""
    path.write_text(text)


def truncate_then_write(path: Path, text: str) -> None:
    """Saves in two steps, and lets others see that there are two."""
    with path.open("w") as file:
        file.flush()
        os.fsync(file.fileno())
        time.sleep(0.05)  # what a slow editor takes in between
        file.write(text)


def rename_into_place(path: Path, text: str) -> None:
    """Saves to another file, which then takes the place of the old one."""
    new = path.with_name(path.name + ".tmp")
    new.write_text(text)
    new.replace(path)


def as_vim_does(path: Path, text: str) -> None:
    """Saves with a swap file, a probe, and the old file renamed out of the way."""
    swap = path.with_name(f".{path.name}.swp")
    swap.write_bytes(b"b0VIM 9.0")
    path.with_name("4913").write_text("")
    path.with_name("4913").unlink()
    backup = path.with_name(path.name + "~")
    path.replace(backup)
    path.write_text(text)
    backup.unlink()
    swap.unlink()


def as_emacs_does(path: Path, text: str) -> None:
    """Saves while a link beside the file says who is at it."""
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("user@host.1:1")
    path.write_text(text)
    lock.unlink()


SAVES = [write, truncate_then_write, rename_into_place, as_vim_does, as_emacs_does]


@pytest.mark.parametrize("how", [(), ("--poll",)], ids=["events", "poll"])
def test_saves_of_editors(watch: Callable[..., Watched], how: tuple[str, ...]) -> None:
    """However an editor saves, one save is one run, and saving what is there already is none."""
    program = watch(*how)
    program.sees("double  0/3  not started")
    path = program.root / "exercises" / "double.py"
    wait_for(lambda: program.attempts("double") == 1, "a first attempt")

    for number, save in enumerate([*SAVES, *SAVES]):
        save(path, WRONG + f"print({number})\n")
        program.sees(f"\nprinted:\n  {number}\n")
        wait_for(lambda count=number: program.attempts("double") == 2 + count, f"an attempt for {save.__name__}")

    for save in SAVES:
        save(path, path.read_text())
    program.save("total", TOTAL)
    program.sees("total  4/4  passed")
    assert 1 + 2 * len(SAVES) == program.attempts("double")


def test_only_what_is_touched(watch: Callable[..., Watched]) -> None:
    """A save grades the file and what imports it, and nothing else; an exercise that it breaks becomes current."""
    program = watch(double=RIGHT, total=TOTAL, centre=CENTRE)
    program.sees("range  0/2  not started", "3 of 4 passed")
    wait_for(lambda: program.attempts("range") == 1, "attempts at all")

    program.save("total", TOTAL.replace("np.sum", "1.0 * np.sum"))
    program.sees("total  4/4  passed")
    wait_for(lambda: program.attempts("centre") == 2, "a second attempt at what imports total")
    program.save("total", TOTAL.replace("np.sum", "2 * np.sum"))
    program.sees("total  0/4  failed, wrong value")
    program.press("nn")
    program.press("p")
    program.sees("centre  0/2  failed, wrong value", "centre.py uses your total, not passed yet: look there first")

    wait_for(lambda: program.attempts("centre") == 3, "a third attempt")
    assert (1, 3, 1) == (program.attempts("double"), program.attempts("total"), program.attempts("range"))


def test_own_module(watch: Callable[..., Watched]) -> None:
    """A module of the learner's own may be used by any exercise, so all are graded when it is saved."""
    program = watch(double="from helper import two\n\n\ndef double(x):\n    return two * x\n", helper="two = 3\n")
    program.sees("double  1/3  failed, wrong value")

    program.save("helper", "two = 2\n")

    program.sees("double  3/3  passed", "total  0/4  not started")


# --- what takes long -------------------------------------------------------------------------------------------


def test_endless_loop(watch: Callable[..., Watched]) -> None:
    """An endless loop leaves the keys alive, shows its first problem before all checks are made, ends at the limit."""
    program = watch(double=HANGS)
    program.sees("double: being graded; it may take 2 s ...")

    program.press("?")
    program.sees("any key goes back")
    program.press("n")
    program.sees("total: to be graded, after double ...")
    program.press("p")
    program.sees("double: being graded", "timeout", "did not return within 1 s (exercises/double.py:")
    program.sees("double  0/3  failed, timeout", "exercises/double.py:")
    program.press("n")
    program.sees("total  0/4  not started")


def test_save_cancels(watch: Callable[..., Watched], quick: Path) -> None:
    """A save during a run ends the run, and the newest content is graded; what was not reached is graded too."""
    manifest = quick / "exercises" / "lesson.yaml"
    manifest.write_text(manifest.read_text().replace("call_s: 1\n  exercise_s: 2", "call_s: 600\n  exercise_s: 600"))
    program = watch(double=HANGS)
    program.sees("double: being graded; it may take 600 s ...")

    program.save("double", RIGHT)

    program.sees("double  3/3  passed", "total  0/4  not started")
    program.save("double", HANGS)
    program.sees("double: being graded; it may take 600 s ...")
    program.press("q")
    assert 0 == program.end()


def test_flood(watch: Callable[..., Watched]) -> None:
    """A flood of output ends at its limit; of what was printed only the beginning is shown."""
    program = watch(double="def double(x):\n    while True:\n        print('y' * 80)\n")

    program.sees("double  0/3  failed, output flood")
    program.save("double", RIGHT + "for i in range(100):\n    print('line', i)\n")
    program.sees("  line 7\n  ... and 92 more lines")


# --- keys -------------------------------------------------------------------------------------------------------


def test_keys(watch: Callable[..., Watched]) -> None:
    """Each key does what the key line says; sequences of function keys and pasted texts do nothing."""
    program = watch()
    program.sees("double  0/3  not started", "h hint   n next   p previous   l list   r regrade")
    wait_for(lambda: program.attempts("range") == 1, "all verdicts")

    program.press("h")
    program.sees("1. Which operator multiplies?", "2 more: h again.")
    program.press("h")
    program.sees("2. Does it work entry by entry?", "1 more: h again.")
    program.press("p")
    program.sees("range  0/2  not started")
    program.press("\x1b[A\x1bOQ\x1b[15~")
    program.press("\x1b[200~quit: a text that was ")
    program.press("meant for the editor\x1b[201~")
    program.press("l")
    seen = program.sees("> range")
    assert ["double", "total", "centre"] == re.findall(r"^  (\w+) +0/", seen, re.MULTILINE)
    program.press("n")
    program.sees("double  0/3  not started")
    program.press("r")
    wait_for(lambda: program.attempts("double") == 2, "a second attempt")
    program.press("?")
    program.sees("l  all exercises, and how far you are")
    program.press("q")
    assert 0 == program.end()


# --- ends -------------------------------------------------------------------------------------------------------


ENDS = {
    "q": (lambda program: program.press("q"), 0),
    "ctrl-d": (lambda program: program.press("\x04"), 0),
    "ctrl-c": (lambda program: program.press("\x03"), 130),
    "ctrl-backslash": (lambda program: program.press("\x1c"), 131),
    "terminated": (lambda program: program.process.terminate(), 143),
    "hung up": (lambda program: program.process.send_signal(signal.SIGHUP), 129),
}


@pytest.mark.parametrize(("how", "running"), [*((how, True) for how in ENDS), ("q", False), ("ctrl-c", False)])
def test_ends(watch: Callable[..., Watched], how: str, running: bool) -> None:  # noqa: FBT001
    """However it is ended, at rest or in a run, the terminal is as it was found and no process is left."""
    program = watch(**({"double": HANGS} if running else {}))
    program.sees("double: being graded; it" if running else "double  0/3  not started")
    assert program.own_state != termios.tcgetattr(program.slave)
    end, code = ENDS[how]

    end(program)

    assert code == program.end()
    assert program.own_state == termios.tcgetattr(program.slave)
    assert "Traceback" not in program.said


def test_terminal_closed(watch: Callable[..., Watched]) -> None:
    """When the terminal is closed the program ends, and so does all that it started."""
    program = watch(double=HANGS)
    program.sees("double: being graded; it")
    started = program.started

    for descriptor in (program.master, program.slave):
        os.close(descriptor)
    program.master = program.slave = -1

    assert 129 == wait_for(program.process.poll, "an end")
    wait_for(lambda: not any(map(lives, started)), "an end of all processes")


@pytest.mark.parametrize("isolation", ["auto", "process"])
def test_killed(watch: Callable[..., Watched], isolation: str) -> None:
    """Even when the program is killed, nothing that it started is left."""
    program = watch("--isolation", isolation, double=HANGS)
    program.sees("double: being graded; it")
    started = program.started
    assert started

    program.process.kill()

    wait_for(lambda: not any(map(lives, started)), "an end of all processes")


def test_worker_killed(watch: Callable[..., Watched]) -> None:
    """A worker that is gone is replaced, and nobody notices."""
    program = watch()
    program.sees("double  0/3  not started")

    for pid in program.started:
        with contextlib.suppress(ProcessLookupError):  # it ended with the one before
            os.kill(pid, signal.SIGKILL)
    program.save("double", RIGHT)

    program.sees("double  3/3  passed")


def test_resized(watch: Callable[..., Watched]) -> None:
    """A window of another size is drawn anew, as wide as it is and no higher."""
    program = watch(double=WRONG + "print('\\n'.join('abcdefgh'))\n")
    program.sees("double  1/3  failed", "\n  h\n")

    program.resize(10, 40)
    program.process.send_signal(signal.SIGWINCH)

    seen = wait_for(lambda: (now := program.screen).count("\n") < 10 and "\n...\n" in now and now, "a smaller screen")
    assert 40 >= max(map(len, seen.splitlines()))
    assert "0 of 4 passed" in seen
    assert "q quit" in seen


# --- authors ----------------------------------------------------------------------------------------------------


def test_author(watch: Callable[..., Watched], quick: Path) -> None:
    """A change of suite, solution or manifest is picked up in place; what is broken is said, and waited for."""
    program = watch(double=RIGHT)
    program.sees("total  0/4  not started")
    program.press("n")
    program.sees("centre  0/2  not started")
    suite, manifest = quick / "suites" / "suite_double.py", quick / "exercises" / "lesson.yaml"
    whole = suite.read_text()

    suite.write_text(whole.replace("reference.double(x)", "reference.double(x) + 1"))
    program.sees("centre  0/2  not started", "0 of 4 passed")
    suite.write_text("def broken(:\n")
    program.sees("Nothing can be graded now:", "suite_double.py", "SyntaxError: invalid syntax")
    program.press("l")
    program.sees("No exercise has been graded yet.")
    program.press("r")
    program.save("double", RIGHT + "# saved meanwhile\n")
    program.sees("Nothing can be graded now:", "suite_double.py", "SyntaxError: invalid syntax")
    suite.write_text(whole)
    program.sees("double  3/3  passed", "1 of 4 passed")
    program.press("nn")
    program.sees("centre  0/2  not started")
    text = manifest.read_text()
    manifest.write_text(text.replace("points: 3", "points: many"))
    program.sees("Nothing can be graded now:", "'many'")
    manifest.write_text(text)
    program.sees("centre  0/2  not started", "1 of 4 passed")
    manifest.write_text(text.replace("title: Centred around zero", "title: In the middle"))
    program.sees("In the middle: write centre in exercises/centre.py, and save.")
    solution = quick / "solutions" / "double.py"
    solution.write_text(solution.read_text().replace("2 * x", "3 * x"))
    program.sees("centre  0/2  not started", "0 of 4 passed")

    program.press("q")
    assert 0 == program.end()
    assert program.own_state == termios.tcgetattr(program.slave)


# --- where there is less than a terminal ------------------------------------------------------------------------


def test_dumb_terminal(watch: Callable[..., Watched]) -> None:
    """A dumb terminal gets plain lines, and keys all the same."""
    program = watch(env={"TERM": "dumb"})
    wait_for(lambda: program.read() or "q quit" in program.said, "keys")

    program.save("double", WRONG)
    wait_for(lambda: program.read() or "double  1/3  failed, wrong value" in program.said, "a verdict")
    program.press("q")

    assert 0 == program.end()
    assert "\x1b" not in program.said


def test_no_colour(watch: Callable[..., Watched]) -> None:
    """Who asks for no colour gets none, and no links."""
    program = watch(env={"NO_COLOR": "1"}, double=WRONG)
    program.sees("double  1/3  failed")

    assert not re.search(r"\x1b\[[\d;]*m|\x1b\]", program.said)


def test_links(watch: Callable[..., Watched]) -> None:
    """A place is a link to file and line."""
    program = watch()
    program.sees("exercises/double.py:")

    assert f"\x1b]8;;file://{program.root}/exercises/double.py#" in program.said


def test_no_terminal(tmp_path: Path, quick: Path, environment: Callable[..., dict[str, str]]) -> None:
    """Without a terminal each verdict is printed, nothing is drawn, and the end of the input is the end."""
    make_workspace(load_lesson(quick), tmp_path)
    with subprocess.Popen(
        [GRADE, "watch", "--lesson", quick],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        said = ""
        while "0 of 11 points\n" not in said:
            said += process.stdout.readline()
        assert "double  0/3  not started" in said
        (tmp_path / "exercises" / "double.py").write_text(RIGHT)
        while "3 of 11 points\n" not in said:
            said += process.stdout.readline()
        started = below(process.pid)
        process.stdin.close()
        said += process.stdout.read()
        assert 129 == process.wait()
    assert "double  3/3  passed" in said
    assert "\x1b" not in said
    assert "q quit" not in said
    wait_for(lambda: not any(map(lives, started)), "an end of all processes")


def test_nobody_reads(tmp_path: Path, quick: Path, environment: Callable[..., dict[str, str]]) -> None:
    """When nobody reads the output any more the program ends, without a word."""
    make_workspace(load_lesson(quick), tmp_path)
    process = subprocess.Popen(
        [GRADE, "watch", "--lesson", quick],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    process.stdout.readline()

    process.stdout.close()

    assert 129 == process.wait(PATIENCE_S)
    assert process.stderr
    with process.stderr:
        assert b"" == process.stderr.read()


def test_no_events(watch: Callable[..., Watched]) -> None:
    """Where events do not arrive, saves are seen all the same: here the folder was moved away and another put there."""
    program = watch()
    program.sees("double  0/3  not started")
    exercises = program.root / "exercises"
    other = program.root / "other"
    shutil.copytree(exercises, other)

    exercises.rename(program.root / "former")
    program.sees("Nothing can be graded now: there is no folder")
    (other / "double.py").write_text(WRONG)
    other.rename(exercises)

    program.sees("double  1/3  failed")
    program.save("double", RIGHT)
    program.sees("double  3/3  passed")


# --- tmux -------------------------------------------------------------------------------------------------------


class Tmux:
    """A shell in a tmux of its own."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self._socket = folder / "tmux"
        self._env = env | {"TMUX_TMPDIR": str(folder)}
        self.run("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "bash --norc -i")

    def run(self, *args: str) -> str:
        """Runs a command of tmux's own."""
        command = ["tmux", "-S", str(self._socket), *args]
        return subprocess.run(command, env=self._env, check=True, capture_output=True, encoding="utf-8").stdout

    def type(self, *keys: str) -> None:
        """Types, with names such as Enter for keys that are no characters."""
        self.run("send-keys", *keys)

    def sees(self, *texts: str) -> str:
        """Waits until all the texts are on the screen together."""

        def look() -> str:
            return screen if all(text in (screen := self.run("capture-pane", "-p")) for text in texts) else ""

        try:
            return wait_for(look, repr(texts))
        except AssertionError as error:
            raise AssertionError(f"{error}, but\n{self.run('capture-pane', '-p')}") from None


@pytest.fixture
def tmux(tmp_path: Path, environment: Callable[..., dict[str, str]]) -> Iterator[Tmux]:
    """A shell in a tmux of its own, ended with all that runs in it."""
    if not shutil.which("tmux"):
        pytest.skip("there is no tmux")
    terminal = Tmux(tmp_path, environment())
    yield terminal
    terminal.run("kill-server")


def test_put_aside(tmux: Tmux, tmp_path: Path, quick: Path) -> None:
    """Ctrl-Z gives the terminal back; after `fg` the newest content is graded, and the keys work again."""
    root = tmp_path / "work"
    make_workspace(load_lesson(quick), root)
    tmux.type(f"PS1='ready> '; cd {root}; echo some earlier words; {GRADE} watch --lesson {quick}", "Enter")
    tmux.sees("double  0/3  not started", "q quit")
    assert "some earlier words" in tmux.run("capture-pane", "-p", "-S", "-")

    tmux.type("C-z")
    tmux.sees("Stopped")
    tmux.type("clear; stty -a | md5sum", "Enter")
    first = tmux.sees(" -\n")
    (root / "exercises" / "double.py").write_text(WRONG)
    tmux.type("fg", "Enter")
    tmux.sees("double  1/3  failed, wrong value", "q quit")
    tmux.type("n")
    tmux.sees("total  0/4  not started")
    tmux.type("q")
    tmux.sees("help\nready>")
    tmux.type("clear; stty -a | md5sum; history -c", "Enter")
    last = tmux.sees(" -\n")

    sums = [re.findall(r"\b[0-9a-f]{32}\b", screen) for screen in (first, last)]
    assert sums[0] == sums[1]


def test_window_closed(tmux: Tmux, tmp_path: Path, quick: Path) -> None:
    """When the window is closed, nothing is left of what ran in it."""
    root = tmp_path / "work"
    make_workspace(load_lesson(quick), root)
    (root / "exercises" / "double.py").write_text(HANGS)
    tmux.type(f"cd {root}; {GRADE} watch --lesson {quick}", "Enter")
    tmux.sees("double: being graded; it")
    shell = int(tmux.run("display-message", "-p", "#{pane_pid}"))
    started = below(shell)
    assert len(started) > 1
    tmux.run("new-window", "-d", "sleep 1000")

    tmux.run("kill-pane", "-t", ":0")

    wait_for(lambda: not any(map(lives, started)), "an end of all processes")
