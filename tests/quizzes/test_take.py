"""Taking a quiz through a pipe and from a file: the real program, from its first line to its exit code."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest
from bankkit import RIGHT, bank_text

from quizzes.history import sittings
from quizzes.loader import load_bytes, read_bank
from quizzes.params import ParamError, draw
from quizzes.present import present
from quizzes.record import replace


def lines(*answers):
    """Return what a person would type."""
    return "".join(f"{answer}\n" for answer in answers)


def test_a_mastered_quiz_ends_with_0(quiz, twelve):
    """All right at the first try: the score, the word, and exit code 0."""
    ran = quiz(twelve, given=lines(*RIGHT))
    assert 0 == ran.code
    assert "Score from first tries: 100 % (12 of 12 right)." in ran.out
    assert "Mastered." in ran.out
    assert "Know even numbers: not yet (6 of 6 right; all right on 1 of 2 days" in ran.out


def test_a_quiz_that_is_not_mastered_ends_with_1_and_says_what_to_look_at(quiz, twelve):
    """What was missed comes with its key, its explanation and the exercise that teaches it."""
    ran = quiz(twelve, given=lines("t", *RIGHT[1:3], ":skip", *RIGHT[4:6], "t", *RIGHT[7:]))
    assert 1 == ran.code
    assert "Score from first tries: 75 % (9 of 12 right)." in ran.out
    assert "Not mastered yet: that takes 80 %, over at least 5 answered questions." in ran.out
    report = ran.out.split("Look at these again:")[1]
    assert (
        "1. Is 1 an even number?\n   The answer: false\n   1 divided by 2 leaves 1.\n   See exercises/softmax.py"
        in report
    )
    assert "4. Is 4 an even number?" in report
    assert "2. Is 2" not in report


def test_the_score_is_of_first_tries(quiz):
    """A second try that is right is called right, and does not count."""
    path = quiz.file(
        "b.yaml",
        bank_text(
            "- {id: a, type: numeric, prompt: p, answers: [{value: 3}]}\n- {id: b, type: numeric, prompt: p, answers: [{value: 3}]}"
        ),
    )
    ran = quiz(path, given=lines("2", "3", "3"))
    assert 1 == ran.code
    assert "Not right.\nTry again (1 try left, :skip to leave it).\nYour answer (a number): 3\nRight." in ran.out
    assert "50 % (1 of 2 right)" in ran.out
    assert [0.0, 1.0, 1.0] == [event["score"] for event in quiz.events if event["event"] == "answer"]


def test_what_is_no_answer_costs_no_attempt(quiz):
    """`0,125` gets a question back; a slip of the pen too; then the right answer counts as the first."""
    path = quiz.file(
        "b.yaml",
        bank_text(
            "- {id: a, type: numeric, prompt: p, attempts: 1, answers: [{value: 0.125, abs: 0}]}\n- {id: b, type: text, prompt: p, attempts: 1, accept: [{is: softmax}]}"
        ),
    )
    ran = quiz(path, given=lines("0,125", "", "eighth", "0.125", "sotfmax", "softmax"))
    assert "did you mean 0.125?" in ran.out
    assert "check the spelling" in ran.out
    assert "100 % (2 of 2 right)" in ran.out
    assert 0 == ran.code


def test_a_formula_without_params_is_a_key(quiz):
    """`expr: 1/8` is 0.125 in a question, in a blank, as a known wrong answer and where the key is shown."""
    questions = """
