"""Grading a cohort as a person does: the command in a process of its own, on real folders, in the real sandbox."""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cohort import CheckMark, ExerciseMark, Reveal, Row, Status
from grader.errors import LessonError, UsageError
from grader.expect import Verdict
from grader.judge.session import judging
from grader.lesson import load_lesson, shipped_lesson
from grader.model import Isolation
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.store.ledger import Ledger
from grader.workflows.batch import pool
from grader.workflows.batch.fingerprint import fingerprint
from grader.workflows.batch.pool import Failed, carry_out, local_crew
from grader.workflows.batch.run import Options, batch
from grader.workflows.batch.tasks import Course, Graded, Task, WeakIsolationError, do, refuse_weak

LESSON = shipped_lesson()
CONTENT = Path(__file__).parent / "content"
HOSTILE = Path(__file__).parent / "hostile" / "submissions"
SOFTMAX = LESSON["softmax"].reference.read_text()
PROJECTIONS = LESSON["projections"].reference.read_text()
CHAFFS = sorted(CONTENT.glob("chaffs/softmax/*.py"))
NO_LIST = "is no archive that can be opened: it has no list of its files, so it is cut off or no zip"
SLEEPS = "import time\n\ndef softmax(x, axis=-1):\n    time.sleep(600)\n"
LOOPS = "def softmax(x, axis=-1):\n    while True:\n        pass\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A lesson of two exercises with short limits, so that what hangs does not hang for long."""
    return make_lesson(tmp_path_factory.mktemp("lesson"))


def make_lesson(folder, extra="", old="", new=""):
    """Writes a lesson with the shipped suites of softmax and projections."""
    text = LESSON.manifest.read_text()
    text = text[: text.index("  - id: attention")].replace("limits:", "limits:", 1)
    text = re.sub(r"call_s: .*", "call_s: 0.3", text)
    text = re.sub(r"exercise_s: .*", "exercise_s: 1", text)
    text = re.sub(r"references: .*", f"references: {LESSON.references.resolve()}", text)
    suites = LESSON["softmax"].suite.parent.resolve()
    if old:
        copy = folder / "suites"
        copy.mkdir()
        for stem in ("softmax", "projections"):
            suite = suites / f"suite_{stem}.py"
            (copy / suite.name).write_text(suite.read_text().replace(old, new))
        suites = copy
    text = re.sub(r"suites: .*", f"suites: {suites}", text)
    text = text.replace("    checks: 13\n", f"    checks: 13\n{extra}")
    (folder / "exercises").mkdir()
    (folder / "exercises" / "lesson.yaml").write_text(text)
    return folder


def submit(folder, name, softmax=SOFTMAX, projections=PROJECTIONS):
    """Puts a submission into a cohort's folder."""
    (folder / name).mkdir(parents=True)
    (folder / name / "softmax.py").write_text(softmax)
    (folder / name / "projections.py").write_text(projections)


def book(out):
    """The gradebook's rows by submission."""
    with (out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["submission"] for row in rows})
    return {row["submission"]: row for row in rows}


def made_at(out):
    """When each report was written."""
    return {path.stem: path.stat().st_mtime_ns for path in (out / "reports").iterdir()}


@pytest.fixture(scope="module")
def cohort(tmp_path_factory, small, grade):
    """A cohort of all kinds, graded once: folder, results and what the program said."""
    root = tmp_path_factory.mktemp("cohort")
    folder = root / "in"
    submit(folder, "Ann Lee_17_file")
    submit(folder, "a; touch x.py")
    submit(folder, "=HYPERLINK(1)", CHAFFS[0].read_text())
    submit(folder, "<b>Bo", "def softmax(x, axis=-1):\n    raise ValueError('<script>alert(1)</script> \\x1b[31m')\n")
    submit(folder, "loops", LOOPS)
    submit(folder, "prints", "print('printed here')\n" + SOFTMAX)
    (folder / "empty").mkdir()
    (folder / "bad.zip").write_bytes(b"PK")
    (folder / ".DS_Store").write_bytes(b"")
    roster = root / "roster.csv"
    roster.write_text("id;name\n17;Ann Lee\n18;@Bad Name\n", encoding="utf-8")
    args = ("batch", folder, "-o", root / "out", "--lesson", small, "--seed", "7", "--roster", roster)
    return folder, root / "out", grade(*args, cwd=root), args, root


def test_every_submission_has_a_row(cohort):
    """Every submission and every person of the roster has one row, with a status, and a reason where it is bad."""
    _, out, ran, _, _ = cohort
    assert (0, "") == (ran.code, re.sub(r"\d+ of \d+ submissions, about \d+ s left\n", "", ran.err))
    rows = book(out)
    assert {
        "Ann Lee_17_file": ("graded", "24", ""),
        "a; touch x.py": ("graded", "24", ""),
        "bad.zip": ("unreadable", "0", NO_LIST),
        "empty": ("unreadable", "0", "is empty"),
        "loops": ("graded", "11", ""),
        "prints": ("graded", "24", ""),
        "18": ("missing", "0", "no submission"),
    } == {name: (r["status"], r["points"], r["reason"]) for name, r in rows.items() if name[0] not in "'<"}  # fmt: skip
    assert ("17", "Ann Lee", "yes") == tuple(rows["Ann Lee_17_file"][key] for key in ("id", "name", "listed"))
    assert "no" == rows["loops"]["listed"]
    assert "0" == rows["18"]["softmax.one_row"]
    assert "8 submissions: 6 graded, 2 could not be read, 1 missing, 7 not on the roster." in " ".join(ran.out.split())


def test_cells_are_no_formulas(cohort):
    """No cell of the gradebook begins like a formula."""
    _, out, _, _, _ = cohort
    text = (out / "gradebook.csv").read_text(encoding="utf-8")
    assert "'=HYPERLINK(1)" in text
    assert "'@Bad Name" in text
    for row in csv.reader(text.splitlines()):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_a_spreadsheet_knows_the_gradebooks_encoding(cohort):
    """The gradebook begins with the mark by which Excel knows UTF-8, once."""
    _, out, _, _, _ = cohort
    content = (out / "gradebook.csv").read_bytes()
    assert content.startswith("\ufeffsubmission,".encode())
    assert 1 == content.count("\ufeff".encode())


