"""A bank goes out and comes back: with its copies whole, without them as far as the format reaches."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys

import pytest
from formatkit import MARKERS, bank, bank_of, edited, exported, imported, markers, shown, without_copies

from quizzes import formats, model, writer
from quizzes.formats import embed
from quizzes.library import package_files
from quizzes.loader import read_bank

# Markers that a format does not show; for each, the loss report says so (tested in test_losses).
_REGEX = {"m55", "m56"}
MISSING = {
    "gift": _REGEX | {"m10", "m14", "m15", "m17", "m18", "m19"},
    "moodle-xml": _REGEX | {"m10"},
    "qti": _REGEX | {"m10", "m14", "m15", "m18", "m47", "m48", "m61", "m62", "m63"},
    "jupyterquiz": _REGEX | {"m10", "m14", "m15", "m17", "m18", "m19", "m83", "m84", "m85", "m86"},
    "anki": _REGEX | {"m17", "m18", "m19", "m86"},
}


@pytest.mark.parametrize("target", formats.TARGETS)
def test_own_files_come_back_whole(target):
    """An unchanged export makes the bank that it was made from, question by question and field by field."""
    before = markers()
    result = formats.import_bank(exported(before, target), target, before.id)

    assert writer.to_data(before) == writer.to_data(bank_of(result.text))
    assert before == bank_of(result.text)
    assert [note.message for note in result.notes] == ["put the picture `dot.png` beside the bank"]


@pytest.mark.parametrize("target", formats.TARGETS)
def test_no_break_spaces_come_back(target):
    """A no-break space at the ends of a text, or of one of its lines, is part of the text."""
    head = "schema: quizbank/1\nbank: small\ntitle: Small\nquestions:\n"
    text = '{id: a, type: truefalse, prompt: "\\_ in \\_", answer: true, explanation: "x\\n\\_y\\_\\nz"}'
    before = bank_of(f"{head}  - {text}\n")
    assert "\xa0 in \xa0" == before.questions[0].prompt
    assert before == bank_of(formats.import_bank(exported(before, target), target, before.id).text)


@pytest.mark.parametrize("target", formats.TARGETS)
def test_formulas_without_params_are_written_as_their_values(target):
    """Other programs get the number; our own copy keeps the formula."""
    before = bank("  - {id: a, type: numeric, prompt: p, answers: [{expr: 1/8, abs: 0.01}]}\n")
    data = exported(before, target)
    assert re.search(r"0\.125|0\.115", shown(target, data))
    assert before == bank_of(formats.import_bank(data, target, before.id).text)


@pytest.mark.parametrize("target", formats.TARGETS)
def test_the_id_of_the_bank_comes_back(target):
    """A file of our own gives the bank the id it had, where no other is asked for; a stranger's file has none."""
    data = exported(markers(), target)
    assert markers().id == bank_of(formats.import_bank(data, target, "other", keep_id=True).text).id
    assert "other" == bank_of(formats.import_bank(data, target, "other").text).id
    assert "other" == bank_of(formats.import_bank(b"Is it?{T}", "gift", "other", keep_id=True).text).id


@pytest.mark.parametrize("target", formats.TARGETS)
def test_own_files_are_recognised(target):
    """The format of an own file need not be named."""
    assert formats.recognised(exported(markers(), target)) == target


@pytest.mark.parametrize("target", formats.TARGETS)
def test_every_field_is_shown(target):
    """Each text of the bank stands in the file outside the copies, or its loss is known."""
    before = markers()
    every = set(re.findall(r"m\d+", json.dumps(writer.to_data(before))))
    text = shown(target, exported(before, target))

    assert MISSING[target] == {one for one in every if not re.search(rf"(?<![a-z0-9]){one}(?!\d)", text)}


def test_same_bytes_every_time():
    """Another process, with another hash seed, writes the same bytes."""
    code = (
        "import hashlib, sys; from quizzes import formats; from quizzes.loader import read_bank\n"
        "from pathlib import Path; one = read_bank(Path(sys.argv[1]))\n"
        "for target in formats.TARGETS:\n"
        "    for name, data in formats.export(one, target).files.items():\n"
        "        print(name, hashlib.sha256(data).hexdigest())\n"
    )
    command = [sys.executable, "-c", code, str(MARKERS)]
    there = subprocess.run(
        command, capture_output=True, check=True, text=True, env={**os.environ, "PYTHONHASHSEED": "7"}
    ).stdout
    files = [file for target in formats.TARGETS for file in formats.export(markers(), target).files.items()]

    assert there.splitlines() == [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in files]


