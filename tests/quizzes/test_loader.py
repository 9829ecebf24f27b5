"""Reading banks: every trap that YAML and text files set is met with a place, a code and a fix."""

from __future__ import annotations

import os

import pytest
import yaml
from bankkit import HEAD, bank_of, bank_text, found

from quizzes.loader import load, load_bytes
from quizzes.source import UnreadableError, read_bytes
from quizzes.tree import MAX_SCALAR, PURE_LOADER

TEXT = "  - id: a\n    type: text\n"
SINGLE = "  - id: a\n    type: single\n    prompt: P\n    options:\n"


def text_question(prompt, rest="    accept: [{is: a}]\n"):
    """Return a bank whose prompt, on line 7, is written just so."""
    return HEAD + TEXT + f"    prompt: {prompt}\n" + rest


@pytest.fixture(params=["fast", "pure"])
def loader(request):
    """Each of PyYAML's two parsers."""
    return None if request.param == "fast" else PURE_LOADER


@pytest.mark.parametrize(
    "word",
    [
        "NO",
        "yes",
        "on",
        "True",
        "~",
        "null",
        "1_000",
        "0777",
        "0x1F",
        "22:22",
        "1e3",
        "0.10",
        "00012",
        "2024-13-45",
        "=",
        "1.",
    ],
)
def test_a_text_stays_as_it_was_typed(word, loader):
    """No word in a text field turns into a truth value, a number, a date or nothing."""
    bank = load_bytes(text_question(word).encode(), loader=loader).bank
    assert word == bank.questions[0].prompt


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "True", "TRUE", "1", "~"])
def test_a_flag_is_true_or_false_and_nothing_else(word):
    """YAML's other words for true and false are refused where a flag stands, at the word."""
    text = HEAD + SINGLE + f"      - {{text: x, correct: {word}, why: w}}\n      - {{text: y, correct: true, why: w}}\n"
    assert ("E08", 9, 28) in found(text)


@pytest.mark.parametrize(
    "number", ["0777", "1_000", "08", "0x1F", "0b101", "1:30", ".5", "5.", "1/8", "one", "1" * 5000, "1e9999"]
)
def test_a_number_is_a_decimal_number(number):
    """A key that is no plain decimal number is E17 at the number, whatever YAML or Python would make of it."""
    text = HEAD + f"  - id: a\n    type: numeric\n    prompt: P\n    answers: [{{value: {number}, abs: 1}}]\n"
    problems = [one for one in found(text) if one[0] == "E17"]
    assert [("E17", 8, 23)] == problems


def test_a_number_keeps_its_digits():
    """0.10 and 1e3 are shown as their author wrote them, and are worth what they say."""
    bank = bank_of("- id: a\n  type: numeric\n  prompt: P\n  answers: [{value: 0.10, abs: 1e-3}, {value: 1e3}]")
    first, second = bank.questions[0].rule.answers
    assert ("0.10", "1e-3", "1e3") == (first.value.text, first.abs.text, second.value.text)
    assert second.value.value == 1000


SYMBOLS = [
    "`x` is",
    "@x",
    "%x",
    "? x",
    "|x| is",
    ">x is",
    "[a] b",
    "{a} b",
    '"a" is b',
    "'a' is b",
    "- x",
    "What is it: a or b?",
]


@pytest.mark.parametrize("prompt", SYMBOLS)
def test_a_text_that_begins_with_a_symbol_is_one_error_on_its_line(prompt, loader):
    """What breaks the syntax is E02 on the line where it stands, and the fix is to quote the text."""
    loaded = load_bytes(text_question(prompt).encode(), loader=loader)
    problem = next(one for one in loaded.problems if one.code == "E02")
    assert 7 == problem.line
    assert "quote" in problem.fix