def test_pages_hold_no_foreign_markup(cohort):
    """Names and messages of submissions are text in every page, and no control character survives."""
    _, out, _, _, _ = cohort
    for path in [*out.glob("feedback/*.html"), out / "summary.html"]:
        text = path.read_text(encoding="utf-8")
        assert "<b>" not in text
        assert "<script>alert" not in text
        assert "\x1b" not in text
        assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", text)
    said = next(out.glob("feedback/b-Bo.*.html")).read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in said


def test_points_are_those_of_grade(cohort, grade, small):
    """A submission gets what `grade` gives it with the same seed."""
    folder, out, _, _, root = cohort
    for name in ("=HYPERLINK(1)", "prints"):
        ran = grade("--in", folder / name, "--lesson", small, "--seed", "7", "--format", "json", cwd=root)
        alone = json.loads(ran.out)
        (path,) = [
            p for p in (out / "reports").glob("*.json") if p.stem.startswith(name.strip("=").replace("(1)", "-1"))
        ]
        together = json.loads(path.read_text())
        for report in (alone, together):
            report["elapsed_s"] = 0
            for exercise in report["exercises"]:
                exercise["elapsed_s"] = 0
                for check in exercise["checks"]:
                    check["elapsed_s"] = 0
        assert alone == together


def test_summary(cohort):
    """The summary counts what the rows say."""
    _, out, _, _, _ = cohort
    summary = json.loads((out / "summary.json").read_text())
    assert {"graded": 6, "unreadable": 2, "missing": 1, "not_graded": 0} == summary["statuses"]
    assert 8 == summary["submissions"]
    assert 6 == sum(part["count"] for part in summary["distribution"])
    assert {"exercise": "softmax", "cause": "timeout", "count": 1} in summary["causes"]
    assert [{"submission": "loops", "exercise": "softmax", "causes": "timeout"}] == summary["crashed"]
    one_row = summary["exercises"][0]["checks"][0]
    assert ("one_row", 6) == (one_row["id"], one_row["of"])


def test_unchanged_costs_nothing(cohort, grade):
    """A second run grades what is new or has changed; --only looks at one, --regrade at all."""
    folder, out, _, args, root = cohort
    before = made_at(out)
    ran = grade(*args, cwd=root)
    assert "8 submissions: 8 unchanged since the last run" in ran.out
    assert before == made_at(out)
    (folder / "prints" / "softmax.py").write_text(SOFTMAX + "# changed\n")
    submit(folder, "new one")
    ran = grade(*args, "--only", "new one", cwd=root)
    assert "1 submission: 1 graded" in ran.out
    assert "24" == book(out)["new one"]["points"]
    ran = grade(*args, cwd=root)
    assert "9 submissions: 1 graded, 8 unchanged" in " ".join(ran.out.split())
    changed = {name for name, at in made_at(out).items() if before.get(name) != at}
    assert 2 == len(changed)
    assert "prints" in changed
    ran = grade(*args, "--only", "prints", "--regrade", cwd=root)
    assert "1 submission: 1 graded" in ran.out
    assert 10 == len(book(out))


def test_only_somebody(cohort, grade):
    """--only with a name that is not there is wrong use, and offers the nearest."""
    _, _, _, args, root = cohort
    ran = grade(*args, "--only", "print", cwd=root)
    assert (2, "grade: --only 'print': there is no such submission; did you mean 'prints'?\n") == (ran.code, ran.err)


def test_wrong_use(tmp_path, grade):
    """Folders and options that cannot be used are told before anything is done."""
    (tmp_path / "in").mkdir()
    for args, said in (
        (("in",), "grade batch takes a folder of submissions and one for results: grade batch DIR -o OUT"),
        (("in", "-o", "out"), "in holds no submissions: no folder, archive or file"),
        (("gone", "-o", "out"), "gone cannot be read: No such file or directory"),
        (("in", "-o", "out", "--executor", "dask"), "--executor dask and --scheduler tcp://HOST:PORT go together"),
        (
            ("in", "-o", "out", "--compare", "in", "in"),
            "--compare OLD NEW grades nothing, so it takes no DIR and no other option",
        ),
        (("--compare", "in", "in"), "in holds no results of `grade batch`: there is no state.sqlite3"),
    ):
        ran = grade("batch", *args, cwd=tmp_path)
        assert (2, f"grade: {said}\n") == (ran.code, ran.err)
    submit(tmp_path / "in", "ann")
    for args in (("in", "-o", ""), ("", "-o", "out"), ("in", "-o", "out", "--roster", ""), ("--compare", "in", "")):
        ran = grade("batch", *args, cwd=tmp_path)
        assert (2, True) == (ran.code, ran.err.endswith(": it is empty; say `.` for the current folder\n"))
    assert ["in"] == os.listdir(tmp_path)
    ran = grade("batch", "in", "-o", "in", cwd=tmp_path)
    assert (2, "grade: -o in is the folder of the submissions; choose another\n") == (ran.code, ran.err)
    assert [] == list((tmp_path / "in").glob("*.csv"))


def test_two_at_once(tmp_path, small):
    """A second run into the same folder is refused while the first writes to it."""
    submit(tmp_path / "in", "ann")
    (tmp_path / "out").mkdir()
    with Ledger(tmp_path / "out"), pytest.raises(UsageError) as error:
        batch(load_lesson(small), tmp_path / "in", tmp_path / "out", Options(), lambda _: None)
    assert f"another `grade batch` is writing to {tmp_path / 'out'}; wait for it" == str(error.value)


IN_FLIGHT = 2 * pool.IN_FLIGHT  # of two workers: their reports may be written before they are in the ledger


