"""Taking a quiz in a real terminal, driven by tmux, at 80 and at 40 columns; and fitting text to a width."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time

import pytest
from bankkit import RIGHT, bank_text
from hypothesis import given
from hypothesis import strategies as st

from quizzes.history import sittings
from quizzes.prompter import Prompter
from quizzes.terminal import clean, clean_line, width, wrap

needs_tmux = pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")


class Terminal:
    """A program in a tmux window of a given width."""

    def __init__(self, quiz, columns):
        self.quiz = quiz
        self.columns = columns
        self.started = 0

    @property
    def socket(self):
        """The socket of a tmux server of its own for each start: an ending one must not be met again."""
        return str(self.quiz.folder.parent / f"tmux{self.started}")

    def tmux(self, *arguments):
        """Run a tmux command of this test's own server."""
        env = {**self.quiz.env, "TERM": "xterm"}
        env.pop("COLUMNS")  # the window has a width of its own
        done = subprocess.run(
            ["tmux", "-S", self.socket, "-f", os.devnull, *arguments],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def start(self, *arguments):
        """Start the program; the window stays when it ends."""
        self.started += 1
        command = [*self.quiz.command, *map(str, arguments), "--state", str(self.quiz.state)]
        self.tmux(
            "new-session",
            "-d",
            "-x",
            str(self.columns),
            "-y",
            "50",
            "-c",
            str(self.quiz.folder),
            "sh",
            "-c",
            'trap : INT; "$@"; echo "ended with $?"; sleep 60',
            "sh",
            *command,
        )

    def type(self, *keys):
        """Press keys by their tmux names, after text."""
        self.tmux("send-keys", *keys)

    def answer(self, text):
        """Type a line."""
        self.type("-l", text)
        self.type("Enter")

    @property
    def screen(self):
        """What the window shows, with all that has scrolled away."""
        return self.tmux("capture-pane", "-p", "-S", "-")

    def wait(self, text, count=1):
        """Wait until a text is on the screen so many times."""
        end = time.monotonic() + 20
        while self.screen.replace("\n", " ").count(text) < count:
            assert time.monotonic() < end, f"no {text!r} in\n{self.screen}"
            time.sleep(0.02)
        return self.screen

    def stop(self):
        """End the window."""
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, capture_output=True)


@pytest.fixture(params=[80, 40])
def terminal(quiz, request):
    """A terminal of 80 and one of 40 columns."""
    one = Terminal(quiz, request.param)
    yield one
    one.stop()