- {id: a, type: numeric, prompt: p, attempts: 1, answers: [{expr: 1/8, abs: 0}]}
- {id: b, type: cloze, prompt: "[[n]]", attempts: 1, blanks: {n: {type: numeric, answers: [{expr: sqrt(4)}]}}}
- {id: c, type: numeric, prompt: p, attempts: 1, answers: [{value: 4}, {expr: 4*4, credit: 0, why: That is its square.}]}
- {id: d, type: numeric, prompt: p, attempts: 1, answers: [{expr: 1/3, abs: 0.01}]}
"""
    path = quiz.file("b.yaml", bank_text(questions))
    assert 0 == quiz("check", "--strict", path).code
    ran = quiz(path, given=lines("1/8", "2", "16", "3"))
    assert "(2 of 4 right)" in ran.out
    assert "Not right.\n  That is its square.\nThe answer: 4" in ran.out
    assert "The answer: 0.333333" in ran.out


def test_the_form_of_a_number_is_asked_for(quiz):
    """Where only fractions are taken the prompt says so, a decimal costs no attempt, and the key is a fraction."""
    question = (
        "- {id: a, type: numeric, prompt: p, attempts: 1, accept: [fraction], answers: [{expr: 1/3, abs: 0.001}]}"
    )
    path = quiz.file("b.yaml", bank_text(question))
    out = quiz(path, given=lines("0.333", "1/4")).out
    assert "Your answer (a number: a fraction such as 1/8): 0.333\n  Type the number as a fraction such as 1/8." in out
    assert "Not right.\nThe answer: 1/3\n" in out


def test_what_is_said_about_several_options_names_each(quiz):
    """After a wrong try each remark has its option's label; which right ones were left out is said when no try is left."""
    questions = """
- id: a
  type: multiple
  shuffle: false
  prompt: p
  options:
    - {text: first, correct: true, why: Because of one., missed: This is the definition.}
    - {text: second, why: Because of two.}
    - {text: third, correct: true, why: Because of three., missed: This follows.}
    - {text: fourth, why: Because of four.}
"""
    path = quiz.file("b.yaml", bank_text(questions))
    out = quiz(path, given=lines("b c", "c d")).out
    assert "Not right.\n  b) Because of two.\n  c) Because of three.\nTry again" in out
    assert "  a) right: Because of one.\n  a) not chosen: This is the definition.\n  b) wrong: Because of two.\n" in out
    assert 1 == out.count("not chosen")


@pytest.mark.parametrize(
    "question",
    [
        "{type: order, items: [first, second]}",
        "{type: order, items: [first, second, third]}",
        "{type: match, shuffle: false, pairs: [{left: x, right: first}, {left: y, right: second}]}",
        "{type: multiple, prompt: p, shuffle: false, options: [{text: x, correct: true, why: w}, {text: y, correct: true, why: v}, {text: z, why: u}]}",
    ],
)
def test_no_prompt_shows_labels_in_a_row(quiz, question):
    """An example of labels may be the key, and of two items it always tells the key: there is none."""
    path = quiz.file("b.yaml", bank_text("- " + question.replace("{", "{id: q, ", 1)))
    out = quiz(path, "--seed", "1", given=lines("?", "nothing")).out
    asked = [
        line for line in out.splitlines() if "right order" in line or "in turn" in line or "that are right" in line
    ]
    assert asked
    assert not any("such as" in line or "a b" in line or "b a" in line for line in asked)


def test_a_slip_that_is_meant_counts(quiz):
    """A near miss typed again is judged, and the third one at any rate: nobody is kept for ever."""
    path = quiz.file("b.yaml", bank_text("- {id: a, type: text, prompt: p, attempts: 1, accept: [{is: softmax}]}"))
    assert "Not right." in quiz(path, given=lines("sotfmax", "sotfmax")).out
    assert "Not right." in quiz(path, given=lines("sotfmax", "softmx", "softmaxx")).out


def test_a_command_without_its_colon_costs_no_attempt(quiz):
    """Typed again it is an answer; where it is the key, it is one at once."""
    bank = """
- {id: a, type: text, prompt: p, accept: [{is: skip connection}]}
- {id: b, type: text, prompt: p, accept: [{is: skip}]}
- {id: c, type: cloze, prompt: "[[x]] [[y]]", blanks: {x: {type: text, accept: [{is: q}]}, y: {type: choice, options: [{text: hint, why: w}, {text: s, correct: true, why: w}]}}}
"""
    typed = lines("Quit", "Quit", "skip connection", "skip", "help", "q", "hint", "s")
    ran = quiz(quiz.file("b.yaml", bank_text(bank)), given=typed)
    assert 1 == ran.out.count("The command is :quit; type quit again if it is your answer.")
    assert 1 == ran.out.count("The command is ?; type help again if it is your answer.")
    tries = [(one["question"], one["attempt"], one["score"]) for one in quiz.events if one["event"] == "answer"]
    assert [("a", 1, 0), ("a", 2, 1), ("b", 1, 1), ("c", 1, 0.5), ("c", 2, 1)] == tries