def started(args, cwd, environment):
    """Starts a run and waits until some submissions are done, and not just in flight."""
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "batch", *map(str, args)],
        cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    reports = cwd / "out" / "reports"
    while time.monotonic() < deadline and (not reports.is_dir() or len(list(reports.glob("*.json"))) <= IN_FLIGHT):
        time.sleep(0.02)
    return process


def session_members(session):
    """The processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_stopped_and_gone_on(tmp_path, small, environment, grade, by):
    """Ctrl-C and kill -9 lose what was in flight alone, leave no process, and the same command goes on."""
    for number in range(40):
        submit(tmp_path / "in", f"s{number:02}", CHAFFS[number % len(CHAFFS)].read_text() + f"# {number}\n")
    args = ["in", "-o", "out", "--lesson", small, "--workers", "2"]
    process = started(args, tmp_path, environment)
    if by == signal.SIGINT:
        os.killpg(process.pid, by)  # as a terminal does
    else:
        process.kill()
    _, err = process.communicate(timeout=60)
    deadline = time.monotonic() + 20
    while session_members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [] == session_members(process.pid)
    assert 40 == len(book(tmp_path / "out"))
    if by == signal.SIGINT:
        assert 130 == process.returncode
        assert "Stopped; what is done is kept. The same command goes on from here." in err
        rows = book(tmp_path / "out")
        waiting = [row for row in rows.values() if row["reason"] == "not graded yet: run the same command again"]
        assert (40, {"not_graded"}, {""}) == (
            len(rows), {row["status"] for row in waiting}, {row["points"] for row in waiting},
        )  # fmt: skip
        assert 0 < len(waiting) < 40
        assert 0 <= len(made_at(tmp_path / "out")) - (40 - len(waiting)) <= IN_FLIGHT
        summary = json.loads((tmp_path / "out" / "summary.json").read_text())
        assert len(waiting) == summary["not_graded_yet"] == summary["statuses"]["not_graded"]
        assert 40 - len(waiting) == sum(part["count"] for part in summary["distribution"])
        assert "not graded yet" in (tmp_path / "out" / "summary.html").read_text()
    before = made_at(tmp_path / "out")
    ran = grade("batch", *args, cwd=tmp_path)
    assert 0 == ran.code, ran.err
    assert 40 == len(book(tmp_path / "out"))
    after = made_at(tmp_path / "out")
    again = [name for name, at in before.items() if after[name] != at]
    assert len(again) <= IN_FLIGHT


def test_the_gradebook_while_a_run_goes_on(tmp_path, small, monkeypatch):
    """The gradebook has all rows before the first is graded, and is brought up to date; unchanged it is left alone."""
    for number in range(4):
        submit(tmp_path / "in", f"s{number}", CHAFFS[number].read_text())
    (tmp_path / "in" / "empty").mkdir()
    out, options = tmp_path / "out", Options(lesson_folder=small, workers=1)
    seen = []

    def run():
        seen.clear()
        batch(
            load_lesson(small),
            tmp_path / "in",
            out,
            options,
            lambda _: seen.append((out / "gradebook.csv").read_text()),
        )
        return [(text.count("not graded yet"), text.count("\n")) for text in seen]

    monkeypatch.setattr("grader.workflows.batch.results.EVERY_S", 0)
    monkeypatch.setattr("grader.workflows.batch.results.EVERY_ROW_S", 0)
    assert [(left, 6) for left in (5, 4, 3, 2, 1, 0)] == run()
    assert seen[-1] == (out / "gradebook.csv").read_text()
    assert "softmax.one_row" in seen[-1]
    monkeypatch.setattr("grader.workflows.batch.results.EVERY_S", 1000)
    shutil.rmtree(tmp_path / "in" / "empty")
    submit(tmp_path / "in", "later")
    before = seen[-1]
    assert {(1, 6)} == set(run())
    assert before.splitlines()[0] == seen[0].splitlines()[0]
    before = seen[0]
    run()
    assert {(out / "gradebook.csv").read_text()} == set(seen) != {before}


def test_a_run_of_one(tmp_path, small, grade):
    """With --only the others have rows that claim no points; a name is found as it is shown."""
    for name in ("ann", "Bo  Li"):
        submit(tmp_path / "in", name)
    ran = grade("batch", "in", "-o", "out", "--lesson", small, "--only", "Bo Li", cwd=tmp_path)
    assert 0 == ran.code, ran.err
    rows = book(tmp_path / "out")
    assert ("graded", "24") == (rows["Bo Li"]["status"], rows["Bo Li"]["points"])
    said = [rows["ann"][name] for name in ("status", "reason", "points", "softmax", "softmax.one_row")]
    assert ["not_graded", "not graded yet: run the same command again", "", "", ""] == said
    page = (tmp_path / "out" / "summary.html").read_text()
    assert 'href="feedback/ann.html"' not in page
    assert "the grader's fault" not in page


def test_two_people_of_one_submission(tmp_path, small, grade):
    """Group work has a row for each of its people, and is counted once; ids that people share are told."""
    submit(tmp_path / "in", "group 4")
    (tmp_path / "roster.csv").write_text("id,name,submission\n1,Ann,group 4\n2,Bo,group 4\n2,Cy,\n")
    args = ("batch", "in", "-o", "out", "--lesson", small, "--roster", "roster.csv")
    ran = grade(*args, cwd=tmp_path)
    assert "1 submission: 1 graded, 1 missing." in ran.out
    assert "The roster: 2 people have the id 2: Bo, Cy\n" in ran.out
    with (tmp_path / "out" / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [(row["submission"], row["name"], row["points"]) for row in csv.DictReader(file)]
    assert [("group 4", "Ann", "24"), ("group 4", "Bo", "24"), ("2", "Cy", "0")] == rows
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (1, 1) == (summary["submissions"], summary["statuses"]["graded"])
    assert 1 == (tmp_path / "out" / "summary.html").read_text().count('href="feedback/')
    ran = grade("batch", "--compare", "out", "out", cwd=tmp_path)
    assert "Marks differ in 0 of 2 submissions.\n" == ran.out


def test_names_that_look_alike(tmp_path, small, grade):
    """Submissions whose names look alike have rows that differ, also where the other came later or is gone again."""
    submit(tmp_path / "in", " a ")
    args = ("batch", "in", "-o", "out", "--lesson", small)
    assert 0 == grade(*args, cwd=tmp_path).code
    assert ["a"] == [*book(tmp_path / "out")]
    submit(tmp_path / "in", "a", CHAFFS[0].read_text())
    assert "1 graded, 1 unchanged" in grade(*args, cwd=tmp_path).out
    rows = book(tmp_path / "out")
    assert "24" != rows.pop("a")["points"]
    ((other, row),) = rows.items()
    assert (other.startswith("a (a."), "24") == (True, row["points"])
    assert other in (tmp_path / "out" / "summary.html").read_text()
    assert "1 submission: 1 unchanged" in grade(*args, "--only", other, cwd=tmp_path).out
    shutil.rmtree(tmp_path / "in" / "a")
    assert 0 == grade(*args, cwd=tmp_path).code
    assert ["a"] == [*book(tmp_path / "out")]


def test_nobodys_pages_are_removed(tmp_path, small, grade):
    """The files of submissions that are gone are removed, and no others; another name's takes their place."""
    for name in ("ann", "bo", "cy"):
        submit(tmp_path / "in", name)
    args = ("batch", "in", "-o", "out", "--lesson", small)
    assert 0 == grade(*args, cwd=tmp_path).code
    (tmp_path / "out" / "feedback" / "mine.html").write_text("mine")
    shutil.rmtree(tmp_path / "in" / "ann")
    (tmp_path / "in" / "bo").rename(tmp_path / "in" / "dan")
    submit(tmp_path / "in", "cy.zip")  # so that both have a longer name
    assert 0 == grade(*args, cwd=tmp_path).code
    files = {row.file for _, row in Ledger(tmp_path / "out", write=False).rows()}
    assert 3 == len(files)
    assert {"ann", "bo", "cy"}.isdisjoint(files)
    pages = {path.name for path in (tmp_path / "out" / "feedback").iterdir()}
    assert {"mine.html", *(f"{file}.{kind}" for file in files for kind in ("html", "md"))} == pages
    assert {f"{file}.json" for file in files} == {path.name for path in (tmp_path / "out" / "reports").iterdir()}


