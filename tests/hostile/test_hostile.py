"""Every hostile submission, in every isolation this machine has: none earns, stalls, changes or leaves anything.

``run_set.py`` grades the whole set once for each isolation, in processes of their own beside each other; each test
here reads one of its lines.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.model import Isolation

HERE = Path(__file__).resolve().parent
NAMES = sorted(path.stem for path in (HERE / "submissions").glob("*.py"))
# A grader that hangs must end the tests too. The set takes a minute and a half on two slow processors.
PATIENCE_S = 600
# What one exercise may take beyond its own limit of 0.8 s: starting processes and taking their memory back.
STALLED_S = 20
LONGEST_TEXT = 3_000
JUDGE_MIB = 400

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the set attacks what Linux has")


class Runs:
    """The three runs, started together when the first is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: dict[Isolation, subprocess.Popen[bytes]] = {}
        self._read: dict[Isolation, dict[str, Any]] = {}

    def start(self) -> None:
        """Starts every run."""
        for isolation in Isolation:
            with (
                open(self._folder / f"{isolation}.out", "wb") as out,
                open(self._folder / f"{isolation}.err", "wb") as err,
            ):
                command = [sys.executable, str(HERE / "run_set.py"), isolation.value]
                self._started[isolation] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def lines(self, isolation: Isolation) -> dict[str, Any]:
        """The lines of one run: "start", "end", and one a submission."""
        if isolation not in self._read:
            if not self._started:
                self.start()
            self._started[isolation].wait(PATIENCE_S)
            lines = [json.loads(line) for line in (self._folder / f"{isolation}.out").read_text().splitlines()]
            named = {line["name"]: line for line in lines if "name" in line}
            if lines:
                named["start"] = lines[0]
            if lines and lines[-1].get("end"):
                named["end"] = lines[-1]
            self._read[isolation] = named
        return self._read[isolation]

    def why_not(self, isolation: Isolation) -> str:
        """What a run that could not start had to say."""
        said = (self._folder / f"{isolation}.err").read_text().strip().splitlines()
        return said[-1] if said else "it said nothing"

    def stop(self) -> None:
        """Ends what still runs."""
        for process in self._started.values():
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The set, graded in each isolation."""
    found = Runs(tmp_path_factory.mktemp("hostile"))
    try:
        yield found
    finally:
        found.stop()


@pytest.fixture(params=list(Isolation), ids=str)
def lines(request: pytest.FixtureRequest, runs: Runs) -> dict[str, Any]:
    """The lines of one isolation's run."""
    found = runs.lines(request.param)
    if "start" not in found:
        why = runs.why_not(request.param)
        if "no worker could be started" not in why:
            pytest.fail(f"the run itself failed: {why}")
        pytest.skip(f"{request.param} is not to be had here: {why}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_submission_gains_nothing_and_leaves_nothing(lines: dict[str, Any], name: str) -> None:
    """It earns nothing but honest answers, reaches nothing outside, and leaves no process, no file and no escape."""
    assert name in lines, "the judge did not live to grade it"
    line = lines[name]
    assert line["honest"] or line["points"] == 0, "it earned points"
    assert line["points"] <= line["max_points"]
    assert line["worker_broke"] == ""
    assert line["grader_faults"] == [], "the grader took the submission's fault for its own"
    assert line["neighbour_points"] == 11, "it changed the verdict on another exercise"
    assert line["harm"] == []
    assert line["processes"] == []
    assert line["files"] == []
    assert line["reached"] == []
    assert line["steering"] == [], "control characters in the report"
    assert line["longest_text"] <= LONGEST_TEXT
    assert line["elapsed_s"] < STALLED_S


def test_the_judge_is_as_it_was_after_the_whole_set(lines: dict[str, Any]) -> None:
    """After the set, the same worker grades right files right; no descriptor is lost and memory stayed bounded."""
    end = lines["end"]
    assert end["right_afterwards"] == [True, True]
    assert end["workers_replaced"] == 0
    assert end["descriptors_leaked"] == 0
    assert end["peak_mib"] < JUDGE_MIB


def test_every_submission_was_graded_once(lines: dict[str, Any]) -> None:
    """No submission of the folder is left out."""
    assert sorted(set(lines) - {"start", "end"}) == NAMES
    assert len(NAMES) > 200