@pytest.mark.parametrize("target", formats.TARGETS)
@pytest.mark.parametrize("path", package_files()[:1], ids=lambda path: path.stem)
def test_banks_of_the_package_come_back_whole(path, target):
    """The bank that comes first in the package survives every format."""
    before = read_bank(path)
    result = formats.import_bank(exported(before, target), target, before.id)

    assert before == bank_of(result.text)


# Without the copies

LOST = {
    "gift": {
        "context",
        "code",
        "points",
        "attempts",
        "confidence",
        "hints",
        "feedback",
        "shuffle",
        "missed",
        "pin",
        "id",
    },
    "moodle-xml": {"context", "code", "confidence", "missed", "pin", "id"},
    "jupyterquiz": {
        "context",
        "points",
        "attempts",
        "confidence",
        "hints",
        "feedback",
        "shuffle",
        "missed",
        "pin",
        "id",
        "credit",
    },
}


def _cleaned(data, lost):
    if isinstance(data, dict):
        return {key: _cleaned(value, lost) for key, value in data.items() if key not in lost}
    return [_cleaned(one, lost) for one in data] if isinstance(data, list) else data


@pytest.mark.parametrize("target", sorted(LOST))
def test_single_without_copy(target):
    """A choice keeps its texts, explanations, credits, tags, objective and difficulty without the copy."""
    before = markers().question("single-q")
    after = imported(without_copies(target, exported(markers(), target)), target)[0].question("single-q")
    old, new = writer.question_data(before), writer.question_data(after)

    assert "prompt-m6" in new["prompt"]
    assert "context-m1 line one\n  context-m2 indented" in new["prompt"]
    assert "print('code-m7 <b>')\n\n\tx = {1: 2}  # end" in new["prompt"] + new.get("code", {}).get("text", "")
    assert _cleaned(old, {*LOST[target], "prompt", "code"}) == _cleaned(new, {*LOST[target], "prompt", "code"})


SAME_WITHOUT = {
    "gift": ["multi-net", "multi-weights", "tf-true", "tf-false"],
    "moodle-xml": [
        "multi-net",
        "multi-weights",
        "tf-true",
        "tf-false",
        "steps",
        "recall",
        "note",
        "pooled-b",
    ],
    "jupyterquiz": ["multi-all", "tf-true", "tf-false"],
}


@pytest.mark.parametrize("target", sorted(SAME_WITHOUT))
def test_held_types_without_copy(target):
    """What a format holds comes back equal without its copy."""
    after = imported(without_copies(target, exported(markers(), target)), target)[0]
    for name in SAME_WITHOUT[target]:
        assert writer.question_data(markers().question(name)) == writer.question_data(after.question(name))


def test_moodle_keeps_cloze_numbers_and_text():
    """Moodle XML holds every kind of gap, a unit, a wrong number's explanation and the case of a text."""
    after = imported(without_copies("moodle-xml", exported(markers(), "moodle-xml")))[0]
    data = {one.id: writer.question_data(one) for one in after.questions}

    assert data["cloze-many"]["prompt"] == "prompt-m64 [[b1]] / [[b2]] < [[b3]] }"
    assert list(data["cloze-many"]["blanks"].values()) == [
        {
            "type": "text",
            "accept": [{"is": "key~m65 #}"}, {"is": "back\\slash\\"}],
            "match": {"case": "exact"},
        },
        {
            "type": "numeric",
            "answers": [{"value": "2.50", "abs": "0.1", "why": "why-m66"}],
            "otherwise": "otherwise-m67",
        },
        {
            "type": "choice",
            "options": [
                {"text": "option-m68", "correct": True, "why": "why-m69"},
                {"text": "option-m70 = x", "why": "why-m71"},
            ],
        },
    ]
    assert data["num"]["unit"] == "ms"
    assert data["num"]["answers"][1] == {"value": "8", "abs": "0", "credit": "0", "why": "why-m47"}
    assert data["words"]["match"] == {"case": "exact"}
    assert data["words"]["accept"][1] == {"is": "key-m51 a*b", "why": "why-m52"}