def test_commands_start_with_a_colon(quiz):
    """Hints, help, showing again, flagging and skipping; an unknown command is no answer, and a letter is no command."""
    path = quiz.file(
        "b.yaml",
        bank_text(
            "- {id: a, type: text, prompt: Say it, hints: [first, second], accept: [{is: ':quit'}, {is: h}]}\n- {id: b, type: truefalse, prompt: q, answer: true}"
        ),
    )
    ran = quiz(path, given=lines(":hint", ":h", ":hint", "?", ":again", ":flag", ":nothing", " :quit", ":s"))
    assert "Hint: first" in ran.out
    assert "Hint: second" in ran.out
    assert "There is no further hint." in ran.out
    assert ":skip" in ran.out
    assert 2 == ran.out.count("Say it")
    assert "There is no command :nothing" in ran.out
    assert "Right." in ran.out
    assert "Flagged as unclear: question 1." in ran.out
    assert ["hint", "hint", "flag"] == [event["event"] for event in quiz.events if event["event"] in {"hint", "flag"}]


def test_quitting_keeps_what_was_answered(quiz, twelve):
    """`:quit` and the end of input both end with 3; `--resume` goes on."""
    ran = quiz(twelve, given=lines("f", "t", ":quit"))
    assert (3, True) == (ran.code, "Stopped after 2 of 12 questions" in ran.out)
    assert "`--resume` goes on with it." in " ".join(ran.out.split())
    ran = quiz(twelve, "--resume", given=lines("f"))
    assert (3, True) == (ran.code, "Question 3 of 12" in ran.out)
    assert "Question 2 of 12" not in ran.out
    ran = quiz(twelve, "--resume", given=lines(*RIGHT[3:]))
    assert (0, True) == (ran.code, "100 % (12 of 12 right)" in ran.out)
    assert 1 == len(sittings(quiz.events))


def test_an_edited_question_is_asked_again_and_says_so(quiz):
    """Resuming counts no old answer by a new key: the edited question comes again, with a line about it."""
    old = "- {id: a, type: truefalse, prompt: old, answer: true}\n- {id: b, type: truefalse, prompt: q, answer: true}"
    path = quiz.file("b.yaml", bank_text(old))
    quiz(path, given=lines("f", ":quit"))
    quiz.file("b.yaml", bank_text(old.replace("old, answer: true", "new, answer: false")))
    ran = quiz(path, "--resume", given=lines("f", "t"))
    assert (0, True) == (ran.code, "100 % (2 of 2 right)" in ran.out)
    assert 1 == ran.out.count("was edited since you were done with it, so it is asked again")


def test_the_offer_never_takes_an_answer(quiz, twelve):
    """By pipe nothing is asked but the questions: a new quiz begins and says so, whatever the first line is."""
    question = (
        "- {id: a, type: text, prompt: p, accept: [{is: 'NO'}]}\n- {id: b, type: text, prompt: p, accept: [{is: 'y'}]}"
    )
    path = quiz.file("b.yaml", bank_text(question))
    quiz(path, given=lines(":skip"))
    ran = quiz(path, given=lines("NO", "y"))
    assert (0, True) == (ran.code, "this is a new one. --resume goes on with the old one." in " ".join(ran.out.split()))
    quiz(twelve, given=lines("f", "t"))
    for option in (("--seed", "7"), ("--count", "12")):
        ran = quiz(twelve, *option, given=lines("f"))
        assert "this is a new one" in " ".join(ran.out.split())
        assert "Stopped after 1 of 12" in ran.out
    ran = quiz(twelve, given=lines(*RIGHT))
    assert 0 == ran.code
    assert "You stopped" not in quiz(twelve, given=lines("f")).out, "a finished quiz is not offered"
    assert "You stopped" not in quiz(twelve, "--new", given=lines("f")).out


