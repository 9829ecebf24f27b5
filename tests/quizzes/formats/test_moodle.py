"""Moodle XML: texts are shown as written, and the types of Moodle's core are read."""

from __future__ import annotations

import base64
from xml.etree import ElementTree as ET

import pytest
from formatkit import HERE, bank, bank_of, exported, imported, markers, questions, without_copies

from quizzes import writer

TEXTS = [
    "Q[i] @ K[j]",
    "a < b && c > d",
    "]]>",
    "<b>&lt;</b>",
    "$x$",
    r"\frac{1}{2} \nabla",
    "emoji \U0001f600",
    "-->",
    '"q"',
    "a\tb\n\n  c",
    "trailing  \n",
    "{1:SHORTANSWER:=a}",
    "T",
    "&amp;",
]


def tree(one):
    """Return the tree of an export."""
    return ET.fromstring(exported(one, "moodle-xml"))


def quiz(inner, kind="multichoice", name="N"):
    """Return a file with one question."""
    return (
        f'<?xml version="1.0"?>\n<quiz><question type="{kind}"><name><text>{name}</text></name>'
        f'<questiontext format="html"><text>Q</text></questiontext>{inner}</question></quiz>'
    )


def answer(text, fraction, why="", more=""):
    """Return an answer's element."""
    said = f"<feedback><text>{why}</text></feedback>"
    return f'<answer fraction="{fraction}"><text>{text}</text>{said}{more}</answer>'


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_without_the_copy(text):
    """Whatever a text has in it comes back, in a choice and, where gaps need HTML, in a cloze question."""
    before = [
        {
            "id": "choice",
            "type": "single",
            "prompt": text,
            "options": [
                {"text": text, "correct": True, "why": text},
                {"text": f"not {text}", "why": f"so {text}"},
            ],
            "hints": [text],
            "explanation": text,
            "feedback": {"correct": text, "partial": text, "incorrect": text},
        },
        {
            "id": "gaps",
            "type": "cloze",
            "prompt": f"see {text.strip()} [[b1]] end",
            "blanks": {
                "b1": {
                    "type": "choice",
                    "options": [
                        {"text": text.strip(), "correct": True, "why": text.strip()},
                        {"text": "o", "why": "w"},
                    ],
                }
            },
        },
    ]
    whole = {"schema": "quizbank/1", "bank": "imported", "title": "Any", "questions": before}
    data = without_copies("moodle-xml", exported(bank_of(writer.to_yaml(whole)), "moodle-xml"))
    after = [writer.question_data(question) for question in imported(data)[0].questions]

    assert before == after


def test_structure():
    """Categories, numbers of types, the children that each question needs, fractions of Moodle's list."""
    root = tree(markers())
    kinds = [question.get("type") for question in root.iter("question")]

    assert root.tag == "quiz"
    assert kinds[:2] == ["category", "multichoice"]
    assert set(kinds) == {
        "category",
        "multichoice",
        "truefalse",
        "numerical",
        "shortanswer",
        "cloze",
        "matching",
        "ordering",
        "essay",
        "description",
    }
    for question in root.iter("question"):
        if question.get("type") != "category":
            names = [child.tag for child in question if isinstance(child.tag, str)]
            start = [
                "name",
                "questiontext",
                "generalfeedback",
                "defaultgrade",
                "penalty",
                "hidden",
                "idnumber",
            ]
            assert names[:7] == start
            assert question.find("questiontext").get("format") in {"plain_text", "html"}
        if question.get("type") in {"multichoice", "truefalse", "shortanswer", "numerical"}:
            assert max(float(one.get("fraction")) for one in question.iter("answer")) in {100, 75, 50}


def test_picture_goes_along():
    """The file stands beside the text that shows it."""
    element = next(one for one in tree(markers()).iter("file"))

    assert (element.get("name"), element.get("encoding")) == ("dot.png", "base64")
    assert base64.b64decode(element.text) == (HERE / "dot.png").read_bytes()


