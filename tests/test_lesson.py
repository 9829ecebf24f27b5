"""Lessons: the manifest's errors, stubs and solutions that agree, hints, and suites that cannot pass by accident."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.errors import LessonError, UsageError
from grader.lesson import Lesson, load_lesson, shipped_lesson
from grader.lesson.stubs import stub_of
from grader.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    Grade = Callable[..., Any]

MINI = Path(__file__).parent / "mini_lesson"
LESSONS = {"shipped": shipped_lesson(), "mini": load_lesson(MINI)}
EXERCISES = [(name, stem) for name, lesson in LESSONS.items() for stem in lesson.stems]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the miniature lesson, to be broken."""
    return Path(shutil.copytree(MINI, tmp_path / "lesson", ignore=shutil.ignore_patterns("__pycache__")))


def edit(path: Path, old: str, new: str) -> None:
    """Changes a text that has to be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


# --- the manifest ---------------------------------------------------------------------------------------------


def manifest(folder: Path, text: str) -> Path:
    """Writes a lesson.yaml and the files that it may name."""
    for name in ("exercises/lesson.yaml", "solutions/a.py", "exercises/suites/suite_a.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (folder / "exercises" / "lesson.yaml").write_text(text)
    return folder / "exercises" / "lesson.yaml"


ENTRY = "{id: a, title: A, functions: [f], points: 1, checks: 1, hints: [h]}"
HEAD = "format: lesson/1\nlesson: l\ntitle: T\n"


def test_manifest(tmp_path: Path) -> None:
    """A manifest is read as it is written; limits that it does not name stay as they are by default."""
    path = manifest(tmp_path, f"{HEAD}limits: {{call_s: 0.5}}\nexercises:\n  - {ENTRY}\n")
    lesson = load_lesson(tmp_path)

    assert ("l", "T", path, ("a",)) == (lesson.id, lesson.title, lesson.manifest, lesson.stems)
    assert Limits(call_s=0.5) == lesson["a"].limits
    assert (("f",), 1, 1, ("h",), (), "a.py") == (
        lesson["a"].functions, lesson["a"].points, lesson["a"].checks, lesson["a"].hints, lesson["a"].needs,
        lesson["a"].filename,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["1: here a mapping is expected: key: value"]),
        ("- a\n", ["1: here a mapping is expected: key: value"]),
        (f"{HEAD}exercises: []\n", ["4: 'exercises' is empty and has to be a list of exercises"]),
        (HEAD, ["1: 'exercises' is missing: a list of exercises"]),
        (f"{HEAD}exercises: a\n", ["4: 'exercises' has to be a list of exercises"]),
        (f"{HEAD}exercises: [a]\n", ["4: here a mapping is expected: key: value"]),
        (f"{HEAD.replace('/1', '/2')}exercises: [{ENTRY}]\n",
         ["1: format is 'lesson/2'; this version of grade reads 'lesson/1'"]),
        (f"{HEAD}titel: T\nexercises: [{ENTRY}]\n", ["4: unknown key 'titel'; did you mean 'title'?"]),
        (f"{HEAD}title: U\nexercises: [{ENTRY}]\n", ["4: 'title' is there twice"]),
        (f"{HEAD}limits: {{call_s: -1, memory_mib: much}}\nexercises: [{ENTRY}]\n",
         ["4: 'call_s' is '-1' and has to be a number above 0",
          "4: 'memory_mib' is 'much' and has to be a whole number above 0"]),
        (f"{HEAD}exercises:\n  - {ENTRY}\n  - {ENTRY}\n", ["6: id 'a' is there twice"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('checks: 1', 'checks: 0')}\n",
         ["5: 'checks' is '0' and has to be a whole number above 0"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('points: 1', 'points: 1.5')}\n",
         ["5: 'points' is '1.5' and has to be a whole number above 0"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('functions: [f]', 'functions: f')}\n",
         ["5: 'functions' has to be a list of texts"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('functions: [f]', 'functions: []')}\n",
         ["5: 'functions' is empty and has to be a list of texts"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('hints: [h]', 'hints: [{k: v}]')}\n",
         ["5: 'hints' holds something that is no text; quote it"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('hints: [h]', 'hints: [h], needs: [b]')}\n",
         ["5: needs 'b', which is no earlier exercise"]),
        (f"{HEAD}exercises:\n  - {ENTRY.replace('id: a', 'id: ../a')}\n",
         ["5: id '../a' has to be a lower-case name: letters, digits and _"]),
        (f"{HEAD}exercises:\n  - {ENTRY}\n? [a, b]\n: c\n", ["6: a key has to be a text"]),
    ],
)  # fmt: skip
def test_manifest_problem(text: str, problems: list[str], tmp_path: Path) -> None:
    """What is wrong with a manifest is said with file and line, and with what to write instead."""
    path = manifest(tmp_path, text)

    with pytest.raises(LessonError) as caught:
        load_lesson(tmp_path)

    assert [f"{path}:{problem}" for problem in problems] == str(caught.value).splitlines()


def test_names_that_python_has_taken(tmp_path: Path) -> None:
    """An exercise cannot be called what a module of Python's is called: its file could not be imported."""
    path = manifest(tmp_path, f"{HEAD}exercises:\n  - {ENTRY.replace('id: a', 'id: random')}\n")

    with pytest.raises(LessonError) as caught:
        load_lesson(tmp_path)

    message = "id 'random' is a name that Python has taken: a file of that name could not be imported"
    assert f"{path}:5: {message}" == str(caught.value).splitlines()[0]