def test_a_bank_of_other_questions_is_begun_anew(quiz, twelve):
    """Where none of an old quiz's questions is left there is nothing to go on with; what asks nothing masters nothing."""
    quiz(twelve, given=lines("f", ":quit"))
    twelve.write_text(twelve.read_text().replace("id: q", "id: other-"))
    ran = quiz(twelve, "--resume", given=lines(*RIGHT))
    assert (0, True) == (ran.code, "has none of them any more; this is a new one." in " ".join(ran.out.split()))
    assert "12 questions. Seed" in ran.out
    ran = quiz(quiz.file("read.yaml", bank_text("- {id: a, type: info, prompt: p}")), given="")
    assert (0, False) == (ran.code, "aster" in ran.out)
    assert "Nothing was asked that counts." in ran.out


def test_a_seed_is_a_text(quiz, twelve):
    """Half a character, on the command line or in a log, draws nothing and breaks nothing."""
    assert (2, True) == ((ran := quiz(twelve, "--seed", "\udcff", given="")).code, "any letters and digits" in ran.err)
    quiz(twelve, "--seed", "7", given=lines("f"))
    log = quiz.state / "log.jsonl"
    log.write_text(log.read_text().replace('"seed":"7"', '"seed":"\\udcff"'))
    assert "There is no unfinished quiz" in quiz(twelve, "--resume", given=lines("f")).out


def test_help_is_about_what_is_asked_for(quiz):
    """`?` at the second blank says what the second blank takes, and at the certainty what that takes."""
    blanks = "{a: {type: text, accept: [{is: q}]}, b: {type: numeric, answers: [{value: 2}]}}"
    path = quiz.file(
        "b.yaml",
        bank_text(f"- {{id: a, type: cloze, confidence: true, prompt: '[[a]] [[b]]', blanks: {blanks}}}"),
    )
    out = quiz(path, given=lines("?", "q", "?", "2", "?", "3")).out
    helped = [line for line in out.splitlines() if "or a command:" in line]
    assert ["a word or a few", "a number", "1, 2 or 3"] == [line[5:].split(", or a command")[0] for line in helped]


def test_a_draw_without_a_value_is_drawn_again(quiz):
    """A formula that has no value for one draw is asked for another; one that never has is named with its place."""
    question = "- {id: a, type: numeric, prompt: '{d}', params: {d: {range: [1, 1000]}}, answers: [{expr: %s, abs: 1}]}"
    rare = quiz.file("rare.yaml", bank_text(question % "1/(d-777)"))
    drawn = (seed for seed in range(9999) if "777" == draw(read_bank(rare).questions[0], str(seed), "small")["d"].text)
    assert "Question 1 of 1" in quiz(rare, "--seed", next(drawn), given="").out
    never = load_bytes(bank_text(question % "1/(d-d)").encode(), "never.yaml").partial
    with pytest.raises(ParamError) as caught:
        present(never.questions[0], replace(never, file="never.yaml"), "1")
    assert "never.yaml:5:93: the question `a` cannot be asked: `1/(d-d)` divides by zero" == str(caught.value)


@pytest.mark.parametrize("torn", [False, True])
def test_kill_9_after_the_fifth_of_twelve_loses_nothing(quiz, twelve, torn):
    """A program that is killed has every answer on the disk, and the next one goes on with the sixth."""
    command = [*quiz.command, str(twelve), "--state", str(quiz.state)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=quiz.env, cwd=quiz.folder)
    process.stdin.write(lines(*RIGHT[:5]).encode())
    process.stdin.flush()
    seen = b""
    while b"Question 6 of 12" not in seen:
        seen += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    if torn:
        with (quiz.state / "log.jsonl").open("ab") as stream:
            stream.write(b'{"schema":1,"event":"answer","question":"q6","sco')
    ran = quiz(twelve, "--resume", given=lines(*RIGHT[5:]))
    assert 0 == ran.code
    assert "12 questions, 5 of them done" in ran.out
    assert "Question 5 of 12" not in ran.out
    assert "100 % (12 of 12 right)" in ran.out