def test_ordering_is_a_type_of_its_own():
    """The places are fractions, and the grading has Moodle's name for it."""
    question = next(one for one in tree(markers()).iter("question") if one.get("type") == "ordering")

    assert [one.get("fraction") for one in question.iter("answer")] == ["1.0000000", "2.0000000", "3.0000000"]
    assert question.findtext("gradingtype") == "RELATIVE_ALL_PREVIOUS_AND_NEXT"


def test_multichoice():
    """Several right options with weights, HTML, a picture, hints, tags, points and attempts."""
    inner = (
        '<generalfeedback format="html"><text>General</text></generalfeedback>'
        "<defaultgrade>2.0</defaultgrade>"
        "<penalty>0.3333333</penalty><single>false</single><shuffleanswers>0</shuffleanswers>"
        + answer("A", "50", "yes")
        + answer("B", "50")
        + answer("C", "-50", "no")
        + '<hint format="html"><text>Think</text></hint><tags><tag><text>bio</text></tag></tags>'
    )
    text = '<![CDATA[<p>Which <b>have</b>&nbsp;it?</p><ul><li>a &lt; b</li></ul><img src="x" alt="a cell">]]>'
    (data,) = questions(quiz(inner).replace("<text>Q</text>", f"<text>{text}</text>"))

    assert data == {
        "id": "n",
        "type": "multiple",
        "title": "N",
        "tags": ["bio"],
        "points": "2",
        "attempts": 3,
        "prompt": "Which have it?\n\n- a < b\n\n[picture: a cell]",
        "grading": "net",
        "options": [
            {"text": "A", "correct": True, "why": "yes"},
            {"text": "B", "correct": True},
            {"text": "C", "why": "no"},
        ],
        "hints": ["Think"],
        "explanation": "General",
        "shuffle": False,
    }


def test_single_with_partial_credit():
    """`single` is the default; a fraction between is a credit."""
    (data,) = questions(quiz(answer("A", "100") + answer("B", "33.33333") + answer("C", "0")))

    assert [option.get("credit") for option in data["options"]] == [None, "33.33333", None]


@pytest.mark.parametrize("right", ["true", "false"])
def test_truefalse(right):
    """The answers may stand in either order."""
    (data,) = questions(
        quiz(
            answer("false", 100 * (right == "false"), "F") + answer("true", 100 * (right == "true"), "T"),
            "truefalse",
        )
    )

    assert (data["answer"], data["why_true"], data["why_false"]) == (right == "true", "T", "F")


def test_shortanswer():
    """Case, wildcards, and what everything else is told."""
    (data,) = questions(
        quiz(
            "<usecase>1</usecase>" + answer("*aris", "50") + answer("Par\\*is", "100") + answer("*", "0", "no"),
            "shortanswer",
        )
    )

    assert data["accept"] == [{"is": "Par*is"}, {"regex": ".*aris", "credit": "50"}]
    assert (data["match"], data["otherwise"]) == ({"case": "exact"}, "no")


def test_numerical():
    """Tolerance, a unit, what everything else is told; further units are reported."""
    tolerance = "<tolerance>0.01</tolerance>"
    units = (
        "<units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit>"
        "<unit><multiplier>100</multiplier><unit_name>cm</unit_name></unit></units>"
    )
    result, notes = imported(quiz(answer("9.810", "100", "y", tolerance) + answer("*", "0", "n") + units, "numerical"))
    data = writer.question_data(result.questions[0])

    assert data["answers"] == [{"value": "9.810", "abs": "0.01", "why": "y"}]
    assert (data["unit"], data["otherwise"]) == ("m", "n")
    assert notes == ["f:2: the units cm are not taken; one unit is all that a question has"]


def test_matching_with_a_distractor():
    """A subquestion without text is a distractor."""
    pairs = "".join(
        f"<subquestion><text>{left}</text><answer><text>{right}</text></answer></subquestion>"
        for left, right in (("a", "1"), ("b", "2"), ("", "3"))
    )
    (data,) = questions(quiz(pairs, "matching"))

    assert data["pairs"] == [{"left": "a", "right": "1"}, {"left": "b", "right": "2"}]
    assert data["distractors"] == ["3"]


