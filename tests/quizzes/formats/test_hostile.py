"""Files from anywhere: no traceback, a place in every message, and a limit to what a file may cost."""

from __future__ import annotations

import subprocess
import sys

import pytest
from formatkit import bank_of, imported, questions
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes import formats
from quizzes.formats import markup
from quizzes.model import ImportFailedError

MIB = 1024 * 1024


def fault(data, kind="auto"):
    """Return the message with which a file is refused."""
    with pytest.raises(ImportFailedError) as caught:
        formats.import_bank(data if isinstance(data, bytes) else data.encode(), kind, "x", "f")
    return str(caught.value)


# Encodings

TEXT = "Caf\u00e9 \u201eja\u201c?{T#na\u00efve#gut}\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
    ],
    ids=["utf-8", "mark", "crlf", "cr", "utf-16", "utf-16-le", "utf-16-be"],
)
def test_encodings_that_need_no_word(data):
    """UTF-8 with and without a mark, UTF-16, and line ends of every kind."""
    (question,) = questions(data)

    assert question["prompt"] == "Caf\u00e9 \u201eja\u201c?"
    assert question["why_false"] == "na\u00efve"


def test_windows_1252_is_guessed_and_said():
    """Old files are read, and the first byte that was guessed is named by line."""
    result, notes = imported(b"a{T}\r\n\r\n" + TEXT.encode("cp1252"))

    assert result.questions[1].prompt == "Caf\u00e9 \u201eja\u201c?"
    assert notes == ["f:3: byte 0xE9 is not UTF-8; read as Windows-1252, so look at accents and quotes"]


def test_xml_in_other_encodings():
    """What the file says of its encoding is believed, whether or not it is so."""
    text = (
        '<?xml version="1.0" encoding="{}"?>\n'
        '<quiz><question type="truefalse"><questiontext><text>Caf\u00e9</text>'
        '</questiontext><answer fraction="100"><text>true</text></answer>'
        '<answer fraction="0"><text>false</text></answer></question></quiz>'
    )
    for encoding in ("utf-8", "iso-8859-1", "windows-1252", "utf-16"):
        assert questions(text.format(encoding).encode(encoding), "moodle-xml")[0]["prompt"] == "Caf\u00e9"
    assert fault(text.format("klingon"), "moodle-xml").startswith("f:1: ")


def test_encodings_that_cannot_be_read():
    """What is no text is refused with its place."""
    assert fault(b"a{T}\n\x81\x8d") == "f:2: byte 0x81 is not UTF-8; save the file as UTF-8"
    assert fault(b"a{T}\n\0{F}", "gift") == "f:2: a zero byte; a text file is expected, this looks like something else"
    assert fault(TEXT.encode("utf-32")) == "f: the file is UTF-32; save it as UTF-8"
    assert fault(b"\xff\xfea\0\xd8", "gift") == "f: the file begins as utf-16 but breaks at byte 4; save it as UTF-8"


# What a file may cost


@pytest.mark.parametrize("kind", ["gift", "aiken", "moodle-xml", "jupyterquiz", "qti", "anki"])
def test_size_is_capped(kind):
    """More than eight mebibytes are no quiz."""
    data = (b"PK" if kind == "qti" else b"") + b"x" * (8 * MIB + 1)

    assert fault(data, kind) == "f: the file is larger than 8388608 bytes; split it into several"


@pytest.mark.parametrize("kind", ["gift", "aiken", "moodle-xml", "jupyterquiz"])
def test_nothing_is_said_to_be_nothing(kind):
    """An empty file is named as one."""
    assert fault(b" \n", kind) == "f: the file is empty; a file with questions is expected"


def test_number_of_questions_is_capped():
    """Thousands of questions are a mistake or an attack."""
    assert fault("a{T}\n\n" * 5001) == "f:10001: more than 5000 questions; split the file"


def test_number_of_answers_is_capped():
    """Nobody reads a thousand options."""
    assert "501 answers; 500 are the most" in fault("a{=b" + "~c" * 500 + "}")


def test_depth_is_capped():
    """Nesting that no quiz has is refused, in JSON, in XML and in a forged copy."""
    assert fault("[" * 100_000) == "f:1: values are nested too deep; no quiz needs that"
    assert fault("<a>\n" * 1000) == "f:41: elements are nested deeper than 40; no quiz needs that"
    nested = '[{"quizbank": {"hash": ' + "[" * 900 + "]" * 900 + "}}]"
    assert "nested too deep" in fault(nested) or "the type is missing" in fault(nested)