def test_a_quiz_that_is_being_taken_is_not_offered(quiz, twelve):
    """A second window gets a quiz of its own, and both are kept apart."""
    command = [*quiz.command, str(twelve), "--state", str(quiz.state)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=quiz.env, cwd=quiz.folder)
    seen = b""
    while b"Question 1 of 12" not in seen:
        seen += os.read(process.stdout.fileno(), 4096)
    ran = quiz(twelve, given=lines(*RIGHT))
    assert (0, False) == (ran.code, "You stopped" in ran.out)
    out, _ = process.communicate(lines(*RIGHT).encode(), timeout=20)
    assert b"100 % (12 of 12 right)" in out
    assert [12, 12] == [len(past.tries) for past in sittings(quiz.events).values()]


def test_the_seed_is_printed_stored_and_repeatable(quiz):
    """The same seed shows the same order; the log has the seed and the order as option ids."""
    options = ", ".join(f"{{text: option {n}, correct: {'true' if n == 3 else 'false'}, why: w{n}}}" for n in range(6))
    path = quiz.file("b.yaml", bank_text(f"- {{id: a, type: single, prompt: p, options: [{options}]}}"))
    first, second = (quiz(path, "--seed", "11", "--new", given="") for _ in range(2))
    assert first.out == second.out
    assert "Seed 11." in first.out
    shown = [line.strip()[3:] for line in first.out.splitlines() if line.startswith("  ") and ") option" in line]
    start = next(event for event in quiz.events if event["event"] == "start")
    from quizzes.model import short_id

    assert "11" == start["seed"]
    assert [short_id(text) for text in shown] == start["questions"][0]["order"][""]


def test_the_order_stays_at_a_retry_and_the_log_holds_ids(quiz):
    """A wrong answer does not reshuffle; what is logged is the chosen option's id."""
    path = quiz.file(
        "b.yaml",
        bank_text(
            "- {id: a, type: single, prompt: p, options: [{id: first, text: x1, why: w}, {id: second, text: x2, why: v}, {id: third, text: x3, correct: true, why: u}]}"
        ),
    )
    ran = quiz(path, "--seed", "3", given=lines("x1", ":again", "x3"))
    listing = [line for line in ran.out.splitlines() if line[:2] == "  " and line[3:6] == ") x"]
    assert listing[:3] == listing[3:6]
    assert [["first"], ["third"]] == [event["answer"] for event in quiz.events if event["event"] == "answer"]


ANSWERS = """
q1: f
q2: true
q3: f
q4: t
q5: f
q6: t
q7: f
q8: t
q9: f
q10: t
q11: t
"""


def test_an_answers_file_answers_by_id(quiz, twelve):
    """A mapping of ids answers in any order; what it leaves out is skipped; nothing is read from the terminal."""
    path = quiz.file("answers.yaml", ANSWERS)
    ran = quiz(twelve, "--answers", path)
    assert 0 == ran.code
    assert "83 % (10 of 12 right)" in ran.out
    ran = quiz(twelve, "--answers", quiz.file("answers.json", json.dumps({"q1": "f"})))
    assert (1, True) == (ran.code, "8 % (1 of 12 right)" in ran.out)


def test_answers_to_unknown_questions_are_named(quiz, twelve):
    """An id that the bank does not have is warned about on standard error, with the one that may be meant."""
    ran = quiz(twelve, "--answers", quiz.file("answers.yaml", ANSWERS + "q13: t\nother: f\n"))
    assert (0, 1) == (ran.code, ran.err.count("\n"))
    assert "questions that this bank does not have: `q13` (`q" in ran.err
    assert ran.err.endswith(", `other`\n")
    assert "" == quiz(twelve, "--answers", quiz.file("answers.yaml", ANSWERS)).err


def test_an_answers_file_means_texts_before_labels(quiz):
    """An option's whole text is that option, whatever its label is and whichever labels it could be read as."""
    questions = """
- {id: s, type: single, prompt: p, options: [{text: 1, why: w}, {text: b, why: v}, {text: a, correct: true, why: u}]}
- {id: m, type: multiple, prompt: p, options: [{text: cab, correct: true, why: w}, {text: bca, why: v}, {text: acb, why: u}]}
- {id: f, type: cloze, prompt: '[[x]]', blanks: {x: {type: choice, options: [{text: 1, why: w}, {text: b, correct: true, why: v}]}}}
"""
    path = quiz.file("b.yaml", bank_text(questions))
    for seed in "123":
        ran = quiz(path, "--seed", seed, "--answers", quiz.file("answers.yaml", "s: a\nm: cab\nf: {x: b}\n"))
        assert "100 % (3 of 3 right)" in ran.out


