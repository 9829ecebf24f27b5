"""jupyterquiz JSON, as its scripts read it."""

from __future__ import annotations

import json
import math
import sys

import pytest
from formatkit import bank, bank_of, exported, imported, markers, questions, without_copies

from quizzes import grading, writer
from quizzes.formats import import_bank
from quizzes.model import ExportFailedError


def data(*found):
    """Return a file with some questions."""
    return json.dumps(list(found), indent=1)


@pytest.mark.parametrize(
    "text",
    [
        "Q[i] @ K[j]",
        "a < b && c > d",
        "<b>x</b>",
        "$x$ costs $5",
        "[a](b) and f[i](x)",
        "a\n\n  b",
        "a\tb",
        "&lt; &amp;",
        r"\frac{1}{2}",
        "emoji \U0001f600",
        "Explanation: x",
    ],
)
def test_any_text_comes_back_without_the_copy(text):
    """Texts are written as HTML that shows them as written, and are read back."""
    before = {
        "id": "choice",
        "type": "single",
        "prompt": text,
        "options": [
            {"text": text, "correct": True, "why": text},
            {"text": f"not {text}", "why": f"so {text}"},
        ],
        "explanation": text,
    }
    whole = {"schema": "quizbank/1", "bank": "imported", "title": "Any", "questions": [before]}
    bare = without_copies("jupyterquiz", exported(bank_of(writer.to_yaml(whole)), "jupyterquiz"))

    assert [before] == questions(bare)


def test_a_bank_of_which_nothing_can_be_asked_is_refused():
    """A file without questions could carry nothing back."""
    nothing = bank("  - {id: a, type: info, prompt: Read.}\n  - {id: b, type: self, prompt: p, answer: a}\n")
    with pytest.raises(ExportFailedError, match="jupyterquiz can ask none of the questions of `small`"):
        exported(nothing, "jupyterquiz")


def test_structure():
    """Every question has the keys that jupyterquiz needs, and only types that it knows."""
    for question in json.loads(exported(markers(), "jupyterquiz")):
        assert question["type"] in {"multiple_choice", "many_choice", "numeric", "string"}
        assert isinstance(question["question"], str)
        for answer in question["answers"]:
            assert isinstance(answer["feedback"], str)
            assert answer.get("type") == "default" or isinstance(answer["correct"], bool)


def test_both_ends_of_a_tolerance_belong_to_it():
    """Jupyterquiz leaves out the upper end of a range, so the range ends at the next number after it."""
    one = bank("  - {id: a, type: numeric, prompt: P, answers: [{value: 0.125, abs: 0.0005}, {value: 3, abs: 0}]}\n")
    first, second = json.loads(exported(one, "jupyterquiz"))[0]["answers"]

    assert first["range"] == [0.1245, math.nextafter(0.1255, 1)]
    assert second["value"] == 3


def test_numbers_beyond_what_javascript_has():
    """A number that no float can hold is written as the largest that one can."""
    one = bank(
        "  - id: a\n    type: numeric\n    prompt: P\n"
        "    answers: [{value: 1e399, rel: 0.1}, {value: 1e-399, abs: 0}]\n"
    )
    first, second = json.loads(exported(one, "jupyterquiz"))[0]["answers"]

    assert first["range"] == [sys.float_info.max, sys.float_info.max]
    assert second["value"] == 0
    assert one == bank_of(import_bank(exported(one, "jupyterquiz"), "jupyterquiz", one.id).text)


def test_numbers_of_others():
    """Digits stay, an upper end does not count, a precision is a tolerance."""
    text = (
        '[{"question": "n", "type": "numeric", "precision": 3, "answers": [\n'
        ' {"type": "value", "value": 3.140, "correct": true, "feedback": "y"},\n'
        ' {"type": "range", "range": [5, 6], "correct": false, "feedback": "high"},\n'
        ' {"type": "default", "feedback": "no"}]}]'
    )
    (question,) = imported(text)[0].questions

    assert question.rule.answers[0].value.text == "3.140"
    assert question.rule.answers[0].abs.text == "0.005"
    assert grading.judge(question, "5").notes == ("high",)
    assert grading.judge(question, "6").notes == ("no",)
    assert grading.judge(question, "3.144").full