@pytest.mark.parametrize(
    "prompt",
    ["*ptr", "*ptr is", "&ref", "&ref x", "!x y", "! y", "!!python/name:os.system", "!!set {a}", "!!int x"],
)
def test_aliases_anchors_and_tags_are_refused_where_they_stand(prompt, loader):
    """E04, at the symbol, and the text is never taken for something else."""
    loaded = load_bytes(text_question(prompt).encode(), loader=loader)
    assert ("E04", 7, 13) in [(one.code, one.line, one.column) for one in loaded.problems]
    assert loaded.bank is None


def test_both_parsers_report_the_same():
    """The words and places of every fault are the same whichever parser the machine has."""
    for prompt in [
        *SYMBOLS,
        "*ptr is",
        "a\n   b: c",
        '"\\x"',
        '"\\ud800"',
        '"\\U00110000"',
        '"\\UFFFFFFFF"',
        "'open",
        "[open",
        "[" * 3000,
        "{a: " * 100,
    ]:
        text = text_question(prompt).encode()
        assert load_bytes(text).report == load_bytes(text, loader=PURE_LOADER).report


def test_a_key_that_is_there_twice_names_both_lines(loader):
    """E03 at the second one."""
    loaded = load_bytes(text_question("a\n    prompt: b").encode(), loader=loader)
    problem = next(iter(loaded.problems))
    assert ("E03", 8, 5) == (problem.code, problem.line, problem.column)
    assert "line 7" in problem.message


def test_keys_that_are_no_words_are_unknown_keys():
    """`1:` and `true:` are two unknown keys, not one that swallows the other."""
    text = text_question("a\n    1: x\n    true: y")
    assert [("E06", 8, 5), ("E06", 9, 5)] == found(text)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", ("E04", 1, 4)),
        (b"&a [*a]", ("E04", 1, 1)),
        (b"[" * 500, ("E05", 1, 33)),
        (b"[" * 5000 + b"]" * 5000, ("E05", 1, 33)),
        (b"- " * 5000, ("E05", 1, 65)),
        (b"{a: " * 5000, ("E05", 1, 126)),
        (b"a: " + b"x" * (MAX_SCALAR + 1), ("E05", 1, 4)),
        (b"#" * (4 * 1024 * 1024 + 1), ("E05", 1, 1)),
    ],
)
def test_bombs_are_refused_without_being_unfolded(data, place):
    """Aliases, depth, long texts and large files end with a place, not with the memory."""
    assert place in found(data)


def test_a_second_document_and_a_directive_are_refused():
    """E04 at the line that begins them."""
    assert [("E04", 9, 1)] == found(text_question("a") + "---\nx: 1\n", deep=False)
    assert ("E04", 1, 1) in found("%YAML 1.1\n---\n" + text_question("a"))


def test_a_document_marker_around_one_document_is_fine():
    """`---` before and `...` after the only document change nothing."""
    assert [] == found("---\n" + text_question("a") + "...\n")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n", "\ufeff"])
def test_an_empty_file_says_so(text):
    """E07 at its beginning."""
    assert [("E07", 1, 1)] == found(text)