def test_a_name_that_was_chosen_takes_no_others_row(tmp_path, small, grade):
    """A submission called as another's files are has a row and pages of its own, and so has the other."""
    submit(tmp_path / "in", "alice smith")
    submit(tmp_path / "in", "alice-smith.ae4f4186a0", CHAFFS[0].read_text())
    args = ("batch", "in", "-o", "out", "--lesson", small, "--seed", "1", "--workers", "1")
    ran = grade(*args, cwd=tmp_path)
    assert (0, "2 submissions: 2 graded.") == (ran.code, ran.out.splitlines()[0])
    rows = book(tmp_path / "out")
    assert "24" == rows["alice smith"]["points"] != rows["alice-smith.ae4f4186a0"]["points"]
    assert 4 == len(list((tmp_path / "out" / "feedback").iterdir()))
    assert "24 of 24" in (tmp_path / "out" / "feedback" / "alice-smith.ae4f4186a0.md").read_text()
    before = book(tmp_path / "out")
    shutil.rmtree(tmp_path / "in" / "alice smith")
    assert grade(*args, cwd=tmp_path).out.startswith("1 submission: 1 unchanged since the last run.")
    submit(tmp_path / "in", "alice smith")
    assert 0 == grade(*args, "--only", "alice-smith.ae4f4186a0", cwd=tmp_path).code
    assert 0 == grade(*args, cwd=tmp_path).code
    assert before == book(tmp_path / "out")
    ran = grade("batch", "--compare", "out", "out", cwd=tmp_path)
    assert "Marks differ in 0 of 2 submissions.\n" == ran.out


def test_results_under_anothers_name_are_made_anew(tmp_path, small, grade):
    """Rows of an earlier run whose files are another submission's, or two's, are not kept."""
    for name in ("alice smith", "alice-smith.ae4f4186a0", "bo"):
        submit(tmp_path / "in", name, SOFTMAX if name == "bo" else CHAFFS[0].read_text())
    args = ("batch", "in", "-o", "out", "--lesson", small, "--seed", "1")
    assert 0 == grade(*args, cwd=tmp_path).code
    good = book(tmp_path / "out")
    with Ledger(tmp_path / "out") as ledger:  # as it was when both had one name
        row = replace(next(row for _, row in ledger.rows() if row.submission == "bo"), file="alice-smith.ae4f4186a0")
        for name in ("alice smith", "alice-smith.ae4f4186a0"):
            ledger.record(name, str(ledger.key_of(name)), replace(row, submission=name))
    ran = grade(*args, cwd=tmp_path)
    assert "3 submissions: 2 graded, 1 unchanged since the last run." == ran.out.splitlines()[0]
    assert good == book(tmp_path / "out")


def test_pages_never_show_more_than_is_asked_for(tmp_path, small, grade):
    """Once less is to be shown no page is left that shows more, also of submissions that are not looked at."""
    for name in ("ann", "bo"):
        submit(tmp_path / "in", name, CHAFFS[0].read_text())
    args = ("batch", "in", "-o", "out", "--lesson", small)
    feedback = tmp_path / "out" / "feedback"
    assert 0 == grade(*args, cwd=tmp_path).code
    assert "expected" in (feedback / "bo.html").read_text()
    assert 0 == grade(*args, "--reveal", "points", "--only", "ann", cwd=tmp_path).code
    assert {"ann.html", "ann.md"} == {path.name for path in feedback.iterdir()}
    assert "expected" not in (feedback / "ann.html").read_text()
    assert 'href="feedback/bo.html"' not in (tmp_path / "out" / "summary.html").read_text()
    assert 0 == grade(*args, "--only", "ann", cwd=tmp_path).code
    assert 0 == grade(*args, "--reveal", "points", cwd=tmp_path).code
    assert not [path.name for path in feedback.iterdir() if "expected" in path.read_text()]
    assert 4 == len(list(feedback.iterdir()))


