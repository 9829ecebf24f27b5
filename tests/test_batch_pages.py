"""What learners and instructors get to read of a cohort: what is hidden stays hidden, and the pages stand alone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grader.cohort import Reveal
from grader.lesson import shipped_lesson
from grader.model import Cause, CheckResult, Counterexample, ExerciseResult, Isolation, Mistake, Outcome, Report
from grader.reporters import feedback_html, feedback_md
from grader.reporters.gradebook import cell, mistakes
from grader.reporters.page import heat_maps
from grader.reporters.redact import redact
from grader.sandbox.submission import Submission
from grader.workflows.batch.run import Options, batch
from grader.workflows.batch.tasks import Course, Task, _rendered

LESSON = shipped_lesson()
CONTENT = Path(__file__).parent / "content"
CHAFFS = sorted(CONTENT.glob("chaffs/*/*.py"))[::20]
TELLS = """
import numpy as np


def softmax(x, axis=-1):
    print("input", x)
    raise ValueError(f"I was given {x!r}")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cohort of wrong submissions, and one that tells all that it is given."""
    root = tmp_path_factory.mktemp("wrong")
    for path in CHAFFS:
        inside = root / f"{path.parent.name}-{path.stem}"
        inside.mkdir()
        for exercise in LESSON.exercises:
            (inside / exercise.filename).write_bytes(exercise.reference.read_bytes())
        (inside / f"{path.parent.name}.py").write_bytes(path.read_bytes())
    (root / "tells").mkdir()
    (root / "tells" / "softmax.py").write_text(TELLS)
    return root


def secrets(out):
    """What the instructor's files say of inputs, expected values and suites."""
    found = set()
    for path in (out / "reports").glob("*.json"):
        for exercise in json.loads(path.read_text())["exercises"]:
            for check in exercise["checks"]:
                example = check["counterexample"] or {}
                for text in (
                    example.get("call", ""),
                    example.get("expected", ""),
                    example.get("got", ""),
                    check["stdout"],
                ):
                    found |= set(re.findall(r"\[(?=[^\[\]]*\d)[^\[\]]{6,}\]|-?\d+\.\d{3,}", text))
    for exercise in LESSON.exercises:
        found |= {line.strip() for line in exercise.suite.read_text().splitlines() if "(" in line and len(line) > 30}
    titles = {
        line for exercise in LESSON.exercises for line in exercise.suite.read_text().splitlines() if "hint=" in line
    }
    return {text for text in found if not any(text in title for title in titles)}


@pytest.mark.parametrize("reveal", [Reveal.MESSAGE, Reveal.POINTS])
def test_hidden_checks_stay_hidden(tmp_path, folder, reveal):
    """With `message` and `points` no input, expected value or line of a suite is in a file for a learner."""
    batch(LESSON, folder, tmp_path, Options(reveal=reveal, seed=11), lambda _: None)
    hidden = secrets(tmp_path)
    assert len(hidden) > 150
    learners = "\n".join(html.unescape(path.read_text("utf-8")) for path in (tmp_path / "feedback").iterdir())
    learners += learners.replace("\\", "")
    assert [] == sorted(text for text in hidden if text in learners)
    assert "I was given" not in learners
    assert ("the values are not the right ones" in learners) == (reveal is Reveal.MESSAGE)


def report(*checks, **more):
    """A report on one exercise."""
    exercise = ExerciseResult(
        "softmax", "Softmax", "softmax.py", Outcome.FAILED, 1.0, 2.0, checks, Cause.WRONG_VALUE, **more
    )
    return Report("0", "lesson", 1, Isolation.BUBBLEWRAP, (exercise,))


def wrong(name, message="1 of 2 entries is wrong"):
    """A check that failed."""
    example = Counterexample("softmax(x) with x = [1. 2.]", "result = [0.5 0.5]", "result = [0.2689 0.7311]", "")
    return CheckResult(
        name, f"Title of {name}", Outcome.FAILED, 0.0, 1.0, Cause.WRONG_VALUE, message, "Look.", "softmax.py", 3,
        "printed", example,
    )  # fmt: skip


def test_each_check_by_itself():
    """What a lesson hides is hidden for that check alone, and the run's own level is the most that is shown."""
    whole = report(wrong("open"), wrong("shut"), wrong("bare"))
    hidden = {("softmax", "shut"): Reveal.MESSAGE, ("softmax", "bare"): Reveal.POINTS}
    opened, shut, bare = redact(whole, Reveal.FULL, hidden).exercises[0].checks
    assert whole.exercises[0].checks[0] == opened
    assert (None, "", "the values are not the right ones", "Look.", 3) == (
        shut.counterexample, shut.stdout, shut.message, shut.hint, shut.line,
    )  # fmt: skip
    assert (None, "", "", None, None) == (bare.counterexample, bare.message, bare.hint, bare.line, bare.cause)
    assert {""} == {check.message for check in redact(whole, Reveal.POINTS, {}).exercises[0].checks}
    assert whole is redact(whole, Reveal.FULL, {})