def test_merge_keys_are_refused():
    """E04 at `<<`."""
    assert ("E04", 8, 5) in found(text_question("a\n    <<: {x: y}"))


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (text_question("it\u2019s caf\u00e9").encode("cp1252"), "E01", 7, 15),
        (text_question("a").encode("utf-16"), "E01", 1, 1),
        (text_question("a").encode("utf-16-le"), "E01", 1, 2),
        (text_question("a\x00b").encode(), "E01", 7, 14),
        (text_question("a\x07b").encode(), "E01", 7, 14),
        (text_question("a\x1b[2Jb").encode(), "E01", 7, 14),
        (text_question("a\x85b").encode(), "E01", 7, 14),
        (text_question("a\u2028b").encode(), "E01", 7, 14),
        (text_question("a\u200bb").encode(), "E01", 7, 14),
        (text_question("a\u202eb").encode(), "E01", 7, 14),
        (text_question("a").encode() + b"    ref: \xc0\xaf\n", "E01", 9, 10),
        ((HEAD + TEXT + " \u00a0  prompt: a\n").encode(), "E01", 7, 2),
        (text_question('"\\nabla \\beta"').encode(), "E01", 7, 13),
        (text_question('"a\\e[31m"').encode(), "E01", 7, 13),
        (text_question('"a\\u202eb"').encode(), "E01", 7, 13),
        (text_question('"a\\u200bb"').encode(), "E01", 7, 13),
        (text_question('"a\\u2066b"').encode(), "E01", 7, 13),
        (text_question('"a\\Lb"').encode(), "E01", 7, 13),
        (text_question('"a\\U000E0041b"').encode(), "E01", 7, 13),
        (text_question("a\U000e0041b").encode(), "E01", 7, 14),
        (text_question("\u0434\u043b\u0438\u043d\u0430 \u00fc" * 9).encode("utf-16-le"), "E01", 1, 2),
        (text_question("\u0434\u043b\u0438\u043d\u0430 \u00fc" * 9).encode("utf-16-be"), "E01", 1, 1),
    ],
)
def test_characters_that_nobody_can_see_are_refused(data, code, line, column):
    """Wrong encodings, control characters and invisible ones are E01 at the character."""
    assert (code, line, column) in found(data)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("prompt", ["plain", "it\u2019s caf\u00e9", "\u0434\u043b\u0438\u043d\u0430 " * 20])
def test_utf_16_without_a_mark_is_named(encoding, prompt):
    """A file full of zero bytes is said to be UTF-16, once, whatever else its bytes may look like."""
    problems = list(load_bytes(text_question(prompt).encode(encoding)).problems)
    assert ["E01"] == [one.code for one in problems]
    assert "UTF-16" in problems[0].message


def test_a_wrong_encoding_is_named():
    """A file in Windows-1252 is said to be one, with the byte and what it stands for."""
    report = load_bytes(text_question("it\u2019s").encode("cp1252")).report
    assert "byte 0x92" in report
    assert "Windows-1252" in report


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_kinds_count_alike(ending):
    """The line of a problem is the line that an editor shows."""
    text = text_question("a") + "    extra: 1\n"
    assert [("E06", 9, 5)] == found(text.replace("\n", ending).encode())


def test_a_byte_order_mark_is_no_problem():
    """Editors on Windows put one before the text."""
    assert [] == found(b"\xef\xbb\xbf" + text_question("a").encode())


def test_a_comma_in_brackets_is_noticed():
    """`[(B, T), (T, B)]` is four texts to YAML and two to its author."""
    text = HEAD + "  - id: a\n    type: order\n    prompt: p\n    items: [(B, T), (T, B)]\n"
    assert ("E08", 8, 13) in found(text)


def test_a_colon_in_a_list_item_is_noticed():
    """A text that became a mapping is shown with quotes around it."""
    loaded = load_bytes(bank_text("- id: a\n  type: order\n  items:\n    - softmax: over keys\n    - b").encode())
    problem = next(iter(loaded.problems))
    assert ("E08", 8, 9) == (problem.code, problem.line, problem.column)
    assert "'softmax: over keys'" in problem.fix


def test_a_missing_space_after_a_colon_is_noticed():
    """`{text:x}` is one key without a value to YAML."""
    report = load_bytes(
        (HEAD + SINGLE + "      - {text:x, why: w}\n      - {text: y, why: w, correct: true}\n").encode()
    ).report
    assert "put a space after the colon" in report


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("- id: a\n  type:self\n  prompt: x\n  answer: y", (6, 5)),
        ("- id: a\n  type:self\n- id: b\n  type: self", (6, 5)),
        ("- id: a\n  type:self", (6, 5)),
        ("- id:a\n  type: self", (5, 5)),
        ("- id: a\n  options:\n    - text:foo\n\n      why: x", (7, 9)),
        ("- type:self", (5, 5)),
    ],
)
def test_a_missing_space_after_a_key_is_found_on_its_line(question, place, loader):
    """`type:self` is a text to YAML, which stumbles a line later; the problem is where the space is missing."""
    loaded = load_bytes(bank_text(question).encode(), loader=loader)
    assert [(*place, "put a space after the colon")] == [(one.line, one.column, one.fix) for one in loaded.problems]


