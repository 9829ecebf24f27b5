"""The other commands: what they print, how they end, and what they import."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from bankkit import RIGHT, bank_text

from quizzes import __main__ as program
from quizzes import cli
from quizzes.cli import COMMANDS, common
from quizzes.loader import read_bank

ROOT = Path(__file__).parents[2]
GOOD = bank_text("- {id: a, type: truefalse, prompt: p, answer: true, why_false: w}")
DOCS = (ROOT / "docs" / "quiz.md").read_text(encoding="utf-8")


def test_check_reports_every_problem_of_every_file_and_ends_with_2(quiz):
    """Good files are named ok, bad ones with all their problems, unreadable ones with the reason."""
    good, bad = (
        quiz.file("good.yaml", GOOD),
        quiz.file("bad.yaml", bank_text("- {id: a, type: info}\n- {id: b, type: info}")),
    )
    ran = quiz("check", good, bad, quiz.folder, "nothing.yaml")
    assert 2 == ran.code
    assert "good.yaml: ok, 1 question" in ran.out
    assert 2 == ran.out.count("E07 error")
    assert "is a folder" in ran.err
    assert "nothing.yaml: there is no such file" in ran.err
    assert "4 errors, 0 warnings" in ran.out
    assert 0 == quiz("check", good).code


def test_check_reads_standard_input(quiz):
    """`-` is standard input."""
    assert "-: ok, 1 question" in quiz("check", "-", given=GOOD).out
    assert "-:1:1: E07" in quiz("check", "-", given="").out


def test_warnings_count_only_when_asked(quiz):
    """Warnings end with 0, with --strict with 1; --quiet does not show them."""
    path = quiz.file("w.yaml", bank_text("- {id: a, type: text, prompt: p, accept: [{is: 42}]}"))
    assert (0, True) == (quiz("check", path).code, "L13 warning" in quiz("check", path).out)
    assert 1 == quiz("check", "--strict", path).code
    assert "L13" not in quiz("check", "--quiet", path).out


def test_two_banks_of_one_id_are_an_error(quiz):
    """They would share one history."""
    ran = quiz("check", quiz.file("a.yaml", GOOD), quiz.file("b.yaml", GOOD))
    assert (2, True) == (ran.code, "the bank's id `small` is also that of" in ran.out)


def test_the_banks_that_come_with_the_package_are_sound(quiz):
    """`quiz check` without files checks them, with both parsers, every key and every program, and warns of nothing."""
    ran = quiz("check", "--run", "--strict", seconds=120)
    assert 0 == ran.code, ran.out


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin", "/", "x" * 5000, "\udcff.yaml", ""])
def test_names_that_are_no_banks_end_with_2(quiz, name):
    """A device, a folder and an impossible name are refused at once, by `check` and by `quiz` itself."""
    assert 2 == quiz("check", name).code
    assert 2 == quiz("take", name).code


def test_list_tells_how_far_one_is(quiz, twelve):
    """Answered and right, by the last first try; an edited question does not count as known."""
    folder = twelve.parent
    quiz(twelve, given="".join(f"{one}\n" for one in RIGHT))
    ran = quiz("list", "--banks", folder)
    assert "twelve: Twelve. 12 questions, 12 answered, 12 right." in ran.out
    twelve.write_text(
        twelve.read_text()
        .replace("Is 1 an even", "Is 1 an odd")
        .replace("answer: false\n    explanation: 1 ", "answer: true\n    explanation: 1 ")
    )
    ran = quiz("list", "--banks", folder)
    assert "12 questions, 11 answered, 11 right; 1 changed since you answered." in ran.out.replace("\n     ", "")
    quiz.file("broken.yaml", "x: 1")
    ran = quiz("list", "--banks", folder)
    assert (2, True, True) == (ran.code, "twelve: Twelve" in ran.out, "broken.yaml:1:1" in ran.err)


def test_unknown_names_are_answered_with_the_nearest(quiz):
    """A slip in a bank's name is put right, and all banks are named."""
    ran = quiz("quick-chek")
    assert (2, True) == (ran.code, "did you mean `quick-check`?" in ran.err)