def test_gradebook_and_summary_say_either():
    """What may be either of two mistakes is one of its own in row, gradebook and summary, by the names of both."""
    one = Mistake("one", "Yours is one.", "", "", alternatives=(Mistake("other", "Yours is other.", "", ""),))
    task = Task(Course("", "", 0, None, Reveal.FULL), "ann", "ann", "ann", Submission("", {}), ())
    graded = _rendered(task, report(wrong("a"), mistakes=(one,)), starved=False)
    both = "Either: Yours is one. Or: Yours is other."
    assert (("one|other", both),) == graded.row.exercises[0].mistakes
    assert f"softmax: {both}" == mistakes(graded.row)
    assert "Or: Yours is other." in graded.feedback["html"]


class Reader(HTMLParser):
    """Reads a page strictly: every tag is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = []

    def handle_starttag(self, tag, attrs):
        """Opens a tag."""
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        """Closes the tag that was opened last."""
        assert self.open.pop() == tag


NASTY = "</code><script>alert(1)</script>\"' onload=x \u202e\x1b[31m ` | # [a](javascript:b)"


def test_a_page_is_whole_and_stands_alone():
    """A page is well formed, loads nothing, runs nothing, and shows nasty texts as texts."""
    text = feedback_html.render(report(wrong("a", NASTY)), NASTY, Reveal.FULL)
    reader = Reader()
    reader.feed(text)
    assert [] == reader.open
    assert "script" not in {tag for tag, _ in reader.seen}
    assert [] == [attrs for _, attrs in reader.seen if {"src", "href", "onload"} & set(attrs)]
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "default-src 'none'; style-src 'unsafe-inline'" in text


def test_markdown_shows_texts_as_texts():
    """In Markdown nasty texts are texts as well."""
    text = feedback_md.render(report(wrong("a", NASTY)), NASTY, Reveal.FULL)
    assert "<script" not in re.sub(r"\\.", "", text)
    assert "](" not in re.sub(r"\\.", "", text)
    assert "\x1b" not in text


def test_heat_maps():
    """Weights are shown as two maps, what is off has a border; what is no weights is not."""
    maps = heat_maps("weights = [[0.5 0.5] [0.1 0.9]]", "weights = [[0.5 0.5] [0.3 0.7]]")
    assert (8, 2) == (maps.count("<td"), maps.count('class="off"'))
    assert 3 == heat_maps("weights[0, :] = [nan 1. 0.]", "weights[0, :] = [0.2 0.8 0.]").count("</td>") / 2
    assert "" == heat_maps("q = [1. 2.]", "q = [3. 4.]")
    assert "" == heat_maps("shape (2,)", "shape (3,)")
    assert "" == heat_maps("w = [0.5 ... 0.5]", "w = [0.5 ... 0.5]")
    assert "" == heat_maps("w = 5 [", "w = 5 [")
    assert "" == heat_maps("w = " + "[1 " * 50_000 + "x", "w = [1. 0.]")


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "|x", "%x", "\t=1", "\n=1", "\uff1d1"])
def test_no_cell_is_a_formula(text):
    """Whatever a spreadsheet may take for a formula has a mark in front."""
    assert cell(text).startswith("'")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_browser_sorts_and_filters(tmp_path, folder):
    """In a browser without network the summary's table sorts by number and shows only what is looked for."""
    batch(LESSON, folder, tmp_path / "out", Options(seed=11), lambda _: None)
    page = (tmp_path / "out" / "summary.html").read_text(encoding="utf-8")
    probe = """<script>
      document.querySelectorAll("#rows th button")[2].click();
      const got = [...document.querySelectorAll("#rows tbody tr")].map(row => Number(row.cells[2].dataset.value));
      const filter = document.getElementById("filter");
      filter.value = "tells"; filter.dispatchEvent(new Event("input"));
      const left = [...document.querySelectorAll("#rows tbody tr")].filter(row => !row.hidden).length;
      document.title = JSON.stringify([got, left]);
    </script></body>"""
    (tmp_path / "page.html").write_text(page.replace("</body>", probe), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update",
             f"--user-data-dir={tmp_path}/profile"]  # fmt: skip
    done = subprocess.run(
        ["chromium", *flags, "--dump-dom", f"file://{tmp_path}/page.html"], capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    points, left = json.loads(html.unescape(re.search(r"<title>(.*?)</title>", done.stdout)[1]))
    assert len(CHAFFS) + 1 == len(points)
    assert sorted(points) == points
    assert 1 == left