def test_variants_of_params_come_back_as_questions():
    """Without the copies, each drawn variant is a question with its own numbers."""
    after = imported(without_copies("gift", exported(markers(), "gift")))[0]

    assert after.question("drawn-1").prompt == "prompt-m87 16 32"
    assert after.question("drawn-2").rule.answers[0].value.text == "0.125"


# Edits

EDITS = {
    "gift": (b"prompt-m21{", b"prompt EDITED{"),
    "moodle-xml": (b"<text>prompt-m21</text>", b"<text>prompt EDITED</text>"),
    "jupyterquiz": (b'"question": "prompt-m21"', b'"question": "prompt EDITED"'),
}


@pytest.mark.parametrize("target", sorted(EDITS))
def test_an_edit_wins_over_the_copy(target):
    """Who edits the visible question gets what the edit says, and the other questions come back whole."""
    old, new = EDITS[target]
    data = exported(markers(), target)
    assert data.count(old) == 1
    after, notes = imported(data.replace(old, new), target)

    assert after.question("multi-net").prompt == "prompt EDITED"
    assert any("`multi-net` was edited since its export" in note for note in notes)
    assert after.question("single-q") == markers().question("single-q")


@pytest.mark.parametrize("target", ["qti", "anki"])
def test_an_edit_in_a_format_that_is_only_written_is_reported(target):
    """An edit in QTI or Anki is never overruled by the copy: the question is left out and named by line."""
    data = edited(exported(markers(), target), b"prompt-m40", b"prompt-x40")
    after, notes = imported(data, target)

    assert "tf-true" not in [question.id for question in after.questions]
    assert [note for note in notes if "not imported: it was edited" in note]


def test_one_edited_part_overrules_the_copies_of_all_parts():
    """A question with params comes back as its variants if one of them was edited."""
    data = exported(markers(), "gift").replace(b"prompt-m87 16 32", b"prompt EDITED 16 32")
    after = imported(data)[0]
    ids = [question.id for question in after.questions]

    assert "drawn" not in ids
    assert after.question("drawn-1").prompt == "prompt EDITED 16 32"
    assert after.question("drawn-2").prompt == "prompt-m87 64 128"


def test_layout_is_no_edit():
    """Other line ends and another indentation leave the copies believed."""
    gift = exported(markers(), "gift").replace(b"\n", b"\r\n")
    moodle = re.sub(rb">\n\s+<", b"><", exported(markers(), "moodle-xml"))

    assert markers().questions == imported(gift, "gift")[0].questions
    assert markers().questions == imported(moodle, "moodle-xml")[0].questions


def test_a_forged_copy_is_not_trusted():
    """A copy with the right hash but without sense gives way to what is shown."""
    visible = "// [id:x/q]\n::x/q::[plain]Two?{=a#yes\n~b#no}"
    forged = {"hash": embed.visible_hash(visible), "question": {"id": "q", "type": "single", "options": 5}}
    after, notes = imported(f"// quizbank: {embed.dumps(forged)}\n{visible}\n")

    assert after.question("q").prompt == "Two?"
    assert any("the copy of `q` is not usable" in note for note in notes)


def test_a_forged_bank_copy_is_dropped():
    """A copy of the bank that is no bank costs nothing but itself."""
    after = imported('// quizbank-bank: {"title": [1], "pools": 3, "unasked": [[]], "order": {"a": 1}}\n\nTwo?{T}\n')[0]

    assert after.title == "Imported questions"


def test_nothing_is_asked_of_what_cannot_be_shown():
    """A question that a format cannot show travels in the copy of the bank and returns to its place."""
    before = bank(
        "  - {id: a, type: info, prompt: Read.}\n  - {id: b, type: truefalse, prompt: So., answer: true}\n"
        "  - {id: c, type: info, prompt: Done.}\n"
    )
    data = exported(before, "jupyterquiz")

    assert b"Read." not in without_copies("jupyterquiz", data)
    assert [question.id for question in imported(data)[0].questions] == ["a", "b", "c"]


def test_losses_are_values():
    """The result of an export holds files by name and losses with the question's id."""
    result = formats.export(markers(), "gift")

    assert list(result.files) == ["markers.gift"]
    assert model.Loss("single-q", "hints", "left out") in result.losses