def test_all_problems_at_once(tmp_path: Path) -> None:
    """All that is wrong is said at once, in the order of the lines."""
    path = manifest(
        tmp_path,
        "format: lesson/1\n"
        "lesson: l\n"
        "exercises:\n"
        "  - id: Nope\n"
        "    title: T\n"
        "    functions: [f]\n"
        "    points: many\n"
        "    hints: [h]\n"
        "    colour: red\n",
    )

    with pytest.raises(LessonError) as caught:
        load_lesson(tmp_path)

    assert [
        f"{path}:1: 'title' is missing: a text",
        f"{path}:4: id 'Nope' has to be a lower-case name: letters, digits and _",
        f"{path}:4: 'checks' is missing: a number",
        f"{path}:7: 'points' is 'many' and has to be a whole number above 0",
        f"{path}:9: unknown key 'colour'",
    ] == str(caught.value).splitlines()


def test_no_yaml(tmp_path: Path) -> None:
    """A manifest that is no YAML is said to be none, with the place."""
    path = manifest(tmp_path, "format: [lesson/1\nlesson: l\n")

    with pytest.raises(LessonError, match=r"is no YAML: (.|\n)*line 2") as caught:
        load_lesson(tmp_path)

    assert str(caught.value).startswith(f"{path} is no YAML: ")