def test_review_asks_what_was_missed_mixed_over_banks(quiz, twelve):
    """`--missed` asks what was not right; without history or nothing due there is nothing to do."""
    folder = twelve.parent
    assert (0, True) == ((ran := quiz("review", "--banks", folder)).code, "nothing to review yet" in ran.out)
    quiz(twelve, given="".join(f"{one}\n" for one in ["t", "f", "t", *RIGHT[3:]]))
    ran = quiz("review", "--banks", folder)
    assert (0, True) == (
        ran.code,
        "Nothing is due. The next question is due on" in ran.out.replace("\n", " "),
    )
    ran = quiz("review", "--missed", "--banks", folder, given="")
    assert "What you missed: 3 questions." in ran.out
    assert 3 == ran.code
    ran = quiz("review", "--missed", "--banks", folder, "--count", "1", given="f\n")
    assert "Question 1 of 1" in ran.out
    assert ran.code in {0, 1}


def test_review_says_where_what_was_taken_is_not(quiz, twelve):
    """Who took a bank by its file has something to review, but not among the banks of the package."""
    quiz(twelve, given="".join(f"{one}\n" for one in RIGHT))
    out = " ".join(quiz("review").out.split())
    assert "What you took is not in these banks (twelve); --banks DIR reviews those of a folder." in out


def test_review_asks_what_is_due_and_then_no_more(quiz, twelve):
    """A question that was answered some days ago is due; once it is right again it is not."""
    folder = twelve.parent
    quiz(twelve, given="".join(f"{one}\n" for one in RIGHT))
    log = quiz.state / "log.jsonl"
    log.write_text(log.read_text().replace('"time":"2', '"time":"1'))  # a thousand years ago
    ran = quiz("review", "--banks", folder, given="x\n")
    objectives = [line for line in ran.out.splitlines() if line.startswith("Review: ")]
    assert ["Review: 12 questions. Seed"] == [line.rsplit(" ", 1)[0] for line in objectives]
    start = [json.loads(line) for line in log.read_text().splitlines()][-1]
    numbers = [int(one["question"][1:]) % 2 for one in start["questions"]]
    assert all(a != b for a, b in itertools.pairwise(numbers)), "objectives take turns"


def test_own_statistics(quiz, twelve):
    """Counts, objectives and what was flagged; a torn line is said to be left out."""
    assert "There is no history yet" in quiz("stats").out
    quiz(twelve, given=":flag\n" + "".join(f"{one}\n" for one in RIGHT))
    with (quiz.state / "log.jsonl").open("ab") as stream:
        stream.write(b"torn")
    out = quiz("stats").out
    assert "1 line(s) of the log could not be read" in out
    assert "Quizzes begun: 1, ended: 1. Questions answered: 12, right at the first try: 12." in out.replace("\n", " ")
    assert "twelve: 12 of 12 right (100 %), on 1 day" in out
    assert "Flagged as unclear: twelve/q1" in out


def test_share_writes_a_log_that_statistics_read(quiz, twelve):
    """What one person shares, another reads; a file that is there is not replaced unless asked."""
    assert "nothing to share" in quiz("share", "mine.jsonl").out
    quiz(twelve, given="".join(f"{one}\n" for one in RIGHT))
    assert 0 == quiz("share", "mine.jsonl").code
    ran = quiz("share", "mine.jsonl")
    assert (2, True) == (ran.code, "--force" in ran.err)
    assert 0 == quiz("share", "--force", "mine.jsonl").code
    ran = quiz("stats", "mine.jsonl", "--bank", twelve)
    assert "Twelve (twelve): 1 person, first answers only." in ran.out
    assert 3 == quiz("share", "no/such/folder/x").code


@pytest.mark.parametrize("name", ["/dev/zero", "/", "nothing"])
def test_statistics_of_what_is_no_log_end_with_2(quiz, name):
    """A device, a folder and a missing file are refused, and so is a file of another kind."""
    assert 2 == quiz("stats", name).code
    path = quiz.file("x.jsonl", b"\xff\x00{}\n[]\n")
    ran = quiz("stats", path)
    message = f"{path} is no log: none of its 2 lines can be read; name files of `quiz share`\n"
    assert (2, "", message) == (ran.code, ran.out, ran.err)