def test_choices_of_others():
    """One right is a choice of one, `many_choice` asks for all, True and False a statement, code is code."""
    found = questions(
        data(
            {
                "question": "a",
                "type": "multiple_choice",
                "code": "x &lt; 1",
                "answers": [
                    {"answer": "r", "correct": True, "feedback": "y"},
                    {"answer": "w", "correct": False},
                ],
            },
            {
                "question": "b",
                "type": "many_choice",
                "answers": [{"answer": n, "correct": n < "c"} for n in "abc"],
            },
            {
                "question": "c",
                "type": "multiple_choice",
                "answers": [{"answer": "True", "correct": False}, {"answer": "False", "correct": True}],
            },
        )
    )

    assert found[0]["options"] == [{"text": "r", "correct": True, "why": "y"}, {"text": "w"}]
    assert found[0]["code"]["text"] == "x < 1"
    assert (found[1]["type"], found[1]["grading"]) == ("multiple", "all")
    assert (found[2]["type"], found[2]["answer"]) == ("truefalse", False)


def test_strings_of_others():
    """Case counts if it is said to, a star is a star, likeness does not do and that is said."""
    answers = [
        {"answer": "x*y", "correct": True, "match_case": True, "fuzzy_threshold": 0.8},
        {"type": "default", "feedback": "n"},
    ]
    result, notes = imported(data({"question": "s", "type": "string", "answers": answers}))
    found = writer.question_data(result.questions[0])

    assert (found["accept"], found["match"], found["otherwise"]) == ([{"is": "x*y"}], {"case": "exact"}, "n")
    assert notes == ["f:2: a likeness was enough for an answer (fuzzy_threshold); here it must be equal"]


def test_one_bad_question_does_not_spoil_the_others():
    """Each fault is reported with its line and what was expected."""
    text = (
        '[{"question": "a", "type": "string", "answers": [{"answer": "x", "correct": true}]},\n'
        '"text",\n{"type": "odd"},\n{"type": "numeric", "answers": 3},\n'
        '{"question": 5, "type": "numeric", "answers": []},\n'
        '{"question": "n", "type": "numeric", "answers": [{"value": NaN, "correct": true}]},\n'
        '{"question": "n", "type": "numeric", "answers": [{"value": "3", "correct": "yes"}]},\n'
        '{"question": "n", "type": "numeric", "answers": [{"range": [1], "correct": true}]},\n'
        '{"question": "b", "type": "string", "answers": [{"answer": "y", "correct": true}]}]'
    )
    result, notes = imported(text)

    assert [question.prompt for question in result.questions] == ["a", "b"]
    assert notes == [
        "f:2: not imported: a question is an object with `question`, `type` and `answers`",
        "f:3: not imported: the type is `odd`; known are multiple_choice, many_choice, numeric, string",
        "f:4: not imported: `answers` is expected to be a list of objects",
        "f:5: not imported: a text is expected where `5` stands",
        "f:6: not imported: `NaN` is no number; a number such as 3, 0.125 or -1e-4 is expected",
        "f:7: not imported: `correct` is `yes`; true or false is expected",
        "f:8: not imported: `range` is expected to be a list of two numbers",
    ]


def test_a_broken_file_gives_what_stands_before_the_fault():
    """Questions that are whole are taken; where the file breaks is said."""
    whole = '[{"question": "a", "type": "string", "answers": [{"answer": "x", "correct": true}]},\n{"question": '
    result, notes = imported(whole)

    assert [question.prompt for question in result.questions] == ["a"]
    assert notes == [
        "f:2: not imported: this is not JSON at column 14: Expecting value; the rest of the file is not read"
    ]
