"""Reports: golden files of each format, and the rules that their readers make.

The golden files are in tests/golden; ``pytest tests/test_reports.py --regenerate-golden`` writes them anew, to be read
in a diff. Width, colour and seed are pinned there, and times are masked.
"""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from grader import __version__
from grader.cohort import Reveal
from grader.errors import LessonError
from grader.lesson import load_lesson
from grader.lesson.stubs import stub_of
from grader.model import (
    Cause,
    CheckResult,
    Counterexample,
    ExerciseResult,
    Isolation,
    Mistake,
    Outcome,
    Report,
    WrongStep,
)
from grader.reporters import cell, feedback_html, feedback_md, github, gradescope, html, junit, text
from grader.reporters import json as json_reporter
from grader.sandbox.launch import Starting
from grader.workflows.grade import failed_report, grade

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
MINI = load_lesson(HERE / "mini_lesson")
SOLUTION = {stem: MINI[stem].reference.read_text() for stem in MINI.stems}
SEED = 7
FILES = {
    "double": SOLUTION["double"],
    "total": "import numpy as np\n\n\ndef total(x, axis=-1):\n    print('axis', axis)\n    return np.sum(x, axis=0)\n",
    "centre": stub_of(SOLUTION["centre"]),
    "range": "def low_and_high(x)\n    return x\n",
}
OFF_BY_ONE = {"total": "import numpy as np\n\n\ndef total(x, axis=-1):\n    return np.sum(x, axis=axis) + 1\n"}
MASKS = (
    (re.compile(r'("(?:elapsed_s|execution_time|duration)": )[0-9.e-]+'), r"\g<1>0"),
    (re.compile(r'( time=")[0-9.]+'), r"\g<1>0.000"),
    (re.compile(r'("datetime": ")[^"]+'), r"\g<1>2026-01-01T00:00:00Z"),
    (re.compile(rf'("grader": "){re.escape(__version__)}'), r"\g<1>VERSION"),
)


def marked(words: str, colour: str) -> str:
    """Colour as text, to be read in a golden file."""
    return f"<{colour}>{words}</{colour}>"


def decoded(report: Report) -> str:
    """The former Classroom's result, readable."""
    return json.dumps(json.loads(base64.b64decode(github.classroom(report))), indent=2) + "\n"


RENDERERS: dict[str, Callable[[Report], str]] = {
    "text.txt": text.render,
    "text_40_columns.txt": lambda report: text.render(report, width=40),
    "text_all_in_colour.txt": lambda report: text.render(report, every=True, paint=marked),
    "report.json": json_reporter.render,
    "junit.xml": junit.render,
    "gradescope.json": gradescope.render,
    "classroom50.json": lambda report: github.render(report, {}),
    "classroom.json": decoded,
    "workflow.txt": github.workflow_commands,
}