@pytest.mark.parametrize(
    ("option", "column", "fix"),
    [
        ("{text: Q[i] @ K[j], why: w}", 21, "text: 'Q[i] @ K[j]'"),
        ("{text: a: b, why: w}", 17, "text: 'a: b'"),
        ('{text: "a" b, why: w}', 20, "text: '\"a\" b'"),
        ("{text: 'it's', why: w}", 20, "text: 'it''s'"),
        ("{text: print([1])}", 22, "text: 'print([1])'"),
        ("{text: [a] b, why: w}", 20, "text: '[a] b'"),
        ("{text: {d}, why: w}", 16, "quote the text: '{d}'"),
        ("{text: b why: w}", 21, "put a comma before `why:`"),
        ("{text: b, why: w]", 25, "write `}`"),
        ("{text: b, why: w}}", 26, "remove it"),
        ("{text: b, why: w", 9, "add the `}` where it ends"),
    ],
)
def test_what_is_wrong_in_brackets_is_mended_there(option, column, fix, loader):
    """The fix is about the text inside, or the bracket that was opened; it never makes a text of a whole option."""
    text = HEAD + SINGLE + f"      - {option}\n      - {{text: y, why: w, correct: true}}\n  - id: b\n"
    problem = next(iter(load_bytes(text.encode(), loader=loader).problems))
    assert (9, column) == (problem.line, problem.column)
    assert fix in problem.fix
    assert "'{text" not in problem.fix


@pytest.mark.parametrize(
    ("prompt", "place"),
    [("a\n  b c", (8, 3)), ("a\n b c", (8, 2)), ("|\n    x = 1\n    y", (8, 5)), ("|\n  x = 1", (8, 3))],
)
def test_a_text_that_is_indented_too_little_is_named_on_its_line(prompt, place, loader):
    """The line that falls out of a text is at fault, not the key after it."""
    problem = next(iter(load_bytes(text_question(prompt).encode(), loader=loader).problems))
    assert (*place, "E02") == (problem.line, problem.column, problem.code)
    assert "indented too little" in problem.message


def test_a_colon_too_many_is_not_blamed_on_the_line_before():
    """A text with a second colon is E02 on its own line, whatever stands before it."""
    text = text_question("|\n      x:y\n    title: a: b")
    assert ("E02", 9, 13) in found(text, deep=False)


def test_what_one_parser_reads_and_the_other_does_not_is_an_error():
    """A question mark in braces, or a tab at a line's end, works on some machines only; the check says so."""
    if not hasattr(yaml, "CSafeLoader"):
        pytest.skip("there is only one parser here")
    text = HEAD + SINGLE + "      - {text: Why?, why: w, correct: true}\n      - {text: b, why: w}\n"
    assert [] == found(text, deep=False)
    assert ("E02", 9, 19) in found(text)
    assert "E02" in [code for code, _, _ in found(text_question("a\t"))]


@pytest.mark.parametrize(
    ("prompt", "code"),
    [
        ("(B, T) # not (T, B)", "L15"),
        (">\n      import numpy\n      x = 1", "L16"),
        ('"\\theta is an angle"', "L17"),
    ],
)
def test_texts_that_yaml_changed_silently_are_warned_about(prompt, code):
    """A cut at ` #`, code joined by `>`, and LaTeX in double quotes are valid and wrong."""
    assert [(code, 7, 13)] == found(text_question(prompt))