@pytest.mark.parametrize(
    ("text", "part"),
    [("m: {one: x}\nc: {a: q, b: w}\n", "'two words'"), ("m: {one: x, two  words: y}\nc: {a: q}\n", "'b'")],
)
def test_a_partial_answer_names_the_part_that_is_missing(quiz, text, part):
    """A mapping without one of the left sides, or one of the blanks, is refused with its name; none is guessed."""
    bank = "- {id: m, type: match, pairs: [{left: one, right: x}, {left: two words, right: y}]}\n"
    bank += "- {id: c, type: cloze, prompt: '[[a]] [[b]]', blanks: {a: {type: text, accept: [{is: q}]}, b: {type: text, accept: [{is: w}]}}}"
    ran = quiz(quiz.file("b.yaml", bank_text(bank)), "--answers", quiz.file("answers.yaml", text))
    assert (2, True) == (ran.code, f"there is no answer for {part}" in ran.err)


def test_an_answers_file_may_hold_the_lines_one_would_type(quiz, twelve):
    """A file that is no mapping is read like a pipe."""
    ran = quiz(twelve, "--answers", quiz.file("answers.txt", lines(*RIGHT)))
    assert 0 == ran.code
    ran = quiz(twelve, "--answers", quiz.file("short.txt", lines(*RIGHT[:3])))
    assert 3 == ran.code


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("q1: maybe\n", "answers.yaml: line 1 of the answers file: `q1`"),
        ("q1: f\nq1: t\n", "E03"),
        (b"q1: \xff\n", "E01"),
        ("q1: [f, t]\n", "a list does not fit"),
        ("q1: [f\nq2: t\n", "E02"),
        ("{q1: f", "E02"),
    ],
)
def test_a_wrong_answers_file_ends_with_2(quiz, twelve, text, words):
    """What cannot be an answer is named with its line."""
    ran = quiz(twelve, "--answers", quiz.file("answers.yaml", text))
    assert (2, True) == (ran.code, words in ran.err), ran.err


def test_every_type_can_be_taken(quiz):
    """One question of each type, answered right by pipe, with params, a context, code and a picture."""
    (quiz.folder / "p.png").write_bytes(b"x")
    questions = """
- {id: read, type: info, prompt: "Read `Q[i] @ K[j]`, dict[str, int], a[/]b, :smile: and <b>."}
- {id: tf, type: truefalse, context: c, prompt: p, answer: true, image: {file: p.png, alt: A picture of x}}
- {id: num, type: numeric, prompt: "twice {d}?", params: {d: {choice: [4, 4.0]}}, answers: [{expr: 2*d, abs: 0}], explanation: "it is {2*d}"}
- {id: gaps, type: cloze, prompt: "x [[a]] y [[b]]", blanks: {a: {type: text, accept: [{is: q}]}, b: {type: numeric, answers: [{value: 2}]}}}
- {id: row, type: order, items: [first, second, third]}
- {id: pairs, type: match, pairs: [{left: Q, right: query}, {left: K, right: key}]}
- {id: prints, type: output, code: {text: "for n in range(2):\\n    print(n)"}, expect: "0\\n1"}
- {id: recall, type: self, prompt: p, answer: the answer}
- {id: sure, type: truefalse, prompt: p, answer: true, confidence: true}
"""
    path = quiz.file(
        "b.yaml",
        bank_text(
            questions,
            "schema: quizbank/1\nbank: every\ntitle: Every\ncontexts: {c: 'scores = [1]'}\nquestions:\n",
        ),
    )
    dry = quiz(path, "--seed", "2", given="")
    listed = quiz(
        path,
        "--seed",
        "2",
        "--new",
        given=lines("t", "8", "q", "2", ":skip", ":skip", "0", "1", "", "y", "t", "3"),
    ).out
    order = {line.strip()[3:]: line.strip()[0] for line in listed.splitlines() if line.strip()[1:3] == ") "}
    row, pairs = (
        " ".join(order[text] for text in ("first", "second", "third")),
        f"{order['query']} {order['key']}",
    )
    ran = quiz(
        path,
        "--seed",
        "2",
        "--new",
        given=lines("t", "8", "q", "2", row, pairs, "0", "1", "thinking", "y", "t", "3"),
    )
    assert "Read `Q[i] @ K[j]`, dict[str, int], a[/]b, :smile: and <b>." in dry.out
    assert "[Picture: A picture of x]" in ran.out
    assert "scores = [1]" in ran.out
    assert "    for n in range(2):\n        print(n)" in ran.out
    assert "it is 8" in ran.out
    assert "certain: 1 of 1 right" in ran.out
    assert "100 % (8 of 8 right)" in ran.out
    assert 0 == ran.code