def graded(folder: Path, files: dict[str, str], seed: int | None = SEED) -> Report:
    """A report on files, in the isolation that every machine has."""
    (folder / "exercises").mkdir(exist_ok=True)
    for stem, content in files.items():
        (folder / "exercises" / f"{stem}.py").write_text(content)
    starting = Starting(Isolation.PROCESS)
    try:
        return grade(MINI, MINI.exercises, folder, starting=starting, seed=seed)
    finally:
        starting.cancel()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One exercise right, one wrong, one not started, one broken."""
    return graded(tmp_path_factory.mktemp("graded"), FILES)


@pytest.fixture(scope="module")
def failed() -> Report:
    """A run in which the grader could not do its job."""
    return failed_report(MINI, MINI.exercises, None, str(LessonError("no such lesson\n\x1b[31m & <no> 'such'")))


@pytest.fixture(scope="module")
def nothing() -> Report:
    """A run that ended before it was known what there is to grade."""
    return failed_report(None, (), None, "lesson.yaml:1: no such key")


def check(**more: Any) -> CheckResult:
    """A check that did not pass."""
    values: dict[str, Any] = {
        "id": "values", "title": "Takes any values", "outcome": Outcome.FAILED, "points": 0.0, "max_points": 2.5,
        "cause": Cause.WRONG_VALUE, "message": "is wrong", "path": "exercises/softmax.py",
    }  # fmt: skip
    return CheckResult(**(values | more))


def of(*checks: CheckResult, **more: Any) -> Report:
    """A report on one exercise with these checks."""
    values: dict[str, Any] = {
        "id": "softmax", "title": "Softmax", "path": "exercises/softmax.py", "outcome": Outcome.FAILED,
        "points": sum(c.points for c in checks), "max_points": sum(c.max_points for c in checks), "checks": checks,
        "cause": Cause.WRONG_VALUE,
    }  # fmt: skip
    return Report(__version__, "attention", 0, Isolation.PROCESS, (ExerciseResult(**(values | more)),))


NASTY = "".join(map(chr, [*range(32), 127, 0x9B, 0x202E, 0xD800, 0xFFFE])) + "</failure>]]>&\"'<script>%0A::error::x"
LONG = "a word and anotherverylongword" * 400
HOSTILE = of(
    check(
        title=NASTY, message=NASTY, hint=NASTY, stdout=NASTY, counterexample=Counterexample(NASTY, NASTY, NASTY, NASTY)
    ),
    check(outcome=Outcome.COULD_NOT_CHECK, cause=Cause.GRADER_ERROR, message=LONG, stdout=LONG),
    check(outcome=Outcome.PASSED, cause=None, points=2.5, message="", counterexample=None),
)
EVERY = ["report", "failed", "nothing", "hostile"]


@pytest.fixture
def hostile() -> Report:
    """A report in which every text is as bad as it can be, though reporters get none that bad."""
    return HOSTILE


# --- golden files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RENDERERS)
def test_golden(name: str, report: Report, pytestconfig: pytest.Config) -> None:
    """Each format is, byte for byte, what it was when somebody last read it."""
    path = HERE / "golden" / name
    shown = RENDERERS[name](report)
    for pattern, instead in MASKS:
        shown = pattern.sub(instead, shown)
    if pytestconfig.getoption("regenerate_golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8", newline="\n")

    assert path.read_text(encoding="utf-8") == shown


def test_nothing_else_is_golden() -> None:
    """No golden file is left of a format that is gone."""
    assert sorted(RENDERERS) == sorted(path.name for path in (HERE / "golden").iterdir())


# --- what is known of why it is wrong -------------------------------------------------------------------------

ONE = Mistake("one", "Yours is one.", "One comes of it.", "Look at one?", 3)
OTHER = Mistake("other", "Yours is other.", "Other comes of it.", "Look at other?")
STEP = WrongStep("exercises/softmax.py", 3, "scores", "too large", "small")
WHOLE: dict[str, Callable[[Report], str]] = {
    "html": html.render,
    "md": lambda report: feedback_md.render(report, "ann", Reveal.FULL).replace("\\", ""),
    "cell": cell.render,
    "junit": junit.render,
    "gradescope": gradescope.render,
    "classroom": decoded,
    "workflow": github.workflow_commands,
}


def shown(name: str, **known: Any) -> str:
    """What a format shows of an exercise of which more is known than what a check found, on one line."""
    plain_text = re.sub(r"</?\w+[^>]*>|\*\*|\\n|%0A|`|&#x27;", " ", WHOLE[name](of(check(), **known)))
    return " ".join(plain_text.split())


@pytest.mark.parametrize("name", WHOLE)
def test_what_may_be_either_is_never_told_as_certain(name: str) -> None:
    """Of mistakes that behave the same each has its own explanation, behind Either or Or; a single one has neither."""
    single = shown(name, mistakes=(ONE,))
    several = shown(name, mistakes=(replace(ONE, alternatives=(OTHER,)),))

    assert "Yours is one. (line 3) One comes of it. Look at one?" in single
    assert "Either" not in single
    assert "Either: Yours is one. (line 3) One comes of it. Look at one?" in several
    assert "Or: Yours is other. (line 3) Other comes of it. Look at other?" in several


@pytest.mark.parametrize("name", ["html", "md", "cell"])
def test_pages_know_symptom_and_first_wrong_step(name: str) -> None:
    """A learner's page and a notebook's cell say what is peculiar, and what the first wrong value is and should be."""
    said = shown(name, symptom="The result is transposed.", first_wrong_step=STEP)

    assert "The result is transposed." in said
    assert "First wrong step: exercises/softmax.py:3, scores is too large; it should be small" in said


def test_text_has_room_for_names_alone() -> None:
    """In the terminal mistakes that behave the same are told by name, without what belongs to one of them."""
    said = text.render(of(check(), mistakes=(replace(ONE, alternatives=(OTHER,)),)))

    assert "\nEither: Yours is one. Or: Yours is other.\n" in said
    assert "comes of it" not in said


# --- text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_lines_of_a_check(width: int) -> None:
    """A check that did not pass takes at most eight lines, none longer than the width, whatever is in it."""
    example = Counterexample(LONG, LONG, LONG, LONG)
    for one in (
        check(message=LONG, hint=LONG, stdout=LONG, counterexample=example, line=17),
        check(title=LONG, message=LONG, path="exercises/" + "long/" * 30, line=17),
        check(title="x" * 300, message="y" * 300, hint="z" * 300),
        check(cause=Cause.MISSING_PREREQUISITE, outcome=Outcome.COULD_NOT_CHECK, message=LONG),
    ):
        lines = text.render(of(one), width=width, every=True).splitlines()
        start = lines.index("") + 1
        block = lines[start : lines.index("", start)]

        assert len(block) <= 8
        assert max(map(len, lines)) <= width


def test_verdict_comes_first(report: Report) -> None:
    """The report starts with a verdict on each exercise, in words, and ends with what to do next."""
    lines = text.render(report).splitlines()

    assert ["passed", "failed, wrong shape", "not started", "failed, syntax error"] == [
        re.split(r"  +", line)[2] for line in lines[:4]
    ]
    assert re.match(r"\d+ of 11 points\. Next: edit exercises/total\.py, then run `grade total`\.", lines[-2])


# --- JSON -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema(repo: Path) -> jsonschema.Draft202012Validator:
    """The schema that docs/ gives to readers of reports."""
    content = json.loads((repo / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


@pytest.mark.parametrize("name", EVERY)
def test_schema(name: str, schema: Any, request: pytest.FixtureRequest) -> None:
    """Every report is what the schema says, those of failed runs too; its bytes are ASCII."""
    rendered = json_reporter.render(request.getfixturevalue(name))

    assert [] == [error.message for error in schema.iter_errors(json.loads(rendered))]
    assert rendered.isascii()


def test_schema_knows_all(schema: Any, repo: Path) -> None:
    """The schema and its description list the causes and outcomes that there are, no more and no fewer."""
    described = (repo / "docs" / "report-format.md").read_text(encoding="utf-8")

    assert {*Cause, None} == set(schema.schema["$defs"]["cause"]["enum"])
    assert set(Outcome) == set(schema.schema["$defs"]["outcome"]["enum"])
    assert {*Isolation, None} == set(schema.schema["properties"]["isolation"]["enum"])
    for word in (*Cause, *Outcome, *Isolation, *schema.schema["required"]):
        assert f"`{word}`" in described
    for part in ("exercise", "check"):
        for key in schema.schema["$defs"][part]["required"]:
            assert f"`{key}`" in described


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"points": "3"},
        {"seed": -1},
        {"isolation": "none"},
        {"exercises": [{}]},
        {"more": 1},
    ],
)
def test_schema_refuses(change: dict[str, Any], schema: Any, report: Report) -> None:
    """The schema is no rubber stamp."""
    assert not schema.is_valid(json_reporter.as_data(report) | change)


def test_same_report_again(report: Report, tmp_path: Path) -> None:
    """The same seed and the same files give the same report, times aside."""
    assert timeless(report) == timeless(graded(tmp_path, FILES))


def test_other_seed(tmp_path: Path) -> None:
    """Another seed gives the checks other inputs."""
    one, other = graded(tmp_path, OFF_BY_ONE, SEED), graded(tmp_path, OFF_BY_ONE, SEED + 1)

    assert (SEED, SEED + 1) == (one.seed, other.seed)
    assert values(one) != values(other)
    assert [e.outcome for e in one.exercises] == [e.outcome for e in other.exercises]


def test_default_seed(tmp_path: Path) -> None:
    """Without a seed it comes from the files: the same for the same files, another one after any change."""
    first, again = graded(tmp_path, OFF_BY_ONE, None), graded(tmp_path, OFF_BY_ONE, None)
    changed = graded(tmp_path, {"total": OFF_BY_ONE["total"] + "\n"}, None)

    assert timeless(first) == timeless(again)
    assert first.seed != changed.seed
    assert values(first) != values(changed)


ODD_NAMES = [
    "\x1b[2Jx",
    "n\n::error::pwn",
    "r\r::error::pwn",
    "\u202eyp",
    "c\x85d",
    "\x9b[2J",
    "z\u200bw",
    "::error::x",
    "##[error]x",
]


def shown_in(report: Report) -> dict[str, str]:
    """A report in every format that people or programs read lines of, and the pages."""
    made = {name: render(report) for name, render in RENDERERS.items()}
    made["cell.html"] = cell.render(report)
    made["page.html"] = feedback_html.render(report, "ann", Reveal.FULL)
    made["page.md"] = feedback_md.render(report, "ann", Reveal.FULL)
    return made


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("package", [False, True])
def test_a_helpers_name_steers_nothing(tmp_path: Path, name: str, *, package: bool) -> None:
    """What a file is called reaches no terminal and no log as a command, where it fails and where it is spoken of."""
    helper = tmp_path / "exercises" / (f"{name}/__init__.py" if package else f"{name}.py")
    helper.parent.mkdir(parents=True)
    helper.write_text("def f(x):\n    raise KeyError('boom')\n")
    report = graded(tmp_path, {"double": f"h = __import__({name!r})\n\ndef double(x):\n    return h.f(x)\n"})
    assert any("KeyError" in one.message or "No module named" in one.message for one in report.exercises[0].checks)
    for kind, rendered in shown_in(report).items():
        assert rendered.replace("\n", "").isprintable(), kind
        if kind.endswith(".txt"):
            lines = [line.strip() for line in rendered.splitlines()]
            ours = ("::error file=", "::error title=", "::notice ") if kind == "workflow.txt" else ()
            assert not [line for line in lines if line.startswith("::") and not line.startswith(ours)]
            assert "##[" not in rendered or kind == "workflow.txt"  # there it stands within a command of ours


def test_no_line_of_a_text_is_a_workflows_command() -> None:
    """What was raised and printed begins no line as a command of GitHub's does, wherever the lines are broken."""
    said = "a " * 37 + " ::set-output name=result::x " * 5 + "##[error]x"
    for width in range(40, 101):
        shown = text.render(of(check(message=said, stdout="::error::x")), width=width)
        assert not [line for line in shown.splitlines() if line.strip().startswith("::")]
        assert "##[" not in shown