@pytest.mark.parametrize("name", ["gradebook.csv", "summary.html", "reports/x.json"])
def test_results_of_another_program(tmp_path, small, grade, name):
    """A folder with files under the names of results that are not ours is refused and left as it is."""
    submit(tmp_path / "in", "ann")
    path = tmp_path / "out" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    ran = grade("batch", "in", "-o", "out", "--lesson", small, cwd=tmp_path)
    said = (
        f"grade: -o out holds {name.partition('/')[0]} and no state.sqlite3, so `grade batch` did not write it; "
        "choose another folder, or move it away\n"
    )
    assert (2, said, "mine") == (ran.code, ran.err, path.read_text())


@pytest.mark.parametrize("version", [0, 1, 7])
def test_the_state_of_another_program(tmp_path, small, grade, version):
    """A database that is not ours is left as it is, whatever version it says that it has; an empty file is taken."""
    submit(tmp_path / "in", "ann")
    state = tmp_path / "out" / "state.sqlite3"
    state.parent.mkdir()
    with closing(sqlite3.connect(state)) as db:
        db.execute("CREATE TABLE foo (x)")
        db.execute(f"PRAGMA user_version = {version}")
    before = state.read_bytes()
    said = (
        "grade: out holds a state.sqlite3 that is not of `grade batch` and was left as it is; choose another folder\n"
    )
    for args in (("in", "-o", "out", "--lesson", small), ("--compare", "out", "out")):
        ran = grade("batch", *args, cwd=tmp_path)
        assert (2, said, [state], before) == (ran.code, ran.err, [*state.parent.iterdir()], state.read_bytes())
    state.write_bytes(b"")
    assert 0 == grade("batch", "in", "-o", "out", "--lesson", small, cwd=tmp_path).code


