"""Aiken, tidy and untidy."""

from __future__ import annotations

from formatkit import imported, questions


def test_as_in_the_manual():
    """Letters with a point or a bracket, and an answer line."""
    (data,) = questions("What is it?\nA. This\nB) That\nANSWER: B\n")

    assert data == {
        "id": "what-is-it",
        "type": "single",
        "prompt": "What is it?",
        "options": [{"text": "This"}, {"text": "That", "correct": True}],
    }


def test_untidy_files():
    """Stray empty lines, several lines, small letters, nothing between questions, a letter in a stem."""
    found = questions(
        "\n\nA stem\nof two lines:\n\nA.  one\n\nB)two\n   goes on\nc) three\nanswer : b)\nNext. A. B.\n"
        "A) x\nB) y\nAnswer: A\n\n\n"
    )

    assert [data["prompt"] for data in found] == ["A stem\nof two lines:", "Next. A. B."]
    assert [option["text"] for option in found[0]["options"]] == ["one", "two\ngoes on", "three"]


def test_stem_of_several_lines():
    """Lines of a stem stay lines, an empty one between them too."""
    (data,) = questions("First\nsecond\n\nthird\nA. x\nB. y\nANSWER: A")

    assert data["prompt"] == "First\nsecond\n\nthird"


def test_options_of_several_lines():
    """A line without a letter goes on with the option above it."""
    (data,) = questions("Q\nA. x\n  more\nB. y\nANSWER: A")

    assert data["options"][0] == {"text": "x\nmore", "correct": True}


def test_one_bad_question_does_not_spoil_the_others():
    """Each fault is reported with its line and what was expected."""
    result, notes = imported(
        "a\nA. x\nB. y\nANSWER: Z\n\nb\nA. x\nB. y\n\nc\nA. x\nB. y\nANSWER: A, B\n\n"
        "d\nANSWER: A\n\nANSWER: B\n\n"
        "e\nA. one\nANSWER: A\n\nf\nA. x\nB. x\nANSWER: A\n\nz\nA. x\nB. y\nANSWER: B\n"
    )
    form = "at least two are expected, each a line such as `A. text` or `A) text`"

    assert [question.prompt for question in result.questions] == ["z"]
    assert notes == [
        "f:4: not imported: the answer is `Z`; one letter from A to B is expected",
        "f:6: not imported: there is no line `ANSWER: X` after the options",
        "f:13: not imported: the answer is `A, B`; one letter from A to B is expected",
        f"f:15: not imported: 0 options are found; {form}",
        "f:18: not imported: a line ANSWER: without a question before it",
        f"f:20: not imported: 1 option is found; {form}",
        "f:24: not imported: two options are the same to a reader: 'x' (E13)",
    ]
