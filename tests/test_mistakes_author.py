"""`grade author`: the models' mistakes as mutants of the solutions, and the table of which check refuses which."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.author.check import check
from grader.author.matrix import matrix
from grader.lesson import load_lesson, shipped_lesson

LESSON = shipped_lesson()
KILL_MATRIX = Path(__file__).parent.parent / "docs" / "kill-matrix.md"

LESSON_YAML = """format: lesson/1
lesson: tiny
title: Tiny
exercises:
  - {id: double, title: Doubling, functions: [double], points: 1, checks: 1, hints: [one]}
"""
SUITE = """import numpy as np

from grader.expect import check, same


@check(points=1, hint="Add it to itself.")
def test_double(learner, reference, rng):
    \"\"\"Doubles\"\"\"
    for n in map(np.array, NUMBERS):
        same(learner.double(n), reference.double(n), atol=1e-9)
"""
MODEL = """import numpy as np

from grader.expect.mistakes import Decision, Wrong, ask


def _wrong(name, *ways):
    return Wrong(name, "Your number is wrong.", does="It is.", why="It is.", look="Where?", ways=ways, rare=2)


HOW = Decision("how", lambda x: 2 * x, _wrong("squared", lambda x: x * x, lambda x: -x), _wrong("same", lambda x: x))
LAST = Decision("last", lambda x: x, _wrong("halved", lambda x: x / 2), _wrong("plus-nothing", lambda x: x + 0.0))


def double(pick, x):
    return pick(LAST)(pick(HOW)(x))


def probes(rng, sizes):
    for n in (2.0, 3.0, 5):
        yield ask("double", np.array(n))
