"""What the documents show is what comes; and what the benchmarks ask for is what they exit by."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.cli.watch.screen import KEYS
from grader.lesson import shipped_lesson

if TYPE_CHECKING:
    from collections.abc import Callable

    Grade = Callable[..., Any]

LESSON = shipped_lesson()
REPO = Path(__file__).parent.parent


def documented(name: str, start: str = "```console\n$ ") -> list[str]:
    """The blocks of a document that begin like this, without the fences."""
    text = (REPO / name).read_text(encoding="utf-8")
    return [part.partition("\n```")[0] for part in text.split(start)[1:]]


def test_readme_shows_what_comes(workspace: Path, grade: Grade) -> None:
    """The README's two runs of `grade` print what it shows: on the stubs, and with its wrong line in the solution."""
    untouched, wrong, *_ = (block.partition("\n")[2] for block in documented("README.md"))
    (line,) = re.findall(r"here with `(scores = .*?)`", (REPO / "README.md").read_text(encoding="utf-8"))

    stubs = grade(cwd=workspace)
    for exercise in LESSON.exercises:
        text = exercise.reference.read_text(encoding="utf-8")
        (workspace / "exercises" / exercise.filename).write_text(re.sub(r"scores = np\.where\(mask,.*", line, text))
    ran = grade("attention", cwd=workspace)

    assert stubs.out.startswith(f"{untouched}\n")
    assert ran.out.startswith(f"{wrong}\n")


def test_watch_shows_its_keys() -> None:
    """docs/watch.md ends its screen with the line of keys, and has a row for each."""
    (screen, *_) = documented("docs/watch.md")

    assert "   ".join(f"{key} {word}" for key, (word, _) in KEYS.items()) == screen.splitlines()[-1]


def test_sample_report_adds_up() -> None:
    """The sample in docs/report-format.md has the points of its exercises, and every key of an exercise."""
    (sample,) = documented("docs/report-format.md", "```json\n")
    report = json.loads(sample)
    schema = json.loads((REPO / "docs" / "report.schema.json").read_text(encoding="utf-8"))

    for key in ("points", "max_points"):
        assert sum(exercise[key] for exercise in report["exercises"]) == report[key]
    assert set(schema["$defs"]["exercise"]["required"]) == report["exercises"][0].keys()


@pytest.mark.parametrize(
    "path", [REPO / "README.md", *sorted((REPO / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_installs_from_this_folder(path: Path) -> None:
    """The package is on no index, so no document has pip look for it there."""
    assert [] == re.findall(r"pip install.*attention-lesson.*", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("slow", "met"), [("", True), ("grade --help", False), ("grade --in DIR", False)])
def test_cold_exits_by_its_bars(
    slow: str, *, met: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """benchmarks/cold.py says whether every bar was met."""
    monkeypatch.syspath_prepend(str(REPO / "benchmarks"))
    import cold

    monkeypatch.setattr(cold, "timed", lambda command, _: 2.0 if slow and slow.split()[1] in command else 1.0)

    assert met == cold.main(1)
    assert 3 == capsys.readouterr().out.count("(at most ")
    del sys.modules["cold"]