def test_a_torn_line_spoils_no_log(quiz, twelve):
    """What a crash left of the last line is said to be left out; an empty log holds nothing and is no fault."""
    quiz(twelve, given="".join(f"{one}\n" for one in RIGHT))
    quiz("share", "mine.jsonl")
    with (quiz.folder / "mine.jsonl").open("ab") as stream:
        stream.write(b'{"schema":1,"ev')
    ran = quiz("stats", "mine.jsonl", "--bank", twelve)
    assert (0, True) == (ran.code, "1 line(s) of the logs could not be read" in ran.out)
    assert "1 person" in ran.out
    ran = quiz("stats", quiz.file("empty.jsonl", ""))
    assert (0, True) == (ran.code, "hold no answers" in ran.out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nonsense",),
        ("check", "--nonsense"),
        ("take", "a", "b"),
        ("list", "x"),
        ("--resume", "--new"),
        ("--count", "x"),
        ("export", "quick-check"),
        ("export", "quick-check", "--to", "pdf"),
        ("list", "--banks", "/nothing"),
    ],
)
def test_wrong_use_ends_with_2(quiz, arguments):
    """Unknown options, missing and surplus arguments and contradictions."""
    assert 2 == quiz(*arguments).code


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_its_exit_codes_and_is_documented(quiz, command):
    """Help says what ends with what; the documentation names each command and each option."""
    ran = quiz(command, "--help", state=False)
    assert 0 == ran.code
    assert "Exit codes:" in ran.out
    assert f"quiz {command}" in DOCS or command == "take"
    options = {
        word.strip(":.;")
        for line in ran.out.splitlines()
        for word in line.replace(",", " ").split()
        if word.startswith("--")
    }
    assert [] == sorted(option for option in options - {"--help"} if option not in DOCS)


def test_help_lists_the_commands(quiz):
    """`quiz --help` names all of them, and shows no traceback of a missing extra."""
    out = quiz("--help", state=False).out
    assert all(f"  {name} " in out for name in COMMANDS)


AIKEN = "What is it?\nA. this\nB. that\nANSWER: A\n\nAnd this?\nA. x\nB. y\nANSWER: D\n\nNo options?\nANSWER: A\n"


def test_import_says_what_it_could_not_take(quiz):
    """How many questions are missing and each reason with file:line are on standard error; something imported is 0, nothing 2."""
    path = quiz.file("some.txt", AIKEN)
    ran = quiz("import", path, "--output", "new.yaml")
    assert 0 == ran.code
    assert "2 of 3 questions were not imported" in ran.err
    assert f"{path}:9: not imported: the answer is `D`" in ran.err
    assert f"{path}:11: not imported:" in ran.err
    assert 1 == len(read_bank(quiz.folder / "new.yaml").questions)
    none = quiz("import", quiz.file("none.txt", AIKEN.partition("\n\n")[2]), "--output", "none.yaml")
    assert (2, False) == (none.code, (quiz.folder / "none.yaml").exists())
    assert "" == quiz("import", quiz.file("all.txt", AIKEN.partition("\n\n")[0])).err


def test_import_names_what_is_wrong_with_the_call(quiz):
    """A name that is no id is the fault of the call and not of the file; `-` is standard input."""
    path = quiz.file("some.txt", AIKEN)
    for name in ("Bad Name", ""):
        ran = quiz("import", path, "--name", name)
        assert (2, True, False) == (ran.code, f"`{name}`: use a small letter" in ran.err, "some.txt" in ran.err)
    assert "bank: imported\n" in quiz("import", "-", given=AIKEN).out