@needs_tmux
def test_a_killed_quiz_is_offered_and_gone_on_with(quiz, twelve, terminal):
    """Killed after the fifth of twelve questions: the next run offers to resume, asks the sixth, counts all twelve."""
    terminal.start(twelve)
    for number, typed in enumerate(RIGHT[:5], 1):
        terminal.wait(f"Question {number} of 12")
        terminal.answer(typed)
    terminal.wait("Question 6 of 12")
    processes = subprocess.run(["ps", "-ww", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    running = [
        line.split()[0]
        for line in processes.splitlines()
        if str(quiz.state) in line and "-m quizzes" in line and "sh -c" not in line and "tmux" not in line
    ]
    os.kill(int(running[0]), signal.SIGKILL)
    terminal.wait("ended with 137")
    terminal.stop()
    terminal.start(twelve)
    terminal.wait("Resume it (y or n)?")
    terminal.answer("?")
    terminal.wait("Resume it (y or n)?", 2)
    terminal.wait("Type y to go on with it")
    terminal.answer(":quit")
    terminal.wait("ended with 3")
    terminal.stop()
    terminal.start(twelve)
    terminal.wait("Resume it (y or n)?")
    terminal.answer("y")
    for number, typed in enumerate(RIGHT[5:], 6):
        terminal.wait(f"Question {number} of 12")
        terminal.answer(typed)
    screen = terminal.wait("ended with 0")
    assert "Question 5 of 12" not in screen
    assert "100 % (12 of 12 right)" in screen.replace("\n", " ")
    assert [12] == [len(past.tries) for past in sittings(quiz.events).values()]


@needs_tmux
@pytest.mark.parametrize("key", ["C-c", "C-d"])
def test_ctrl_c_and_ctrl_d_keep_what_was_answered(quiz, twelve, key):
    """Both end with 3, at once, with one sentence and no traceback."""
    terminal = Terminal(quiz, 80)
    try:
        terminal.start(twelve)
        terminal.wait("Question 1 of 12")
        terminal.answer("f")
        terminal.wait("Question 2 of 12")
        terminal.type(key)
        screen = terminal.wait("ended with 3")
        assert "Stopped after 1 of 12 questions; your answers are kept." in screen
        assert "Traceback" not in screen
        assert 1 == len(next(iter(sittings(quiz.events).values())).tries)
    finally:
        terminal.stop()


@needs_tmux
def test_text_is_shown_as_written_and_nothing_is_painted_over(quiz, terminal):
    """Markup of other programs is plain text, lines break at words, and a scrolled screen reads from top to bottom."""
    text = "Read `Q[i] @ K[j]`, dict[str, int], a[/]b, :smile:, <b> and **this**."
    path = quiz.file(
        "b.yaml",
        bank_text(
            f"- {{id: a, type: truefalse, prompt: '{text}', answer: true, hints: ['x']}}\n- {{id: b, type: truefalse, prompt: q, answer: true}}"
        ),
    )
    terminal.start(path)
    terminal.wait("Question 1 of 2")
    terminal.answer(":hint")
    terminal.answer("t")
    terminal.answer("t")
    screen = terminal.wait("ended with 0")
    assert text in " ".join(line.strip() for line in screen.splitlines())
    order = ["Question 1 of 2", "Hint: x", "Right.", "Question 2 of 2", "Score from first tries"]
    places = [screen.index(one) for one in order]
    assert places == sorted(places)
    assert max(len(line) for line in screen.splitlines()) <= terminal.columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\x07\x00", "a\\x07\\x00"),
        ("a\x9bb", "a\\x9bb"),
        ("a\u202eb\u200b", "a\\u202eb\\u200b"),
        ("a\udcffb", "a\\udcffb"),
        ("tab\tx", "tab x"),
        ("caf\u00e9 \u6f22 \U0001f600", "caf\u00e9 \u6f22 \U0001f600"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_a_code(text, shown):
    """Control characters, direction overrides and broken characters are made visible; all others stay."""
    assert shown == clean(text)


def test_what_a_line_begins_with_is_made_safe_too():
    """A name from a log cannot reach the terminal before the text that is wrapped."""
    assert ["\\x1b]0;x y: a b"] == wrap("a b", 40, "    ", "\x1b]0;x\ny: ")


def test_the_width_is_that_of_the_moment(monkeypatch):
    """A window that is made narrower while a quiz runs gets shorter lines."""
    prompter = Prompter([])
    for columns in ("60", "30"):
        monkeypatch.setenv("COLUMNS", columns)
        assert int(columns) == prompter.columns


@given(st.text(), st.integers(20, 60))
def test_wrapping_loses_nothing_but_spaces(text, columns):
    """Every line fits, and the words are all there in their order."""
    lines = wrap(text, columns, "  ", "- ")
    assert all(width(line) <= columns for line in lines)
    kept = "".join("".join(lines).split()).replace("-", "", 1)
    assert kept.replace("-", "") == "".join(clean(text).split()).replace("-", "")


def test_indentation_and_inner_spaces_stay():
    """Code in a prompt keeps its shape, and a broken line goes on under its own indentation."""
    assert ["a   b", "    x = 1", "", "c"] == wrap("a   b\n    x = 1\n\nc", 40)
    assert ["  one two", "  three"] == wrap("  one two three", 10)
    assert ["- one two", "  six"] == wrap("one two six", 10, "  ", "- ")


@given(st.text())
def test_a_line_is_a_line(text):
    """A message of one line never becomes two, whatever is in it."""
    assert "\n" not in clean_line(text)
    assert "\r" not in clean_line(text)