def test_no_manifest(tmp_path: Path, grade: Grade, workspace: Path) -> None:
    """A folder without a manifest is a lesson at fault; one that is not there is wrong use."""
    empty = grade("list", "--lesson", tmp_path, cwd=workspace)
    none = grade("list", "--lesson", tmp_path / "none", cwd=workspace)

    assert (3, "") == (empty.code, empty.out)
    assert f"grade: {tmp_path}/exercises/lesson.yaml cannot be read: No such file or directory\n" == empty.err
    assert (2, "") == (none.code, none.out)
    assert f"grade: --lesson {tmp_path}/none: there is no such folder\n" == none.err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a: \xc3\xa4\nb: \xff\n", "2: byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"a: \xc3\xa4\nb: \x07\n", r"2: \x07 is a character that YAML forbids; take it out"),
        (b"a: \xc3", "1: byte 0xc3 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_no_text(content: bytes, problem: str, tmp_path: Path) -> None:
    """A byte or a character that no manifest may hold is named with its line."""
    path = manifest(tmp_path, "")
    path.write_bytes(content)

    with pytest.raises(LessonError) as caught:
        load_lesson(tmp_path)

    assert f"{path}:{problem}" == str(caught.value)


def test_choose(lesson: Lesson) -> None:
    """Exercises are chosen by name in the lesson's order, all for no name; what is none gets the nearest."""
    assert lesson.exercises == lesson.choose(())
    assert ("softmax", "attention") == tuple(e.id for e in lesson.choose(("attention.py", "exercises/softmax.py")))
    with pytest.raises(UsageError, match=r"^no exercise 'atention'\. Did you mean attention\? The exercises are "):
        lesson.choose(("atention",))
    with pytest.raises(KeyError):
        lesson["nothing"]


# --- stubs, solutions, hints ----------------------------------------------------------------------------------


def test_exercises_are_the_stubs(lesson: Lesson) -> None:
    """exercises/ holds the stub of every solution, and no file of any other name."""
    folder = lesson.manifest.parent

    for exercise in lesson.exercises:
        stub = stub_of(exercise.reference.read_text(encoding="utf-8"))
        assert stub == (folder / exercise.filename).read_text(encoding="utf-8")
    assert {e.filename for e in lesson.exercises} == {path.name for path in folder.glob("*.py")}
    assert {e.filename for e in lesson.exercises} == {path.name for path in lesson.references.glob("*.py")}
    assert {e.suite.name for e in lesson.exercises} == {
        path.name for path in lesson.exercises[0].suite.parent.glob("*.py")
    }


def test_stub_keeps_what_teaches() -> None:
    """A stub is the solution without bodies: docstrings, imports and parameters stay, helpers and comments go."""
    solution = (
        '"""Title."""\n\nimport numpy as np\n\nfrom a import b\n\nLIMIT = 3\n\n\ndef _helper(x):\n    return x\n\n\n'
        'def f(x, *, axis=-1):\n    """Does it.\n\n    >>> f(1)\n    1\n    """\n    # why\n    return _helper(x)\n\n\n'
        'def g():\n    """One line."""\n    return b(np.pi)\n'
    )
    place = "    # Your code takes the place of the next line.\n"

    assert (
        '"""Title."""\n\nimport numpy as np\n\nfrom a import b\n\n\n'
        'def f(x, *, axis=-1):\n    """Does it.\n\n    >>> f(1)\n    1\n    """\n'
        f'{place}    raise NotImplementedError("f")\n\n\n'
        f'def g():\n    """One line."""\n{place}    raise NotImplementedError("g")\n'
    ) == stub_of(solution)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """For each lesson a folder of all its stubs and one of all its solutions."""
    made = {}
    for name, lesson in LESSONS.items():
        for kind in ("stubs", "solutions"):
            made[name, kind] = folder = tmp_path_factory.mktemp(f"{name}_{kind}")
            for exercise in lesson.exercises:
                text = exercise.reference.read_text(encoding="utf-8")
                (folder / exercise.filename).write_text(stub_of(text) if kind == "stubs" else text, encoding="utf-8")
    return made


def run_python(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder as a learner does."""
    return subprocess.run(
        [sys.executable, "-W", "error", *args], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("name", "stem"), EXERCISES)
def test_stub_runs(name: str, stem: str, folders: dict[tuple[str, str], Path]) -> None:
    """A stub runs by itself, and its worked example fails for no other reason than that nothing is written yet."""
    folder = folders[name, "stubs"]

    alone = run_python(folder, f"{stem}.py")
    example = run_python(folder, "-m", "doctest", f"{stem}.py")

    assert (0, "", "") == (alone.returncode, alone.stdout, alone.stderr)
    assert 1 == example.returncode
    errors = [line.strip() for line in example.stdout.splitlines() if "Error" in line]
    assert errors
    kinds = [line.partition(":")[0] for line in errors if not line.startswith("raise ")]
    # Where the first line of an example fails, the lines that go on with its result have nothing to go on with.
    assert ("NotImplementedError", True) == (kinds[0], {"NotImplementedError", "NameError"} >= set(kinds))


@pytest.mark.parametrize(("name", "stem"), EXERCISES)
def test_solution_passes_its_example(name: str, stem: str, folders: dict[tuple[str, str], Path]) -> None:
    """The worked examples of a solution are true."""
    ran = run_python(folders[name, "solutions"], "-m", "doctest", f"{stem}.py")

    assert (0, "", "") == (ran.returncode, ran.stdout, ran.stderr)


@pytest.mark.parametrize(("name", "stem"), EXERCISES)
def test_hints_are_no_solution(name: str, stem: str) -> None:
    """An exercise has at least three hints, each another one, and none holds a line of the solution's body."""
    exercise = LESSONS[name][stem]
    solution = exercise.reference.read_text(encoding="utf-8")
    shown_anyway = {line.strip() for line in stub_of(solution).splitlines()}
    code = {line.partition("  #")[0].strip() for line in solution.splitlines()} - shown_anyway
    code = {"".join(line.split()) for line in code if line and not line.startswith("#")}

    assert 3 <= len(exercise.hints) == len(set(exercise.hints))
    assert code
    for hint in exercise.hints:
        assert [] == [line for line in code if len(line) > 5 and line in "".join(hint.split())]
        assert hint.strip()


# --- suites ---------------------------------------------------------------------------------------------------

SUITE = "suites/suite_double.py"
ANOTHER = '''

@check(points=1, hint="Look.")
def test_another(learner, reference):
    """Another one"""
    %s
'''


def counting(folder: Path, checks: int, points: int) -> None:
    """Has the manifest expect so many checks and points of double."""
    edit(folder / "exercises/lesson.yaml", "points: 3\n    checks: 2", f"points: {points}\n    checks: {checks}")


def with_check(folder: Path, body: str) -> None:
    """Adds a check to double's suite, and to the manifest's count."""
    with (folder / SUITE).open("a") as suite:
        suite.write(ANOTHER % body)
    counting(folder, 3, 4)


def a_lost_check(folder: Path) -> None:
    """A check is gone from the suite."""
    text = (folder / SUITE).read_text()
    (folder / SUITE).write_text(text[: text.index("@check(points=1")])


def no_points_said(folder: Path) -> None:
    """A test that is no check."""
    edit(folder / SUITE, '@check(points=1, hint="Make a new array.")\n', "")


def no_docstring(folder: Path) -> None:
    """A check without the learner's text."""
    edit(folder / SUITE, '    """Leaves its argument as it was"""\n', "")


def a_renamed_check(folder: Path) -> None:
    """A check that pytest no longer finds."""
    edit(folder / SUITE, "def test_values", "def text_values")


def a_syntax_error(folder: Path) -> None:
    """A suite that cannot be collected."""
    edit(folder / SUITE, "import numpy as np", "import numpy as")


def an_exit(folder: Path) -> None:
    """A suite that ends the program."""
    edit(folder / SUITE, "import numpy as np", "import numpy as np\nraise SystemExit(0)")


def an_exit_of_pytest(folder: Path) -> None:
    """A suite that ends pytest."""
    edit(folder / SUITE, "import numpy as np", "import numpy as np\nimport pytest\npytest.exit('enough')")


def a_missing_module(folder: Path) -> None:
    """A suite that imports, in a file of its own, what is not there."""
    edit(folder / SUITE, "import numpy as np", "import numpy as np\nimport nothing_of_the_kind")


def an_error_of_its_own(folder: Path) -> None:
    """A suite that raises an exception because of another."""
    edit(folder / SUITE, "import numpy as np", "import numpy as np\nraise ValueError('five') from KeyError('k')")


def a_wrong_parameter(folder: Path) -> None:
    """A check with cases for what it does not ask for: pytest names no line."""
    text = 'import pytest\n\n\n@pytest.mark.parametrize("y", [1])\n@check(points=2'
    edit(folder / SUITE, "@check(points=2", text)


def a_broken_reference(folder: Path) -> None:
    """A solution that cannot be imported."""
    edit(folder / "solutions/double.py", "def double", "1 / 0\n\n\ndef double")


def an_exiting_reference(folder: Path) -> None:
    """A solution that ends the program, with a code that means success."""
    edit(folder / "solutions/double.py", "def double", "raise SystemExit(0)\n\n\ndef double")


def a_reference_without_the_function(folder: Path) -> None:
    """A solution that lacks what the manifest names."""
    edit(folder / "exercises/lesson.yaml", "functions: [double]", "functions: [double, triple]")


def a_hidden_check_by_another_name(folder: Path) -> None:
    """The manifest hides checks that the suite does not have, and so none."""
    hidden = "    hidden_checks: [values, value]\n    reveal: {sizes: points}\n"
    edit(folder / "exercises/lesson.yaml", "    checks: 2\n", f"    checks: 2\n{hidden}")


NOT_PINNED = {
    a_lost_check: "{suite} has 1 checks; lesson.yaml says 2",
    a_renamed_check: "{suite} has 1 checks; lesson.yaml says 2",
    lambda folder: counting(folder, 3, 3): "{suite} has 2 checks; lesson.yaml says 3",
    lambda folder: counting(folder, 2, 4): "{suite} gives 3 points; lesson.yaml says 4",
    no_points_said: "{suite}: test_leaves_x_alone has no @check(points=..., hint=...)",
    no_docstring: "{suite}: test_leaves_x_alone has no docstring, which is the learner's text",
    a_syntax_error: "{plain}:3: the suite cannot be collected: SyntaxError: ",
    an_exit: "{plain}:4: the suite cannot be collected: SystemExit: 0",
    an_exit_of_pytest: "{plain}:5: the suite cannot be collected: Exit: enough",
    a_missing_module: "{plain}:4: the suite cannot be collected: ModuleNotFoundError: No module named 'nothing_of",
    an_error_of_its_own: "{plain}:4: the suite cannot be collected: ValueError: five",
    a_wrong_parameter: "{plain}: the suite cannot be collected: Failed: In test_values: function uses no argument 'y'",
    a_broken_reference: "double.py cannot be imported: ZeroDivisionError: division by zero",
    an_exiting_reference: "double.py cannot be imported: SystemExit: 0",
    a_reference_without_the_function: "double.py has no function triple, which lesson.yaml names",
    a_hidden_check_by_another_name:
        "{manifest}:18: suite_double.py has no check 'value'; did you mean 'values'?\n"
        "{manifest}:19: suite_double.py has no check 'sizes'",
}  # fmt: skip


@pytest.mark.parametrize("spoil", NOT_PINNED, ids=lambda spoil: spoil.__name__)
def test_suite_that_is_not_as_pinned(spoil: Callable[[Path], None], copy: Path, grade: Grade, tmp_path: Path) -> None:
    """A suite that lost a check, or cannot be used, is the lesson's fault: exit code 3, and nobody passes or fails."""
    spoil(copy)

    ran = grade_right_files(grade, copy, tmp_path)

    assert 3 == ran.code
    report = json.loads(ran.out)
    assert ("could_not_check", "grader_error", 0.0) == overall(report)
    manifest = copy / "exercises/lesson.yaml"
    suite = manifest.parent / "../suites/suite_double.py"
    assert NOT_PINNED[spoil].format(suite=suite, manifest=manifest, plain=copy / SUITE) in report["error"]
    assert ran.err.endswith(f"grade: {report['error']}\n")
    assert "INTERNALERROR" not in ran.err


FAULTY = {
    'import pytest; pytest.skip("not today")': "it skips itself (not today); a skipped check cannot pass",
    "pass": "it judged nothing that the learner's function returned",
    "learner.double(np.array([1.0]))": "it judged nothing that the learner's function returned",
    "1 / 0": "ZeroDivisionError: division by zero",
    "assert reference.double(2) == 5": "AssertionError: ",
    "learner.triple(1)": "AttributeError: the exercise has no function triple; it has double",
    "raise SystemExit(0)": "SystemExit: 0",
    'import pytest; pytest.exit("enough")': "Exit: enough",
    'import pytest; pytest.xfail("known")': "XFailed: known",
    "same(learner.double(np.array([1.0])), reference.double(np.array([1.0])), atol=object())": "TypeError: ",
}


@pytest.mark.parametrize("body", FAULTY)
def test_faulty_check(body: str, copy: Path, grade: Grade, tmp_path: Path) -> None:
    """A check that skips, judges nothing or breaks is the grader's fault: never a pass, never the learner's mistake."""
    with_check(copy, body)

    ran = grade_right_files(grade, copy, tmp_path)

    report = json.loads(ran.out)
    assert 3 == ran.code
    assert ("could_not_check", "grader_error", 3.0) == overall(report)
    *others, faulty = report["exercises"][0]["checks"]
    assert {"passed"} == {check["outcome"] for check in others}
    assert faulty["message"].startswith("the grader's own fault, not yours: suite_double.py")
    assert FAULTY[body] in faulty["message"]


def test_parametrised_checks(copy: Path, grade: Grade, tmp_path: Path) -> None:
    """A parametrised check is as many checks as it has cases, each pinned and each with its points."""
    edit(copy / SUITE, "def test_leaves_x_alone(learner, rng)", "def test_leaves_x_alone(learner, rng, size)")
    edit(copy / SUITE, "@check(points=1", '@pytest.mark.parametrize("size", [1, 2])\n@check(points=1')
    edit(copy / SUITE, "import numpy as np\n", "import numpy as np\nimport pytest\n")
    counting(copy, 3, 4)

    ran = grade_right_files(grade, copy, tmp_path)

    assert (0, ("passed", None, 4.0)) == (ran.code, overall(json.loads(ran.out)))


def test_sets_of_its_own(copy: Path, grade: Grade, tmp_path: Path) -> None:
    """Fixtures that a suite makes work, and what pytest would find beside a suite takes no part."""
    (copy / "suites/conftest.py").write_text("raise SystemExit('conftest')\n")
    (copy / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    edit(copy / SUITE, "def test_leaves_x_alone(learner, rng)", "def test_leaves_x_alone(learner, rng, two)")
    edit(copy / SUITE, "import numpy as np\n", "import numpy as np\nimport pytest\n")
    edit(copy / SUITE, "@check(points=2", "@pytest.fixture\ndef two():\n    return 2\n\n\n@check(points=2")

    ran = grade_right_files(grade, copy, tmp_path)

    assert (0, ("passed", None, 3.0)) == (ran.code, overall(json.loads(ran.out)))


def grade_right_files(grade: Grade, lesson: Path, folder: Path) -> Any:
    """Grades the right double with a lesson that may be broken."""
    (folder / "handed_in").mkdir()
    shutil.copy(MINI / "solutions/double.py", folder / "handed_in")
    return grade("double", "--lesson", lesson, "--in", folder / "handed_in", "--format", "json", cwd=folder)


def overall(report: dict[str, Any]) -> tuple[str, str | None, float]:
    """Outcome, cause and points of the one exercise."""
    (exercise,) = report["exercises"]
    return exercise["outcome"], exercise["cause"], exercise["points"]