def test_export_is_in_nobodys_way_but_its_own(quiz):
    """The bank's own picture, and what is there just so, is no conflict; another file is, and --force replaces it whole."""
    quiz.file("p.png", b"picture")
    quiz.file("b.yaml", bank_text("- {id: a, type: truefalse, prompt: p, answer: true, image: {file: p.png, alt: A}}"))
    ran = quiz("export", "b.yaml", "--to", "jupyterquiz")
    assert (0, True) == (ran.code, "p.png is there already" in ran.out)
    assert 0 == quiz("export", "b.yaml", "--to", "jupyterquiz").code
    whole = (quiz.folder / "small.json").read_bytes()
    old = quiz.file("small.json", "mine")
    assert 2 == quiz("export", "b.yaml", "--to", "jupyterquiz").code
    (quiz.folder / "link").mkdir()
    (quiz.folder / "link" / "small.json").symlink_to(old)
    assert 0 == quiz("export", "b.yaml", "--to", "jupyterquiz", "--force", "--output", "link").code
    assert whole == old.read_bytes()
    assert 3 == quiz("export", "terms", "--to", "gift", "--output", "/dev/full/x").code


@pytest.mark.parametrize("there", [True, False])
def test_a_full_disk_leaves_what_was_there(monkeypatch, tmp_path, there):
    """A file is written whole or not at all."""

    def full(path, _data):
        path.touch()
        raise OSError(28, "No space left on device")

    path = tmp_path / "x"
    if there:
        path.write_text("old")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SystemExit) as ended:
        common.write(path, b"new")
    assert (3, ["x"] * there) == (ended.value.code, [one.name for one in tmp_path.iterdir()])


def imported(*arguments, given=b""):
    """Return the modules that a run of the program imports."""
    code = "import sys, atexit; atexit.register(lambda: print('\\0' + ' '.join(sys.modules), file=sys.__stderr__)); sys.argv = ['quiz', *sys.argv[1:]]; from quizzes.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    return set(done.stderr.decode().split("\0")[-1].split())


HEAVY = {"numpy", "pytest", "grader", "fsrs", "hashlib", "ssl", "difflib", "shutil", "dataclasses_json", "asyncio", "http", "xml", "subprocess", "tempfile", "statistics", "sqlite3", "quizzes.lint", "quizzes.stats", "quizzes.checking", "quizzes.formats"}  # fmt: skip


def test_the_way_to_the_first_question_is_short(tmp_path):
    """A quiz imports neither numpy, pytest nor the grader, and nothing that only other commands need."""
    modules = imported("--state", tmp_path)
    assert "quizzes.dialogue" in modules
    assert set() == modules & HEAVY


def test_no_command_imports_the_grader_or_numpy(tmp_path):
    """Not even the check, the review or the statistics."""
    for arguments in (
        ("check",),
        ("review", "--state", tmp_path),
        ("stats", "--state", tmp_path),
        ("list", "--state", tmp_path),
    ):
        assert set() == imported(*arguments) & {"numpy", "pytest", "grader"}


def test_the_main_function_is_the_entry_point():
    """The script `quiz` and `python -m quizzes` run the same function."""
    assert callable(cli.main)


@pytest.mark.parametrize("owner", [cli, cli.Commands], ids=["importing", "reading the command line"])
def test_ctrl_c_ends_alike_from_the_first_moment(monkeypatch, capsys, owner):
    """Before a command runs Ctrl-C ends with 3 and one word too, not with a traceback or 1."""

    def interrupted(*_arguments, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr(owner, "make_streams_safe" if owner is cli else "parse_args", interrupted)
    monkeypatch.setattr(sys, "argv", ["quiz"])
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert (3, "\nstopped\n") == (ended.value.code, capsys.readouterr().err)


def test_the_documented_bank_is_sound(quiz):
    """The example in the documentation passes the check."""
    example = DOCS.split("```yaml\n")[1].split("```")[0]
    path = quiz.file("example.yaml", example)
    ran = quiz("check", "--strict", "--run", path)
    assert 0 == ran.code, ran.out
    assert read_bank(path).questions


def test_file_names_with_terminal_escapes_are_shown_as_codes(quiz):
    """A name is shown, never obeyed, whether the file is good, bad or missing."""
    for text in (GOOD, "x: 1"):
        ran = quiz("check", quiz.file("a\x1b[31m.yaml", text), "b\x1b[31m.yaml")
        assert "\x1b" not in ran.out + ran.err
        assert "a\\x1b[31m.yaml" in ran.out
        assert "b\\x1b[31m.yaml" in ran.err
