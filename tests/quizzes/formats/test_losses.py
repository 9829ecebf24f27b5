"""The loss table: complete, true to the exports, and what the documentation shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from formatkit import HERE, bank, exported, markers, without_copies

from quizzes import formats, model
from quizzes.formats import losses
from quizzes.loader import read_bank

# What the markers have not: each of these has a loss of its own.
RARE = """\
  - {id: infinite, type: numeric, prompt: P, answers: [{value: inf}]}
  - {id: tiny, type: numeric, prompt: P, answers: [{value: 1, abs: 0.00001}]}
  - id: each
    type: multiple
    grading: each
    prompt: P
    options: [{text: a, correct: true, why: w}, {text: b, why: w}]
  - id: odd
    type: single
    prompt: P
    options: [{text: a, correct: true, why: w}, {text: b, credit: 47, why: w}]
  - {id: arrow, type: match, prompt: P, pairs: [{left: a -> b, right: c}, {left: d, right: e}]}
  - {id: arrows, type: text, prompt: P, accept: [{is: a -> b}, {is: c, why: d -> e}]}
  - {id: gap, type: cloze, prompt: "a [[x]]", blanks: {x: {type: text, accept: [{is: b}], otherwise: O}}}
  - {id: once, type: truefalse, prompt: P, answer: true, attempts: 1, hints: [H], feedback: {correct: C}}
  - {id: told, type: info, prompt: P, explanation: E}
"""


def many(count):
    """Return a question with that many right options."""
    right = "".join(f"      - {{text: o{n}, correct: true, why: w}}\n" for n in range(count))
    return f"  - id: many\n    type: multiple\n    prompt: P\n    options:\n{right}      - {{text: x, why: w}}\n"


def test_every_cell_has_a_verdict():
    """A cell is one of five words, and a loss says what becomes of the field."""
    for row in (*losses.ROWS, losses.POOLS):
        for target in losses.TARGETS:
            verdict, note = row.fate(target)
            assert verdict in {"ok", "enc", "text", "LOSS", "-"}, row.field
            assert note or verdict != "LOSS", row.field


def test_every_row_is_found_somewhere():
    """No row of the table is one that no question can have."""
    asked = [*markers().questions, *bank(RARE).questions, *bank(many(11)).questions]
    unfound = [row.field for row in losses.ROWS if not any(list(row.found(question)) for question in asked)]

    assert unfound == []


def test_losses_of_one_question():
    """A loss has the question's id, the field, and what becomes of it."""
    found = [loss for loss in formats.export(markers(), "gift").losses if loss.question_id == "single-q"]

    assert found == [
        model.Loss("single-q", "option 1: missed", "left out"),
        model.Loss("single-q", "option 1: pin", "left out"),
        model.Loss("single-q", "option 3: pin", "left out"),
        model.Loss("single-q", "hints", "left out"),
        model.Loss("single-q", "feedback", "left out"),
        model.Loss("single-q", "feedback: partial", "left out"),
        model.Loss("single-q", "points", "left out"),
        model.Loss("single-q", "attempts", "left out"),
        model.Loss("single-q", "confidence", "left out"),
        model.Loss("single-q", "shuffle", "left out"),
    ]


@pytest.mark.parametrize("target", formats.TARGETS)
def test_a_plain_question_loses_nothing(target):
    """A choice with explanations goes everywhere whole."""
    one = bank(
        "  - id: a\n    type: single\n    prompt: P\n    explanation: E\n"
        "    options: [{text: a, correct: true, why: w}, {text: b, why: w}]\n"
    )

    assert formats.export(one, target).losses == ()


@pytest.mark.parametrize("target", ["gift", "moodle-xml"])
def test_credit_outside_the_list_is_moved_to_the_nearest(target):
    """47 percent becomes 50, and that is said."""
    one = bank("  - {id: a, type: text, prompt: P, accept: [{is: x}, {is: y, credit: 47}]}\n")
    result = formats.export(one, target)

    assert model.Loss("a", "answer 2: credit", "moved to the nearest that Moodle takes") in result.losses
    assert (b"%50%y" if target == "gift" else b'fraction="50"') in without_copies(target, exported(one, target))


@pytest.mark.parametrize("target", ["gift", "moodle-xml"])
def test_eleven_right_options_cannot_be_weighed(target):
    """Moodle's list has no eleventh of everything: the question is left out, and that is said."""
    ten, eleven = bank(many(10)), bank(many(11))

    assert formats.export(ten, target).losses == ()
    assert model.Loss("many", "question", "the question is left out") in formats.export(eleven, target).losses
    assert b"o0" not in without_copies(target, exported(eleven, target))


def test_pools_are_reported_by_their_first_question():
    """A pool is of the bank; its loss stands with its first question."""
    assert formats.export(markers(), "gift").losses[-1] == model.Loss(
        "pooled-a", "pool pool-one", "a category; all are asked"
    )


def test_the_documentation_shows_the_table():
    """The table in the documentation is the one that the reports are made from."""
    text = (Path(HERE).parents[2] / "docs" / "quiz-formats.md").read_text(encoding="utf-8")

    assert losses.table() in text


def test_unknown_formats_are_named():
    """A format that there is not is a fault of the caller."""
    with pytest.raises(ValueError, match="unknown format") as caught:
        formats.export(markers(), "word")

    assert str(caught.value) == "unknown format `word`; one of gift, moodle-xml, qti, jupyterquiz, anki is expected"


def test_a_picture_that_is_not_there_leaves_its_words(tmp_path):
    """A picture that cannot be read is shown by its words."""
    (tmp_path / "dot.png").write_bytes((HERE / "dot.png").read_bytes())
    path = tmp_path / "small.yaml"
    path.write_text(
        "schema: quizbank/1\nbank: small\ntitle: Small\nquestions:\n"
        "  - {id: a, type: self, prompt: P, answer: A, image: {file: dot.png, alt: a dot}}\n"
    )
    one = read_bank(path)
    (tmp_path / "dot.png").unlink()

    assert b"[picture: a dot]" in without_copies("moodle-xml", exported(one, "moodle-xml"))