def test_every_problem_is_reported_at_once():
    """One run finds a wrong key in one question, a missing one in another and a wrong kind in a third."""
    text = bank_text(
        """
- {id: a, type: info, prompt: x, foo: 1}
- {id: b, type: info}
- {id: c, type: info, prompt: [x]}
- {id: a b, type: nothing}
- {id: d, type: info, prompt: fine}
"""
    )
    assert [("E06", 5, 36), ("E07", 6, 5), ("E08", 7, 33), ("E10", 8, 10), ("E09", 8, 21)] == found(text)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("schema: quizbank/2\nbank: x\n", "E09", "upgrade"),
        (
            "schema: other\nbank: x\ntitle: T\nquestions: [{id: a, type: info, prompt: p}]\n",
            "E09",
            "quizbank/1",
        ),
        (bank_text("- {id: a, type: singel, prompt: p, options: []}"), "E09", "did you mean `single`"),
        (bank_text("- {id: a, prompt: p, options: []}"), "E09", "`single`"),
        (bank_text("- {id: a, type: info, promt: p}"), "E06", "did you mean `prompt`"),
        (bank_text("- {id: a, type: info, prompt: p, options: []}"), "E06", "single, multiple"),
        (bank_text("- {id: A1, type: info, prompt: p}"), "E10", "small letter"),
    ],
)
def test_messages_say_what_was_meant(text, code, words):
    """A slip is answered with the nearest name, or with whose key it is."""
    loaded = load_bytes(text.encode())
    shown = [f"{one.message} {one.fix}" for one in loaded.problems if one.code == code]
    assert any(words in one for one in shown), loaded.report


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("{id: a, type: singel, prompt: p, options: [{text: x, why: w}, {text: y, why: v}]}", "E11"),
        ("{id: a, type: numerc, prompt: p, answers: [{value: 0x1F}]}", "E17"),
        ("{id: a, type: truefals, answer: true}", "E07"),
        ("{id: a, type: gaps, prompt: 'x [[y]]', blanks: {z: {type: text, accept: [{is: q}]}}}", "E16"),
    ],
)
def test_a_misspelled_type_hides_nothing(question, code):
    """What else is wrong with the question is reported beside E09, as of the type that was meant."""
    assert {"E09", code} <= {one for one, _, _ in found(bank_text(f"- {question}"))}


def test_the_report_shows_line_caret_and_fix():
    """A problem is file:line:column, code, the line, a caret under the place, and the fix."""
    report = load_bytes(b"schema: quizbank/1\nbank: Big\n", "my.yaml").report
    expected = "my.yaml:2:7: E10 error: `bank` is `Big`\n    bank: Big\n          ^\n    fix: use a small letter"
    assert expected in report


def test_the_caret_stands_under_the_place_in_long_and_wide_lines():
    """A long line is cut around the place, and wide characters take two columns."""
    line = load_bytes(
        (
            "schema: quizbank/1\nbank: x\ntitle: T\nquestions: [{id: a, type: info, prompt: p, title: "
            + "漢" * 60
            + ", x: 1}]\n"
        ).encode()
    ).report
    shown, caret = line.split("\n")[1:3]
    before = shown[: shown.rindex("x: 1")]
    assert caret.index("^") == sum(2 if one == "漢" else 1 for one in before)


def test_terminal_escapes_in_a_bank_never_reach_the_report():
    """A report shows a control character as a question mark or a code, never raw."""
    report = load_bytes(text_question("a\x1b]0;owned\x07b").encode(), "x\x1b[2J.yaml").report
    assert "\x1b" not in report
    assert "\x07" not in report


def test_only_regular_files_are_read(tmp_path):
    """A folder, a pipe, a device, a missing and an unreadable file each end with a sentence, and at once."""
    os.mkfifo(tmp_path / "pipe")
    for path, word in [
        (tmp_path, "folder"),
        (tmp_path / "pipe", "pipe"),
        ("/dev/zero", "device"),
        (tmp_path / "no", "no such file"),
    ]:
        with pytest.raises(UnreadableError, match=word):
            read_bytes(type(tmp_path)(path))


def test_an_unreadable_file_says_so(tmp_path):
    """A file without permission is named with the system's reason."""
    path = tmp_path / "secret.yaml"
    path.write_text("x")
    path.chmod(0)
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    with pytest.raises(UnreadableError, match="Permission denied"):
        load(path)