def timeless(report: Report) -> Report:
    """A report without its times."""
    exercises = tuple(
        replace(e, elapsed_s=0.0, checks=tuple(replace(c, elapsed_s=0.0) for c in e.checks)) for e in report.exercises
    )
    return replace(report, elapsed_s=0.0, exercises=exercises)


def values(report: Report) -> list[str]:
    """What the counterexamples show."""
    return [c.counterexample.got for e in report.exercises for c in e.checks if c.counterexample]


# --- Gradescope -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_gradescope(name: str, request: pytest.FixtureRequest) -> None:
    """results.json has what Gradescope reads: numbers, its own words, and points that add up to the assignment's."""
    report: Report = request.getfixturevalue(name)
    results = json.loads(gradescope.render(report))

    assert is_number(results["execution_time"])
    assert {"text"} == {results[key] for key in ("output_format", "test_output_format", "test_name_format")}
    assert ("visible", "hidden") == (results["visibility"], results["stdout_visibility"])
    assert ("score" in results) == (results["tests"] == [])
    assert report.max_points == sum(test["max_score"] for test in results["tests"])
    assert report.points == sum(test["score"] for test in results["tests"])
    for test in results["tests"]:
        assert is_number(test["score"])
        assert is_number(test["max_score"])
        assert test["status"] in ("passed", "failed")
        assert test["name"].strip()
        assert re.fullmatch(r"\d+\.\d+", test["number"])
        assert isinstance(test["output"], str)
        assert "visible" == test["visibility"]
    assert (report.error != "") == ("no fault of yours" in results["output"])