def test_a_cloze_asks_again_only_for_what_was_wrong(quiz):
    """Right blanks stay; what is no number is refused at its own blank."""
    path = quiz.file(
        "b.yaml",
        bank_text(
            "- {id: a, type: cloze, prompt: '[[x]] [[y]]', blanks: {x: {type: text, accept: [{is: q}]}, y: {type: numeric, answers: [{value: 2}]}}}"
        ),
    )
    ran = quiz(path, given=lines("q", "two", "3", "2"))
    assert "x: q\ny: two\n  That is not a number" in ran.out
    assert "Partly right: 50 %." in ran.out
    assert 1 == ran.out.count("\nx: q\n")
    assert ran.out.rindex("Right.") > ran.out.index("Partly")


def test_certainty_that_was_wrong_comes_first(quiz):
    """Of two misses, the one of which the person was certain is listed first."""
    one = "- {{id: {}, type: truefalse, prompt: {} p, answer: true, confidence: true}}"
    path = quiz.file("b.yaml", bank_text(one.format("a", "first") + "\n" + one.format("b", "second")))
    ran = quiz(path, given=lines("f", "1", "f", "x", "3"))
    report = ran.out.split("Look at these again:")[1]
    assert report.index("second p") < report.index("You were certain here.") < report.index("first p")


@pytest.mark.parametrize(
    "given",
    [
        b"z\n" * 500,
        b"\x00\xff\xfe\x1b[2J" * 5000,
        b"a" * 200_000,
        b"\n" * 500,
        "\u202e\ud7ff\n".encode() * 100,
        b":\n" * 500,
        b"?\n" * 30,
        b"?\n" * 5000,
        b":hint\n" * 5000,
        b":flag\n" * 5000,
        b":again\n" * 5000,
    ],
)
def test_no_input_breaks_the_program(quiz, twelve, given):
    """Rubbish ends with 3 after a while, never with a traceback, and no control character is echoed raw."""
    ran = quiz(twelve, given=given)
    assert 3 == ran.code
    assert not set(ran.out) & {"\x00", "\x1b", "\x07", "\u202e"}


def test_a_bank_with_errors_is_not_taken(quiz):
    """Its problems are shown as `quiz check` shows them, and the program ends with 2."""
    path = quiz.file("b.yaml", bank_text("- {id: a, type: info}"))
    ran = quiz(path)
    assert 2 == ran.code
    assert "E07 error: a question has no `prompt`" in ran.err


def test_terminal_escapes_in_a_log_or_a_name_do_not_come_out(quiz):
    """A bank's name on the command line is shown with its control characters made visible."""
    ran = quiz("x\x1b[31m")
    assert 2 == ran.code
    assert "\\x1b[31m" in ran.err


def test_history_does_not_hang_on_the_current_folder(quiz, twelve):
    """A quiz that was left in one folder is offered in another."""
    quiz(twelve, given=lines("f"), state=False)
    other = quiz.folder / "elsewhere"
    other.mkdir()
    assert "after 1 of 12" in quiz(twelve, given=lines("f"), state=False, cwd=other).out