"""


@pytest.fixture
def tiny(tmp_path):
    """A lesson of one exercise whose suite asks for the double of some numbers."""

    def make(numbers):
        for folder in ("exercises/suites", "exercises/mistakes", "solutions"):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "exercises" / "lesson.yaml").write_text(LESSON_YAML)
        (tmp_path / "solutions" / "double.py").write_text("def double(x):\n    return 2 * x\n")
        (tmp_path / "exercises" / "double.py").write_text("def double(x):\n    raise NotImplementedError('double')\n")
        (tmp_path / "exercises" / "suites" / "suite_double.py").write_text(SUITE.replace("NUMBERS", numbers))
        (tmp_path / "exercises" / "mistakes" / "double.py").write_text(MODEL)
        return tmp_path

    return make


def test_hole_in_a_suite_is_named(tiny, grade, tmp_path):
    """A mistake that a suite lets pass is named, alone and in pairs, and the exit code is 1."""
    ran = grade("author", "check", "--lesson", tiny("[2.0]"), cwd=tmp_path)
    assert 1 == ran.code
    assert "survives: squared (way 1)" in ran.out
    assert "survives: plus-nothing with squared (way 1)" in ran.out
    assert "survives: halved" not in ran.out


def test_kill_matrix_shows_a_hole(tiny):
    """A mistake that no check refuses has a row without an x, whatever its other ways; one without effect has none."""
    lesson = load_lesson(tiny("[2.0]"))
    rows = re.findall(r"^\| ([a-z-]+) \| (x?) \|$", matrix(lesson, lesson.exercises), re.MULTILINE)
    assert [("halved", "x"), ("squared", ""), ("same", "x")] == rows


def test_suite_without_a_hole(tiny, grade, tmp_path):
    """A suite that refuses every mistake is said to; what changes nothing counts for nothing."""
    ran = grade("author", "check", "--lesson", tiny("[3.0, 5.0]"), cwd=tmp_path)
    assert (0, "") == (ran.code, ran.err)
    said = "2 decisions, 5 mistakes and 6 of 6 pairs tried: all refused, but for 1 that changes nothing here"
    assert said in " ".join(ran.out.split())


def test_help_of_authors_commands_is_whole(grade, tmp_path):
    """Each command of `grade author` is told in a line that is not cut."""
    lines = grade("author", "--help", cwd=tmp_path).out.partition("Commands:\n")[2].splitlines()
    assert 2 == len(lines)
    assert [] == [line for line in lines if line.endswith("...")]


@pytest.mark.parametrize("stem", LESSON.stems)
def test_own_suites_have_no_hole(stem):
    """The suites of this lesson refuse every mistake of the models, and every pair that was tried."""
    pairs = 150 if stem in ("softmax", "projections") else 60
    (result,) = check(LESSON, [LESSON[stem]], pairs=pairs)
    assert ([], [], []) == (result.survivors, result.faults, result.warnings)
    assert result.singles > 100


def test_kill_matrix_is_current():
    """docs/kill-matrix.md is what the models and suites give; `grade author matrix` writes it anew."""
    text = KILL_MATRIX.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(LESSON.stems) == set(sections)
    for stem in ("softmax", "projections"):
        (fresh,) = re.findall(rf"^## {stem}\n(.*)", matrix(LESSON, [LESSON[stem]]), re.MULTILINE | re.DOTALL)
        assert fresh.strip() == sections[stem].strip()
    for stem, section in sections.items():
        assert LESSON[stem].checks == len(re.findall(r"^\d+\. ", section, re.MULTILINE))
        assert "x" in section


@pytest.mark.parametrize(
    ("probes", "enough"),
    [
        ('    yield ask("double", np.array(3.0))', False),
        ('    yield ask("double", np.array(3.0))\n    yield ask("double", None)', False),
        ("    yield from ()", False),
        ('    yield refilled("double", (np.array(3.0),), (np.array(5.0),))', True),
        ('    for n in (3.0, 5.0):\n        yield ask("double", np.array(n))', True),
    ],
)
def test_too_few_probes_for_a_name(tiny, grade, tmp_path, probes, enough):
    """A function whose probes return fewer than two values is warned of; with two a learner is told the mistake."""
    folder = tiny("[3.0, 5.0]")
    model = folder / "exercises" / "mistakes" / "double.py"
    text = MODEL.replace("ask\n", "ask, refilled\n")
    model.write_text(text[: text.index("    for n in")] + probes + "\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "double.py").write_text("def double(x):\n    return x * x\n")

    ran = grade("author", "check", "--lesson", folder, cwd=tmp_path)
    told = grade("--lesson", folder, "--in", "in", "--format", "json", cwd=tmp_path)

    warned = "warning: no mistake in double can be named: at least 2 calls of its probes have to return a value"
    assert (0, "") == (ran.code, ran.err)
    assert (warned in " ".join(ran.out.split())) == (not enough)
    (exercise,) = json.loads(told.out)["exercises"]
    assert (["squared"] if enough else []) == [mistake["id"] for mistake in exercise["mistakes"]]


def test_stub_that_is_written_already(tiny):
    """A stub whose function does anything but raise NotImplementedError is a fault."""
    folder = tiny("[3.0]")
    lesson = load_lesson(folder)
    (folder / "exercises" / "double.py").unlink()
    assert ["there is no stub exercises/double.py"] == check(lesson, lesson.exercises)[0].faults
    (folder / "exercises" / "double.py").write_text("def double(x):\n    return 2 * x\n")
    assert ["the stub's double does not raise NotImplementedError"] == check(lesson, lesson.exercises)[0].faults
    (folder / "exercises" / "double.py").write_text("def double(x):\n    raise NotImplementedError('double')\n")
    assert [] == check(lesson, lesson.exercises)[0].faults


def test_lesson_without_models(tiny):
    """A lesson without a model is told so."""
    folder = tiny("[3.0]")
    (folder / "exercises" / "mistakes" / "double.py").unlink()
    lesson = load_lesson(folder)
    (result,) = check(lesson, lesson.exercises)
    assert ["there is no model of its mistakes"] == result.faults