# Root is kept from it as others are by giving up the right to read and write where nobody may.
LESS = ["setpriv", *(f"--{what}=-dac_override,-dac_read_search" for what in ("inh-caps", "bounding-set"))]


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may write everything")
@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("shut", [False, True])
def test_comparing_changes_nothing(tmp_path, environment, killed, shut):
    """Results are compared where nothing may be written, those of a run that was killed too; no file is made."""
    for name, points in (("old", 3.0), ("new", 4.0)):
        out = tmp_path / name
        out.mkdir()
        exercise = ExerciseMark("softmax", "failed", "", points, 9.0, (CheckMark("one_row", "failed", "", points),))
        ledger = Ledger(out)
        ledger.set_plan([("ann", "{}", Row("ann", "ann", Status.GRADED, "", points, 9.0, (exercise,)))])
        copies = {path.name: path.read_bytes() for path in out.iterdir()}
        ledger.close()
        for path, content in copies.items() if killed else ():
            (out / path).write_bytes(content)
        assert killed == (out / "state.sqlite3-wal").exists()
        for path in [*out.iterdir(), out] if shut else ():
            path.chmod(0o555)
    files = {path: path.read_bytes() for path in tmp_path.glob("*/*")}
    ran = subprocess.run(
        [*(LESS if os.geteuid() == 0 else []), sys.executable, "-m", "grader", "batch", "--compare", "old", "new"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ("", 0) == (ran.stderr, ran.returncode)
    assert "+1  ann: 3 -> 4  (softmax.one_row)\nMarks differ in 1 of 1 submission.\n" == ran.stdout
    assert files == {path: path.read_bytes() for path in tmp_path.glob("*/*")}


def test_comparing_while_one_is_written(tmp_path, grade):
    """Results that a run is writing are not read, and nothing is made beside them."""
    with Ledger(tmp_path) as ledger:
        ledger.note("seed", "1")
        before = sorted(tmp_path.iterdir())
        ran = grade("batch", "--compare", tmp_path, tmp_path, cwd=tmp_path)
        assert (2, f"grade: another `grade batch` is writing to {tmp_path}; wait for it\n") == (ran.code, ran.err)
        assert before == sorted(tmp_path.iterdir())


def test_no_room_for_the_state(tmp_path, small, cold_grade):
    """Where there is no room the same folder does once there is, and that is said, on starting and on going on."""
    submit(tmp_path / "in", "ann")
    args = ("batch", "in", "-o", "out", "--lesson", small)
    for _ in range(2):
        for most in (0, 20_000):
            limits = (resource.RLIMIT_FSIZE, (most, most))
            ran = cold_grade(*args, cwd=tmp_path, preexec_fn=lambda limits=limits: resource.setrlimit(*limits))
            assert 3 == ran.code
            assert "or files may not grow (`ulimit -f`): make room, and run the same command again." in ran.err
            assert "choose another" not in ran.err
            assert "Traceback" not in ran.err
        assert 0 == cold_grade(*args, cwd=tmp_path).code


def test_earlier_results_are_no_submission(tmp_path, small, grade):
    """Results that lie among the submissions are left out, and it is said; a file of that name alone is none."""
    submit(tmp_path / "in", "ann")
    (tmp_path / "in" / "ann" / "state.sqlite3").write_text("mine")
    assert 0 == grade("batch", "in", "-o", "in/old", "--lesson", small, cwd=tmp_path).code
    ran = grade("batch", "in", "-o", "in/new", "--lesson", small, cwd=tmp_path)
    assert "1 submission: 1 graded." in ran.out
    assert "Left out, as results of earlier runs: old\n" in ran.out
    assert ["ann"] == [*book(tmp_path / "in" / "new")]


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may read everything")
def test_what_the_disk_does_not_give(tmp_path, small, environment, grade):
    """What may not be read is not graded, with exit code 3, and tried again; what can be read beside it is graded."""
    for name in ("ann", "bo", "cy"):
        submit(tmp_path / "in", name)
    (tmp_path / "in" / "bo" / "old").mkdir()
    shut = [tmp_path / "in" / path for path in ("ann", "bo/old", "cy/softmax.py")]
    for path in shut:
        path.chmod(0)
    less = LESS if os.geteuid() == 0 else []
    args = ["batch", "in", "-o", "out", "--lesson", str(small)]
    ran = subprocess.run(
        [*less, sys.executable, "-m", "grader", *args],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    for path in shut:
        path.chmod(0o755)
    assert 3 == ran.returncode, ran.stderr
    assert {
        "ann": ("not_graded", "", "cannot be read: Permission denied"),
        "bo": ("graded", "24", "old/ cannot be read: Permission denied"),
        "cy": ("not_graded", "", "softmax.py cannot be read: Permission denied"),
    } == {name: (row["status"], row["points"], row["reason"]) for name, row in book(tmp_path / "out").items()}
    ran = grade(*args, cwd=tmp_path)
    assert 0 == ran.code, ran.err
    assert {"24"} == {row["points"] for row in book(tmp_path / "out").values()}


def test_compare(tmp_path, grade, small):
    """After a change of a suite it is shown whose marks move, and by what."""
    submit(tmp_path / "in", "ann")
    submit(tmp_path / "in", "bo", CHAFFS[0].read_text())
    new = make_lesson(tmp_path / "new" if (tmp_path / "new").mkdir() is None else None, old="atol=F64", new="atol=1e3")
    for lesson, out in ((small, "one"), (new, "two")):
        ran = grade("batch", "in", "-o", out, "--lesson", lesson, "--seed", "1", cwd=tmp_path)
        assert 0 == ran.code, ran.err
    ran = grade("batch", "--compare", "one", "two", cwd=tmp_path)
    lines = ran.out.splitlines()
    assert re.fullmatch(r"\+\d+  bo: \d+ -> \d+  \(softmax\..*\)", lines[0])
    assert "Marks differ in 1 of 2 submissions." == lines[-1]


def test_another_suite_grades_anew(tmp_path, grade, small):
    """A change of a suite makes every submission count as changed; the seed stays that of the results."""
    submit(tmp_path / "in", "ann")
    new = make_lesson(
        tmp_path / "new" if (tmp_path / "new").mkdir() is None else None, old="F64 = 1e-8", new="F64 = 2e-8"
    )
    for lesson in (small, new):
        ran = grade("batch", "in", "-o", "out", "--lesson", lesson, cwd=tmp_path)
        assert "1 submission: 1 graded." in ran.out
    with Ledger(tmp_path / "out", write=False) as ledger:
        seed = ledger.fact("seed")
    assert seed == str(json.loads((tmp_path / "out" / "reports" / "ann.json").read_text())["seed"])


@pytest.mark.parametrize(
    "path",
    [
        "exercises/lesson.yaml",
        "solutions/softmax.py",
        "grader/suites/suite_softmax.py",
        "grader/steps/softmax.py",
        "grader/mistakes/softmax.py",
        "grader/mistakes/a_helper.py",
    ],
)
def test_the_mark_of_a_lesson(tmp_path, repo, path):
    """Every file that a lesson grades and explains with is in its mark, and the folder that it lies in is not."""
    shutil.copytree(repo / "solutions", tmp_path / "solutions")
    for part in ("suites", "steps", "mistakes"):
        shutil.copytree(repo / "grader" / part, tmp_path / "grader" / part)
    (tmp_path / "exercises").mkdir()
    shutil.copy(LESSON.manifest, tmp_path / "exercises")
    assert fingerprint(LESSON) == fingerprint(load_lesson(tmp_path))
    with (tmp_path / path).open("a") as file:
        file.write("# another\n")
    assert fingerprint(LESSON) != fingerprint(load_lesson(tmp_path))


def test_weak_isolation_is_refused():
    """A bare process is no isolation for a cohort, unless it was asked for."""
    with connect(Starting(Isolation.PROCESS)) as zygote:
        refuse_weak(zygote, Isolation.PROCESS)
        with pytest.raises(WeakIsolationError) as error:
            refuse_weak(zygote, None)
    assert (
        "submissions cannot be kept apart on this machine (). `grade doctor` says more; "
        "`--isolation process` grades all the same, for submissions that you trust."
    ) == str(error.value)


def tasks_for(lesson_folder, submissions, fingerprint=None):
    """Tasks as a run makes them."""
    from grader.cohort import Reveal
    from grader.workflows.batch.fingerprint import fingerprint as mark

    course = Course(str(lesson_folder), fingerprint or mark(load_lesson(lesson_folder)), 7, None, Reveal.FULL)
    files = {name: {"softmax.py": text.encode(), "projections.py": PROJECTIONS.encode()} for name, text in submissions}
    return [Task(course, name, name, name, Submission("", content), ()) for name, content in files.items()]


def test_a_process_that_is_killed(small):
    """A process of the pool that is killed costs time: every task is done, once."""
    crew = local_crew(2)
    tasks = tasks_for(small, [(f"s{number}", SOFTMAX + f"# {number}\n") for number in range(20)])
    done = []
    try:
        for outcome in carry_out(crew, tasks):
            done.append(outcome)
            if len(done) in (4, 10):
                os.kill(next(iter(crew._executor._processes)), signal.SIGKILL)
    finally:
        crew.close()
    assert not [one for one in done if isinstance(one, Failed)]
    assert sorted(task.name for task in tasks) == sorted(one.row.submission for one in done)
    assert {24.0} == {one.row.points for one in done}


def test_a_process_that_is_killed_while_it_sends(small):
    """Ending a pool does not wait for the rest of a result whose sender is gone."""
    crew = local_crew(1)
    (task,) = tasks_for(small, [("ann", SOFTMAX)])
    assert 24.0 == crew.submit(task).result().row.points
    os.write(crew._executor._result_queue._writer.fileno(), struct.pack("!i", 1000) + b"half")
    time.sleep(0.2)  # it is being read
    crew.close()
    assert 24.0 == crew.submit(task).result().row.points
    crew.close()


def test_other_suites_on_a_machine(small):
    """A machine whose suites are not those of the run does no grading."""
    crew = local_crew(1)
    try:
        with pytest.raises(LessonError) as error:
            list(carry_out(crew, tasks_for(small, [("ann", SOFTMAX)], fingerprint="other")))
    finally:
        crew.close()
    assert f"the suites on {os.uname().nodename} are not those of the run: install the same version" == str(error.value)


def test_what_was_starved_is_done_once_more(small):
    """A time limit counts at once if the code had its CPU time, else only if it is hit again alone."""
    crew = local_crew(2)
    given = []

    def handed_out():
        for task in tasks_for(small, [("sleeps", SLEEPS), ("loops", LOOPS), ("right", SOFTMAX)]):
            given.append(task.name)
            yield task

    submitted = []
    submit_one = crew.submit
    crew.submit = lambda task: (submitted.append(task.name), submit_one(task))[1]
    try:
        outcomes = {outcome.row.submission: outcome for outcome in carry_out(crew, handed_out())}
    finally:
        crew.close()
    assert ["loops", "right", "sleeps", "sleeps"] == sorted(submitted)
    assert {"sleeps": 11.0, "loops": 11.0, "right": 24.0} == {name: one.row.points for name, one in outcomes.items()}
    assert {"timeout"} == {check.cause for check in outcomes["sleeps"].row.exercises[0].checks}


def without_numbers(text):
    """A text without its numbers: some submissions print how long they took."""
    return re.sub(r"[\d.e+-]+", "#", text)


def test_a_plan_changes_no_verdict():
    """Calls that are asked all at once give the verdicts that they give one by one, and their checks what they print.

    One that fails is left out of the latter: asked one by one it ends at its first wrong call.
    """
    every = sorted(CONTENT.glob("*/*/*.py"))
    loud = [path for path in every if "print(" in path.read_text() or "np.log(" in path.read_text()]
    assert len(loud) >= 5
    paths = {*every[::10], *loud}
    right = {exercise.filename: exercise.reference.read_bytes() for exercise in LESSON.exercises}
    verdicts = {}

    def work(judge):
        with connect(Starting()) as zygote:
            for planned, lasting in ((False, False), (True, False), (True, True), (True, True)):
                zygote.lasting = lasting
                if planned:
                    judge.rehearse(7)
                for path in paths:
                    exercise = LESSON[path.parent.name]
                    submission = Submission("exercises/", right | {exercise.filename: path.read_bytes()})
                    result = judge.grade(exercise, submission, zygote, 7)
                    told = [
                        (one.id, one.outcome, one.cause, one.points, one.points and without_numbers(one.stdout))
                        for one in result.checks
                    ]
                    assert verdicts.setdefault(path, told) == told

    judging(LESSON, LESSON.exercises, work)


def test_what_is_asked_beside_a_plan_is_not_remembered(tmp_path):
    """Two files may answer a plan alike and not what a check asks besides: each gets a verdict of its own."""
    once = "learner.softmax(x, axis=0), reference.softmax(x, axis=0), atol=F64"
    twice = (
        "learner.softmax(learner.softmax(x, axis=0).value, axis=0), "
        "reference.softmax(reference.softmax(x, axis=0), axis=0), atol=1.0"
    )
    lesson = load_lesson(make_lesson(tmp_path, old=once, new=twice))
    off = SOFTMAX.replace("return exp", "return 0.01 + exp")
    worse = off.replace(
        "    shifted =",
        "    if np.all(abs(x.sum(axis) - 1 - 0.01 * x.shape[axis]) < 1e-9): return x + 5\n    shifted =",
    )
    found = []

    def work(judge):
        judge.rehearse(7)
        with connect(Starting()) as zygote:
            for text in (worse, off, worse):
                submission = Submission("exercises/", {"softmax.py": text.encode()})
                result = judge.grade(lesson["softmax"], submission, zygote, 7)
                found.extend(check.points for check in result.checks if check.id == "first_axis")

    judging(lesson, lesson.exercises, work)
    assert [0, 1, 0] == found


def test_hostile_submissions_change_no_other_row(tmp_path, small):
    """Hostile submissions among the others leave every other row as it is without them."""
    honest, mixed = tmp_path / "honest", tmp_path / "mixed"
    for number, path in enumerate(CHAFFS[:20]):
        for folder in (honest, mixed):
            submit(folder, f"s{number:02}", path.read_text())
    trace = tmp_path / "trace"
    trace.mkdir()
    chosen = [p for p in sorted(HOSTILE.glob("*.py")) if b"hangs:" not in p.read_bytes()[:3000]][::9]
    assert len(chosen) >= 20
    for path in chosen:
        text = path.read_bytes().replace(b"@@TRACE@@", os.fsencode(trace)).replace(b"@@MARK@@", b"grdbatch7q")
        submit(mixed, f"s{path.stem}")
        (mixed / f"s{path.stem}" / "softmax.py").write_bytes(text.replace(b"@@PORT@@", b"9"))
    rows = []
    for folder in (honest, mixed):
        batch(
            load_lesson(small),
            folder,
            tmp_path / f"{folder.name}-out",
            Options(lesson_folder=small, seed=3),
            lambda _: None,
        )
        rows.append(book(tmp_path / f"{folder.name}-out"))
    assert rows[0] == {name: row for name, row in rows[1].items() if name in rows[0]}
    assert {"graded"} == {row["status"] for row in rows[1].values()}
    assert [] == list(trace.iterdir())


def told(folder, out, exercise, texts):
    """The names in each row of a cohort that one process grades in one go, by what each hands in for an exercise."""
    for name, text in texts.items():
        (folder / name).mkdir(parents=True)
        for one in LESSON.exercises:
            (folder / name / one.filename).write_text(text if one is exercise else one.reference.read_text())
    batch(LESSON, folder, out, Options(seed=3, workers=1), lambda _: None)
    return {name: row["mistakes"] for name, row in book(out).items()}


def test_what_is_written_into_arguments_is_gone(tmp_path):
    """A function that changes its argument, but is steady, is told so however often the same is asked."""
    text = (
        LESSON["multihead"].reference.read_text().replace("    heads = x.reshape", "    x *= 2\n    heads = x.reshape")
    )
    names = told(tmp_path / "in", tmp_path / "out", LESSON["multihead"], dict.fromkeys("abc", text))
    assert len(set(names.values())) == 1
    assert "another result" not in names["a"]


NEARLY = """
import numpy as np

def softmax(x, axis=-1):
    single = x.dtype == np.float32
    shifted = x.astype(np.float32) - np.max(x.astype(np.float32), axis=axis, keepdims=True)
    weights = np.exp(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))
    return weights if single else np.where(weights > 1e-6, weights + np.float64(4e-10), weights)
"""


def test_names_hang_on_no_other_submission(tmp_path):
    """Who does nearly the same as somebody before is told what is told to each alone."""
    plain = NEARLY.replace(
        "weights if single else np.where(weights > 1e-6, weights + np.float64(4e-10), weights)", "weights"
    )
    alone = told(tmp_path / "alone", tmp_path / "out-alone", LESSON["softmax"], {"b": plain})
    assert "float32" in alone["b"]
    both = told(tmp_path / "both", tmp_path / "out-both", LESSON["softmax"], {"a": NEARLY, "b": plain})
    assert "float32" not in both["a"]
    assert both["b"] == alone["b"]


def test_an_import_tells_no_inputs(tmp_path, small):
    """A file that looks for the inputs of its checks, and fails with them, shows them on no page of a learner's."""
    spies = """
import sys
frame = sys._getframe()
while frame and "kept" not in frame.f_locals:
    frame = frame.f_back
raise ImportError(repr(frame.f_locals["kept"])[:2000] if frame else "no inputs")
"""
    submit(tmp_path / "in", "a")
    submit(tmp_path / "in", "b", spies)
    lesson = load_lesson(small)
    options = Options(lesson_folder=small, seed=3, workers=1, reveal=Reveal.MESSAGE)
    batch(lesson, tmp_path / "in", tmp_path / "out", options, lambda _: None)
    assert "array(" in (tmp_path / "out" / "reports" / "b.json").read_text()
    for page in (tmp_path / "out" / "feedback").glob("b.*"):
        assert "array(" not in page.read_text("utf-8")
        assert "cannot be imported" in page.read_text("utf-8")


def test_a_lesson_hides_checks(tmp_path):
    """lesson.yaml names what is hidden, and a wrong word in it is told with its line."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    lesson = load_lesson(make_lesson(tmp_path / "a", "    hidden_checks: [one_row]\n    reveal: {integers: points}\n"))
    assert (("one_row", "message"), ("integers", "points")) == lesson["softmax"].reveal
    with pytest.raises(LessonError) as error:
        load_lesson(make_lesson(tmp_path / "b", "    reveal: {integers: all}\n"))
    said = "reveal of 'integers' is 'all' and has to be one of full, message, points"
    assert str(error.value).endswith(said)


def test_without_the_filter_each_submission_gets_a_worker_of_its_own(small, monkeypatch):
    """Where system calls are not filtered what one submission leaves in its worker meets no other."""
    made = []

    def unfiltered(starting):
        zygote = connect(starting)
        zygote.seccomp = False
        made.append(zygote)
        return zygote

    monkeypatch.setattr("grader.sandbox.zygote.connect", unfiltered)
    graded = [do(task) for task in tasks_for(small, [(name, SOFTMAX) for name in ("a", "b", "c")])]

    assert [24.0] * 3 == [one.row.points for one in graded]
    assert len(made) == 3
    for zygote in made:
        zygote._launched.process.wait(10)


def test_slow_and_wrong(tmp_path, small, grade):
    """Files that use up the time for explaining them are graded as others are, and the rest goes on."""
    for name, line in ("sleeps", "time.sleep(0.1)"), ("nests", "for _ in range(10**5): x = [x]"):
        text = f"import time\n\nimport numpy as np\n\n\ndef softmax(x, axis=-1):\n    {line}\n    return x\n"
        submit(tmp_path / "in", name, text)
    submit(tmp_path / "in", "right")
    ran = grade("batch", "in", "-o", "out", "--lesson", small, cwd=tmp_path)
    assert 0 == ran.code, ran.err
    rows = book(tmp_path / "out")
    assert {("graded", "")} == {(row["status"], row["reason"]) for row in rows.values()}
    assert ["11", "11", "24"] == [rows[name]["points"] for name in ("sleeps", "nests", "right")]


class Notes(tuple):
    """Remarks that raise, where they are read, an error that cannot be made again from its message."""

    __slots__ = ()

    def __iter__(self):
        raise Verdict(None, "nobody looks at this one")


def test_a_fault_of_ours(small):
    """An error that cannot be sent from one process to another is told of its submission, and ends no pool."""
    crew = local_crew(1)
    first, second = tasks_for(small, [("ann", SOFTMAX), ("bo", SOFTMAX)])
    try:
        outcomes = list(carry_out(crew, [replace(first, notes=Notes()), second]))
    finally:
        crew.close()
    failed, graded = sorted(outcomes, key=lambda one: isinstance(one, Graded))
    assert ("ann", "a fault in the grader itself: RuntimeError('Verdict: nobody looks at this one')") == (
        failed.task.name, failed.why,
    )  # fmt: skip
    assert 24.0 == graded.row.points


def test_a_suite_at_fault(tmp_path, grade):
    """A lesson whose suite cannot be used is told once, as for one submission, and no row blames anybody."""
    (tmp_path / "lesson").mkdir()
    lesson = make_lesson(tmp_path / "lesson", "    hidden_checks: [large_score]\n")
    for name in ("ann", "bo"):
        submit(tmp_path / "in", name)
    ran = grade("batch", "in", "-o", "out", "--lesson", lesson, "--workers", "1", cwd=tmp_path)
    assert 3 == ran.code
    assert "suite_softmax.py has no check 'large_score'; did you mean 'large_scores'?" in ran.err
    assert "Traceback" not in ran.err