def test_a_yaml_module_in_the_current_folder_is_not_imported(quiz, twelve):
    """A learner's own yaml.py or click.py beside them does no harm."""
    for name in ("yaml.py", "click.py", "json.py"):
        quiz.file(name, "raise SystemExit('the wrong one')")
    assert 0 == quiz(twelve, given=lines(*RIGHT)).code


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8"])
def test_any_output_encoding_will_do(quiz, encoding):
    """What an encoding cannot hold is printed plainer; nothing ends the quiz."""
    path = quiz.file(
        "b.yaml",
        bank_text("- {id: a, type: text, prompt: 'd\u1d40 \u2264 \u03b8 \u2192 \u6f22', accept: [{is: caf\u00e9}]}"),
    )
    typed = lines("caf\u00e9").encode("utf-8" if encoding == "ascii" else encoding)
    ran = quiz(
        path,
        given=typed,
        env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"} if encoding != "utf-8" else None,
    )
    assert 0 == ran.code, ran.out
    assert ("d^T <= theta -> ?" if encoding == "ascii" else "d") in ran.out


@pytest.mark.parametrize("columns", ["20", "40", "80", "200", "0", "x", "99999999999999999999"])
def test_lines_fit_the_width(quiz, columns):
    """No line is longer than the terminal asks for, down to 40 columns; silly widths are put right."""
    long = "word " * 40 + "x" * 300
    path = quiz.file(
        "b.yaml",
        bank_text(
            f"- {{id: a, type: single, prompt: '{long}', options: [{{text: '{long}', correct: true, why: '{long}'}}, {{text: y, why: v}}]}}"
        ),
    )
    ran = quiz(path, given=lines("y"), env={"COLUMNS": columns})
    most = min(max(int(columns), 20), 100) if columns in {"20", "40", "80", "200"} else 100
    listed = [line for line in ran.out.splitlines() if not line.startswith("Your answer")]
    assert max(len(line) for line in listed) <= most


def test_no_escape_sequences_are_printed(quiz, twelve):
    """Nothing is coloured or repainted, whatever TERM and NO_COLOR say."""
    for env in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {"TERM": "xterm-256color", "FORCE_COLOR": "1"}):
        assert "\x1b" not in quiz(twelve, "--new", given=lines(*RIGHT), env=env).out


def test_the_quick_check_is_the_default(quiz):
    """`quiz` alone asks the quick check, and its first question is the first of the lesson's five."""
    ran = quiz(given="")
    assert 3 == ran.code
    assert "What does attention let a model do?" in ran.out


def test_a_full_disk_or_a_lost_folder_ends_with_3(quiz, twelve):
    """A log that cannot be written stops the quiz with a reason: nothing is asked whose answer would be lost."""
    quiz.state.write_text("a file")
    ran = quiz(twelve, given=lines("f"))
    assert (2, True) == (ran.code, "is not a folder" in ran.err)
    quiz.state.unlink()
    (quiz.state / "log.jsonl").mkdir(parents=True)
    ran = quiz(twelve, given=lines("f"))
    assert (3, True) == (ran.code, "cannot be read" in ran.err)


@pytest.mark.parametrize(
    "redirection", ["</dev/null >&-", "<&- >/dev/null", "</dev/null >/dev/full", "</dev/null 2>&- >&-"]
)
def test_closed_and_full_streams_end_without_a_traceback(quiz, twelve, redirection):
    """A closed input or output, or a full disk behind it, ends with 3."""
    command = f'"{quiz.command[0]}" -m quizzes "{twelve}" --state "{quiz.state}" {redirection}'
    done = subprocess.run(
        ["sh", "-c", command], env=quiz.env, cwd=quiz.folder, stderr=subprocess.PIPE, check=False, timeout=20
    )
    assert (3, False) == (done.returncode, b"Traceback" in done.stderr), done.stderr


def test_an_edited_question_does_not_count_for_its_objective(quiz, twelve):
    """What was right in an earlier wording says nothing about the present one; the other questions keep their history."""
    quiz(twelve, given=lines(*RIGHT))
    twelve.write_text(twelve.read_text().replace("Is 1 an even number?", "Is 1 an odd number?"))
    ran = quiz(twelve, "--count", "2", given=lines("t", "t"))
    assert "Know odd numbers: not yet (5 of 6 right; all right on 0 of 2 days" in " ".join(ran.out.split())
    assert (
        "Objectives"
        not in quiz(twelve, "--count", "1", "--state", quiz.folder / "fresh", state=False, given=":skip\n").out
    )