def test_essay_and_description():
    """What graders are told is the model answer."""
    (data,) = questions(quiz("<graderinfo><text>Look for X</text></graderinfo>", "essay"))
    assert (data["type"], data["answer"]) == ("self", "Look for X")
    assert questions(quiz("", "description"))[0]["type"] == "info"


def test_cloze_of_all_kinds():
    """Numbers with tolerance, choices with credits and escapes, texts with alternatives."""
    text = (
        r"<![CDATA[<p>Add {1:NUMERICAL:=5:0.1#ok~%50%6:0.1#near~*#no}"
        r" and {1:MC:Berlin~%50%Bonn#no\}pe~=Paris &#126;#Yes}"
        r" and {:SA:=word~=w\#2} [[x]] {1:SHORTANSWER_C:=Aa}</p>]]>"
    )
    result, notes = imported(quiz("", "cloze").replace("<text>Q</text>", f"<text>{text}</text>"))
    data = writer.question_data(result.questions[0])

    assert notes == []
    assert data["prompt"] == "Add [[b1]] and [[b2]] and [[b3]] [ [x]] [[b4]]"
    assert data["blanks"]["b1"]["otherwise"] == "no"
    assert data["blanks"]["b2"]["options"] == [
        {"text": "Berlin"},
        {"text": "Bonn", "credit": "50", "why": "no}pe"},
        {"text": "Paris ~", "correct": True, "why": "Yes"},
    ]
    assert data["blanks"]["b3"]["accept"] == [{"is": "word"}, {"is": "w#2"}]
    assert data["blanks"]["b4"]["match"] == {"case": "exact"}


@pytest.mark.parametrize(
    ("kind", "inner", "note"),
    [
        ("ddwtos", "", "dragging onto a text or a picture has no counterpart; write it as a cloze question"),
        ("calculated", "", "its data sets are not read; write it as a numeric question with `params`"),
        ("random", "", "it only points at other questions; write a pool"),
        ("odd", "", "a question of type `odd`; known are cloze, description,"),
        (
            "multichoice",
            answer("a", "0") + answer("b", "0"),
            "no option earns 100 percent; one must be right",
        ),
        ("multichoice", answer("a", "x"), "the weight `x` is no number from -100 to 100"),
        (
            "truefalse",
            answer("yes", "100"),
            "the answers of a true/false question are yes; true and false are expected",
        ),
        (
            "numerical",
            answer("abc", "100"),
            "`abc` is no number; a number such as 3, 0.125 or -1e-4 is expected",
        ),
        ("cloze", "", "a cloze question without a gap such as {1:SHORTANSWER:=text}"),
    ],
)
def test_what_cannot_be_taken_is_named_by_line(kind, inner, note):
    """The others in the file are taken all the same."""
    bad = quiz(inner, kind).partition("<quiz>")[2]
    good = quiz(answer("true", 100) + answer("false", 0), "truefalse").replace("</quiz>", "\n")
    result, notes = imported(good + bad)

    assert [question.type for question in result.questions] == ["truefalse"]
    assert len(notes) == 1
    assert notes[0].startswith("f:3: not imported: ")
    assert note in notes[0]


def test_files_are_reported():
    """A picture in a foreign file is not taken, and that is said."""
    inner = '<file name="x.png" encoding="base64">aGk=</file>' + answer("a", 100) + answer("b", 0)

    assert imported(quiz(inner))[1] == [
        "f:2: its pictures or other files are not taken; their descriptions stand in the text"
    ]


def test_shares_and_penalty():
    """Three attempts are a third of the points each time."""
    root = tree(bank("  - {id: a, type: text, prompt: P, attempts: 3, points: 2.5, accept: [{is: x}]}\n"))
    question = root.findall("question")[1]

    assert (question.findtext("penalty"), question.findtext("defaultgrade")) == ("0.3333333", "2.5")