@pytest.mark.parametrize(
    "data",
    [
        '<?xml version="1.0"?>\n<!DOCTYPE q [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<quiz>&b;</quiz>',
        '<?xml version="1.0"?>\n<!DOCTYPE q SYSTEM "file:///etc/passwd">\n<quiz/>',
        '<?xml version="1.0"?>\n<!DOCTYPE q [<!ENTITY x SYSTEM "file:///etc/passwd">]><quiz>&x;</quiz>',
        '<?xml version="1.0"?>\n<!DOCTYPE q [<!ENTITY % x SYSTEM "http://x.example/">%x;]><quiz/>',
    ],
)
def test_entities_and_document_types_are_refused(data):
    """Bombs, files and addresses: refused before anything is expanded or opened."""
    assert fault(data) == (
        "f:2: a document type or an entity; a quiz needs none, and they can be used to attack: remove it"
    )


def test_broken_xml_is_named_by_line_and_column():
    """What the parser says, where it says it."""
    assert fault("<quiz>\n<question>\n</quiz>") == "f:3: this is not XML at column 3: mismatched tag"
    assert fault("<html/>") == "f:1: the root element is `html`; Moodle XML begins with `quiz`"
    assert fault("<quiz>&nbsp;</quiz>") == "f:1: this is not XML at column 7: undefined entity"


def test_nothing_of_the_formats_needs_a_library_to_be_imported():
    """Exporting reads no XML, so it needs nothing that is not installed anyway."""
    code = (
        "import sys, quizzes.formats.qti, quizzes.formats.moodle, quizzes.formats.anki\n"
        "unwanted = {'defusedxml', 'numpy', 'pytest', 'genanki', 'grader', 'html.parser'}\n"
        "print(sorted(unwanted & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


# Whatever is in them


def test_formats_are_recognised_or_asked_for():
    """What looks like nothing is not guessed."""
    assert formats.recognised(b"a{T}") == "gift"
    assert formats.recognised(b"[html]a{T}") == "gift"
    assert formats.recognised(b"q\nA. x\nB. y\nANSWER: A") == "aiken"
    assert formats.recognised(b"[]") == "jupyterquiz"
    assert formats.recognised(b"\xef\xbb\xbf <quiz/>") == "moodle-xml"
    assert "this is a bank already" in fault(b"# mine\nschema: quizbank/1\nbank: x\n{}")
    assert fault(b"just words") == (
        "f: the file looks like no known format; name it with --from gift, aiken, moodle-xml or jupyterquiz"
    )


def test_control_and_hidden_characters_are_dropped():
    """Characters that a bank must not hold do not get into it, nor into a message."""
    result, notes = imported("a\u200bb\x07{=x\u202ey ~z\x85}\n\n::\x1b[31m::q{=\x1b\n")

    assert result.questions[0].prompt == "ab"
    assert result.questions[0].options[0].text == "xy"
    assert all("\x1b" not in note for note in notes)


def test_html_is_undone_whatever_it_is():
    """Broken HTML, declarations, scripts and entities become text, in time that grows with the text alone."""
    assert markup.to_text("<p>a<p>b<br>c</div></p><script>x()</script>&amp;&nbsp;&#169;") == "a\n\nb\nc\n\n& \u00a9"
    assert markup.to_text("<![x <!y <?z a<b <") == "<![x <!y <?z a<b <"
    for piece in ("<a ", '<a b="', "<!--", "<![", "<", "<pre>", "&#"):
        assert isinstance(markup.to_text(piece * 20_000), str)


_PIECES = st.sampled_from(
    [
        "{",
        "}",
        "=",
        "~",
        "#",
        "%50%",
        "%",
        "->",
        "\\",
        "::",
        "\n",
        "\n\n",
        "T",
        "1",
        "..",
        ":",
        "*",
        "[html]",
        "<b>",
        "</b>",
        "&lt;",
        "//",
        "####",
        " ",
        "a",
        "[[x]]",
        "$CATEGORY: ",
        "A. ",
        "ANSWER: A",
        "\u00e9",
        "\x00",
        '"',
        "[",
        "]",
        ",",
        '{"question": ',
        '"answers"',
        "<question type='cloze'>",
        "{1:SA:=a}",
        "</question>",
        "<text>",
        "</text>",
        "<quiz>",
        "// quizbank: {}",
        "1e999",
        "nan",
    ]
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(_PIECES, max_size=40).map("".join),
    st.sampled_from(["gift", "aiken", "jupyterquiz", "moodle-xml", "auto"]),
)
def test_anything_makes_a_valid_bank_or_a_message(text, kind):
    """No file makes a traceback; what is made passes `quiz check`."""
    try:
        result = formats.import_bank(text.encode(), kind, "x", "f")
    except ImportFailedError as error:
        message = str(error)
    else:
        message = "f"
        bank_of(result.text)

    assert message.startswith("f")