def is_number(value: Any) -> bool:
    """A number, and not a bool, which is an int to Python."""
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- GitHub ---------------------------------------------------------------------------------------------------

PLACES = {
    "CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://example.org/commit",
    "RELEASE_URL": "https://example.org/release", "REVIEW_URL": "https://example.org/review",
}  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_classroom50(name: str, request: pytest.FixtureRequest) -> None:
    """result.json has whole numbers, no bools among them, and a name for each test."""
    report: Report = request.getfixturevalue(name)
    result = json.loads(github.render(report, PLACES))

    assert {
        "schema": "classroom50/result/v1", "classroom": "c", "assignment": "a", "assignment_type": "individual",
        "submission": "submit/1", "commit": "https://example.org/commit", "release": "https://example.org/release",
        "review": "https://example.org/review",
    }.items() <= result.items()  # fmt: skip
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result["datetime"])
    pairs = [result, *result["tests"]]
    assert {int} == {type(pair[key]) for pair in pairs for key in ("score", "max-score")}
    assert all(0 <= pair["score"] <= pair["max-score"] for pair in pairs)
    assert 1 <= len(result["tests"])
    for test in result["tests"]:
        assert test["test-name"].strip()
        assert isinstance(test["passed"], bool)
    assert result["score"] == sum(test["score"] for test in result["tests"])
    assert result["max-score"] == sum(test["max-score"] for test in result["tests"])


@pytest.mark.parametrize("name", EVERY)
def test_classroom(name: str, request: pytest.FixtureRequest) -> None:
    """The former Classroom gets tests with a numeric score each, always at least one, and one of its three words."""
    report: Report = request.getfixturevalue(name)
    result = json.loads(base64.b64decode(github.classroom(report), validate=True))

    assert (1, report.max_points) == (result["version"], result["max_score"])
    assert {"report": "fail", "failed": "error", "nothing": "error", "hostile": "error"}[name] == result["status"]
    assert 1 <= len(result["tests"])
    for test in result["tests"]:
        assert {"name", "status", "score", "message", "test_code", "filename", "line_no", "duration"} == set(test)
        assert test["status"] in ("pass", "fail", "error")
        assert is_number(test["score"])
        assert {int} == {type(test["line_no"]), type(test["duration"])}


@pytest.mark.parametrize("name", EVERY)
def test_workflow_commands(name: str, request: pytest.FixtureRequest) -> None:
    """Each workflow command is one line of ours: no text of a learner's starts another, and the totals come last."""
    report: Report = request.getfixturevalue(name)
    *lines, last = github.workflow_commands(report).split("\n")
    assert "" == last

    assert all(re.match(r"::(error|notice) ([a-z]+=[^,:]*,?)+::", line) for line in lines)
    assert re.fullmatch(r"::notice title=Autograding complete::Points [0-9.]+/[0-9.]+", lines[-2])
    totals = json.loads(lines[-1].removeprefix("::notice title=Autograding report::"))
    assert {"totalPoints": report.points, "maxPoints": report.max_points} == totals


# --- JUnit ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_junit(name: str, request: pytest.FixtureRequest) -> None:
    """The XML is well formed whatever is in it; a failure is the learner's, an error the grader's; counts are right."""
    report: Report = request.getfixturevalue(name)
    rendered = junit.render(report)
    suites = ET.fromstring(rendered)

    assert "testsuites" == suites.tag
    for suite in suites:
        cases = suite.findall("testcase")
        assert {"tests": len(cases), "skipped": 0} == {key: int(suite.attrib[key]) for key in ("tests", "skipped")}
        for tag, key in (("failure", "failures"), ("error", "errors")):
            assert int(suite.attrib[key]) == sum(case.find(tag) is not None for case in cases)
        for case in cases:
            assert {"classname", "name", "time"} == set(case.attrib)
            assert len(case.findall("failure") + case.findall("error")) <= 1
            assert case.attrib["name"].strip()
    scores = [
        float(p.attrib["value"]) for p in suites.findall("testsuite/testcase/properties/property[@name='points']")
    ]
    assert report.points == sum(scores)
    errors = sum(check.cause is Cause.GRADER_ERROR for exercise in report.exercises for check in exercise.checks)
    assert (errors or bool(report.error)) == len(suites.findall("testsuite/testcase/error"))


def test_control_characters_in_xml() -> None:
    """A character that XML cannot hold is written as pytest writes it."""
    rendered = junit.render(of(check(message="a \x1b[31m red\x00 \ufffe word", stdout="\x07")))

    assert "a #x1B[31m red#x00 #xFFFE word" in rendered
    assert "<system-out>#x07</system-out>" in rendered
