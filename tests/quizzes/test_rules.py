"""Whether a bank makes sense: one bank for each error and each warning, and none for what is fine."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import pytest
from bankkit import HEAD, bank_of, bank_text, codes, found

from quizzes import fields, keys
from quizzes.checking import check_bytes, check_file
from quizzes.loader import read_bank
from quizzes.problems import MAX_COMPARED, BankError
from quizzes.writer import to_data, to_yaml

GOOD = "- {id: a, type: single, prompt: p, options: [{text: x, correct: true, why: w}, {text: y, why: v}]}"


def single(options, more=""):
    """Return a single-choice question with these options, each on a line of its own from line 9 on."""
    lines = "\n".join(f"    - {{{option}}}" for option in options)
    return bank_text(f"- id: a\n  type: single\n  prompt: p\n  options:\n{lines}\n{more}")


def numeric(answers, more=""):
    """Return a numeric question whose answers stand on line 8."""
    return bank_text(f"- id: a\n  type: numeric\n  prompt: p\n  answers: [{answers}]\n{more}")


def text(accept, more=""):
    """Return a text question whose accepted texts stand on line 8."""
    return bank_text(f"- id: a\n  type: text\n  prompt: p\n  accept: [{accept}]\n{more}")


RIGHT, WRONG = "text: x, correct: true, why: w", "text: y, why: v"

ERRORS = [
    ("two questions of one id", bank_text(GOOD + "\n" + GOOD), ("E10", 6, 10)),
    ("two options of one id", single([RIGHT + ", id: o", WRONG + ", id: o"]), ("E10", 10, 31)),
    ("no correct option", single([WRONG, "text: z, why: u"]), ("E11", 9, 7)),
    ("two correct options", single([RIGHT, "text: z, correct: true, why: u"]), ("E12", 10, 9)),
    ("a wrong option that earns all", single([RIGHT, WRONG + ", credit: 100"]), ("E12", 10, 35)),
    ("options that read alike", single([RIGHT, WRONG, "text: ' y ', why: u"]), ("E13", 11, 16)),
    ("options that differ in kind of quotes", single([RIGHT, 'text: "\'a\'", why: v', "text: \u2018a\u2019, why: u"]), ("E13", 11, 16)),
    ("one option", single([RIGHT]), ("E14", 9, 7)),
    ("an option without a reason", single([RIGHT, "text: y"]), ("E15", 10, 9)),
    ("a key that does not earn all", single([RIGHT + ", credit: 50", WRONG]), ("E26", 9, 50)),
    ("a blank that is not listed", bank_text("- id: a\n  type: cloze\n  prompt: x [[n]] [[m]]\n  blanks: {n: {type: text, accept: [{is: q}]}}"), ("E16", 7, 13)),
    ("a listed blank that is not there", bank_text("- id: a\n  type: cloze\n  prompt: x\n  blanks: {n: {type: text, accept: [{is: q}]}}"), ("E16", 8, 17)),
    ("a blank that is there twice", bank_text("- id: a\n  type: cloze\n  prompt: '[[n]] [[n]]'\n  blanks: {n: {type: text, accept: [{is: q}]}}"), ("E16", 7, 13)),
    ("no blanks at all", bank_text("- {id: a, type: cloze, prompt: x, blanks: {}}"), ("E07", 5, 45)),
    ("no tolerance on a fraction", numeric("{value: 0.5}"), ("E17", 8, 15)),
    ("a relative tolerance of zero", numeric("{value: 0, rel: 0.1}"), ("E17", 8, 31)),
    ("a negative tolerance", numeric("{value: 1, abs: -1}"), ("E17", 8, 31)),
    ("an infinite tolerance", numeric("{value: 1, abs: inf}"), ("E17", 8, 31)),
    ("a formula that divides by zero", numeric("{expr: 1/0, abs: 0}"), ("E17", 8, 22)),
    ("a formula that is code", numeric("{expr: '__import__(\"os\")', abs: 0}"), ("E17", 8, 22)),
    ("a formula that explodes", numeric("{expr: 9**9**9**9, abs: 0}"), ("E17", 8, 22)),
    ("a formula of params that are not there", numeric("{expr: 2*d, abs: 0}", "  params: {}"), ("E17", 8, 22)),
    ("a formula in a blank that has no value", bank_text("- id: a\n  type: cloze\n  prompt: '[[n]]'\n  blanks: {n: {type: numeric, answers: [{expr: log(0), abs: 0}]}}"), ("E17", 8, 50)),
    ("no tolerance on a formula's fraction", numeric("{expr: 1/8}"), ("E17", 8, 15)),
    ("a tolerance narrower than what is shown", numeric("{expr: 1/3, abs: 0}"), ("E17", 8, 15)),
    ("formulas whose ranges meet", numeric("{expr: 1/8, abs: 0.1}, {value: 0.125, abs: 0, credit: 0}"), ("E18", 8, 38)),
    ("no way to type a number", numeric("{value: 1}", "  accept: []"), ("E07", 9, 13)),
    ("ranges that meet", numeric("{value: 1, abs: 1}, {value: 2.5, abs: 0.5, credit: 50}"), ("E18", 8, 35)),
    ("a pattern that is none", text("{is: ab}, {regex: '(a'}"), ("E19", 8, 32)),
    ("a pattern that accepts nothing", text("{is: ab}, {regex: 'a*'}"), ("E19", 8, 32)),
    ("a pattern that explodes", text("{is: ab}, {regex: '(a+)+b'}"), ("E19", 8, 32)),
    ("a pattern that no evened-out answer fits", text("{is: ab}, {regex: '1\u20139'}"), ("E19", 8, 32)),
    ("a pattern of many optional parts", text("{is: ab}, {regex: '" + "a?" * 40 + "a'}"), ("E19", 8, 32)),
    ("a pattern that refers back", text("{is: ab}, {regex: '(a)\\1'}"), ("E19", 8, 32)),
    ("texts that are the same once folded", text("{is: Softmax}, {is: ' soft\u2010max '}, {is: softmax}"), ("E20", 8, 54)),
    ("equal items", bank_text("- id: a\n  type: order\n  items: [x, y, x]"), ("E21", 7, 19)),
    ("equal lefts", bank_text("- id: a\n  type: match\n  pairs: [{left: x, right: q}, {left: x, right: r}]"), ("E21", 7, 41)),
    ("a distractor that is a right", bank_text("- id: a\n  type: match\n  pairs: [{left: x, right: q}, {left: y, right: r}]\n  distractors: [q]"), ("E21", 8, 19)),
    ("an unknown objective", bank_text("- {id: a, type: info, prompt: p, objective: no}"), ("E22", 5, 47)),
    ("an unknown context", bank_text("- {id: a, type: info, prompt: p, context: no}"), ("E22", 5, 45)),
    ("an unknown pool member", bank_text(GOOD, HEAD.replace("questions", "pools: [{name: p, pick: 1, of: [a, b]}]\nquestions")), ("E22", 4, 36)),
    ("a pool that picks too many", bank_text(GOOD, HEAD.replace("questions", "pools: [{name: p, pick: 3, of: [a]}]\nquestions")), ("E22", 4, 25)),
    ("mastery that nobody can reach", bank_text(GOOD, HEAD.replace("questions", "mastery: {min_questions: 5}\nquestions")), ("E22", 4, 26)),
    ("an unused param", numeric("{value: 1}", "  params: {d: {choice: [1, 2]}}"), ("E23", 9, 14)),
    ("an undefined param", numeric("{expr: d*e, abs: 1}", "  params: {d: {choice: [1, 2]}}"), ("E23", 8, 22)),
    ("params that never fit", numeric("{expr: d, abs: 1}", "  params: {d: {choice: [1, 2]}}\n  where: [d > 2]"), ("E23", 9, 13)),
    ("no values to choose from", numeric("{expr: d, abs: 1}", "  params: {d: {choice: []}}"), ("E07", 9, 26)),
    ("a range without values", numeric("{expr: d, abs: 1}", "  params: {d: {range: [5, 1]}}"), ("E23", 9, 13)),
    ("a range beyond counting", numeric("{expr: d, abs: 1}", "  params: {d: {range: [0, 1e300]}}"), ("E23", 9, 13)),
    ("an expression that is code", numeric("{expr: '__import__(\"os\").system(\"x\") + d', abs: 1}", "  params: {d: {choice: [1, 2]}}"), ("E23", 8, 22)),
    ("an expression that explodes", numeric("{expr: d**d**d**d, abs: 1}", "  params: {d: {choice: [9]}}"), ("E23", 8, 22)),
    ("an undefined param in a hint", numeric("{expr: d, abs: 1}", "  params: {d: {choice: [1, 2]}}\n  hints: [one, 'is {e}']"), ("E23", 10, 18)),
    ("an undefined param of a param", numeric("{expr: d, abs: 1}", "  params: {d: {expr: e+1}}"), ("E23", 9, 24)),
    ("an undefined param in a condition", numeric("{expr: d, abs: 1}", "  params: {d: {choice: [1, 2]}}\n  where: [d > 0, e > 0]"), ("E23", 10, 20)),
    ("a single brace", numeric("{expr: d, abs: 1}", "  params: {d: {choice: [1, 2]}}\n  explanation: 'a set {'"), ("E23", 10, 18)),
    ("a picture without words", bank_text("- {id: a, type: info, prompt: p, image: {file: x.png}}"), ("E24", 5, 43)),
    ("a key that folds to nothing", text("{is: '\u3000 '}, {is: x}"), ("E07", 8, 19)),
    ("a key that an editor formatted", text("{is: <strong>softmax</strong>}"), ("E26", 8, 19)),
    ("a key that another one catches first", text("{regex: 'a.*', credit: 50}, {is: abc}"), ("E26", 8, 42)),
    ("a key that asks for help", text("{is: ab}, {is: '?'}"), ("E26", 8, 29)),
    ("a key that asks for help after a space", text("{is: ab}, {is: ' ? '}", "  match: {space: exact}"), ("E26", 8, 29)),
    ("a key that is a command where spaces count", text("{is: ab}, {is: ':quit'}", "  match: {space: exact}"), ("E26", 8, 29)),
    ("a key of two lines where spaces count", text('{is: ab}, {is: "a\\nb"}', "  match: {space: exact}"), ("E26", 8, 29)),
    ("a blank's key that asks for help", bank_text("- {id: a, type: cloze, prompt: '[[n]]', blanks: {n: {type: text, accept: [{is: '?'}]}}}"), ("E26", 5, 82)),
    ("a printed line that is a command", bank_text('- {id: a, type: output, code: {text: x}, expect: "1\\n:q"}'), ("E26", 5, 52)),
    ("a printed line that asks for help", bank_text('- {id: a, type: output, code: {text: x}, expect: " ?"}'), ("E26", 5, 52)),
    ("weights that pay for everything", bank_text("- id: a\n  type: multiple\n  grading: weights\n  prompt: p\n  options: [{text: x, correct: true, credit: 100, why: w}, {text: y, credit: 0, why: v}]"), ("E27", 9, 14)),
    ("a wrong option that costs nothing", bank_text("- id: a\n  type: multiple\n  grading: weights\n  prompt: p\n  options: [{text: x, correct: true, credit: 50, why: w}, {text: y, correct: true, credit: 50, why: v}, {text: z, credit: 0, why: u}, {text: q, credit: -50, why: t}]"), ("E27", 9, 107)),
    ("right options that outweigh a wrong one", bank_text("- id: a\n  type: multiple\n  grading: weights\n  prompt: p\n  options: [{text: x, correct: true, credit: 60, why: w}, {text: y, correct: true, credit: 60, why: v}, {text: z, credit: -10, why: u}, {text: q, credit: -90, why: t}]"), ("E27", 9, 107)),
    ("credit that nobody reads", bank_text("- id: a\n  type: multiple\n  prompt: p\n  options: [{text: x, correct: true, credit: 100, why: w}, {text: y, why: v}]"), ("E06", 8, 48)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "bank", "problem"), ERRORS, ids=[one[0] for one in ERRORS])
def test_each_error_is_found_at_its_place(what, bank, problem):
    """What makes a question wrong is reported with its code where it stands."""
    assert problem in found(bank), check_bytes(bank.encode(), what).report


def test_a_sound_bank_has_no_problems():
    """A bank of every type, with params and pools, has neither errors nor warnings, and reads the same once written."""
    bank = bank_of(EVERYTHING, EVERYTHING_HEAD)
    assert [] == found(bank_text(EVERYTHING, EVERYTHING_HEAD))
    again = check_bytes(to_yaml(to_data(bank)).encode(), "again.yaml")
    assert bank == again.bank, again.report


UNSEEN = "\u00ad\u200c\u200d\u200e\u200f\u034f\u2062\u2800\u3164\uffa0\u115f\u17b4\u180b\u180e\ufe00\ufe0f\u206a\ufff9\U000e0100\U0001d173"


@pytest.mark.parametrize("character", UNSEEN, ids=[f"U+{ord(one):04X}" for one in UNSEEN])
def test_what_cannot_be_seen_makes_no_difference(character):
    """Two options, items or keys that differ in an invisible character only are equal; elsewhere it is a warning."""
    assert ("E13", 11, 16) in found(single([RIGHT, "text: alpha, why: v", f"text: al{character}pha, why: u"]))
    assert ("E20", 8, 32) in found(text(f"{{is: alpha}}, {{is: al{character}pha}}"))
    assert ("E21", 7, 20) in found(bank_text(f"- id: a\n  type: order\n  items: [al, x, al{character}]"))
    assert ["L21"] == codes(single([RIGHT, f"text: al{character}pha, why: v"]))


@pytest.mark.parametrize(
    "meant",
    ["\U0001f469\u200d\U0001f4bb", "\u2764\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937", "\u05d0 (a)\u200e b", "\u2801\u2800\u2803", "\u8fbb\U000e0100", "\u0600\u0661"],
)  # fmt: skip
def test_joiners_are_fine_where_a_script_needs_them(meant):
    """Emoji, Persian, Hindi, Hebrew, braille and Chinese are written with characters that cannot be seen."""
    assert [] == found(single([RIGHT, f"text: '{meant}', why: v"]))


def test_an_error_in_one_question_hides_nothing_in_another():
    """Unreachable keys and give-aways are found in the sound questions of a bank that has errors elsewhere."""
    questions = """
- {id: a, type: info, prompt: p, foo: 1}
- {id: b, type: text, prompt: p, accept: [{regex: 'a.*', credit: 50}, {is: abc}]}
- {id: c, type: text, prompt: p, accept: [{is: 42}]}
"""
    assert ["E06", "E26", "L13"] == codes(bank_text(questions))


def test_drafts_may_lack_reasons():
    """With `draft: true` a missing `why` is a warning, and the bank can be used."""
    bank = single([RIGHT, "text: y"]).replace("title: Small", "title: Small\ndraft: true")
    loaded = check_bytes(bank.encode(), "draft.yaml")
    assert [("E15", False)] == [(one.code, one.error) for one in loaded.problems]
    assert loaded.bank is not None


def test_params_are_checked_in_every_form():
    """Two options that are equal for one choice of the params only are found."""
    questions = "- {id: a, type: single, prompt: 'd = {d}', params: {d: {choice: [3, 2]}}, options: [{text: '{2*d}', correct: true, why: w}, {text: '{d**2}', why: v}]}"
    assert ["E13"] == codes(bank_text(questions))


def test_pictures_must_be_beside_the_bank(tmp_path):
    """A picture that is missing, or outside the bank's folder, is E24; one that is there is fine."""
    (tmp_path / "banks").mkdir()
    (tmp_path / "outside.png").write_bytes(b"x")
    (tmp_path / "banks" / "here.png").write_bytes(b"x")
    path = tmp_path / "banks" / "b.yaml"
    lines = [
        f"- {{id: {n}, type: info, prompt: p, image: {{file: {f}, alt: A}}}}"
        for n, f in [("a", "here.png"), ("b", "no.png"), ("c", "../outside.png")]
    ]
    path.write_text(bank_text("\n".join(lines)))
    assert [("E24", 6), ("E24", 7)] == [(one.code, one.line) for one in check_file(path).problems]
    with pytest.raises(BankError, match="no picture"):
        read_bank(path)


def test_many_slips_cost_no_minutes(monkeypatch):
    """Each of a thousand misspelt names is one error; the nearest name is looked for as long as that is quick."""
    compared = []
    closest = fields.closest
    monkeypatch.setattr(fields, "closest", lambda word, known: compared.extend(known) or closest(word, known))
    questions = "\n".join(f"- {{id: question-{n}, type: info, prompt: p}}" for n in range(1000))
    pool = ", ".join(f"qestion-{n}" for n in range(1000))
    problems = check_bytes(
        bank_text(
            questions, HEAD.replace("questions", f"pools: [{{name: p, pick: 1, of: [{pool}]}}]\nquestions")
        ).encode(),
        "b",
    ).problems
    assert (1000, 500, 500) == (problems.errors, len(problems), problems.dropped)
    assert 0 < len(compared) <= MAX_COMPARED
    assert "did you mean `question-0`?" in next(iter(problems)).message


def test_programs_are_run_only_when_asked():
    """`--run` finds a program that prints something else, one that fails and one that never ends; without it none runs."""
    questions = """
- {id: a, type: output, code: {text: "print(1 + 1)"}, expect: "2"}
- {id: b, type: output, code: {text: "print(1 + 1)"}, expect: "3"}
- {id: c, type: output, code: {text: "raise SystemExit('no')"}, expect: x}
- {id: d, type: output, code: {text: "print('{n}' * 2)"}, expect: "{n}{n}", params: {n: {choice: [1, 2]}}}
- {id: e, type: output, code: {lang: c, text: "main"}, expect: x}
"""
    data = bank_text(questions).encode()
    assert [] == [one.code for one in check_bytes(data, "b").problems]
    problems = [(one.code, one.line, one.error) for one in check_bytes(data, "b", run=True).problems]
    assert [("E25", 6, True), ("E25", 7, True), ("E25", 9, False)] == problems


def test_a_program_that_floods_or_hangs_is_ended(monkeypatch):
    """What prints without end or never ends is stopped, with what it started, and said to be the trouble."""
    monkeypatch.setattr(keys, "RUN_SECONDS", 1)
    assert "prints more than" in keys.run_python("while True: print('x' * 10000)")[1]
    assert "did not end" in keys.run_python("import time; time.sleep(60)")[1]
    assert ("1\n", "") == keys.run_python("print(1)")


WARNINGS = [
    ("L1", single(["text: the softmax of the scaled scores over all keys, correct: true, why: w", "text: softmax, why: v", "text: mean, why: u"])),
    ("L3", single([RIGHT, "text: None of the above, why: v"])),
    ("L3", single([RIGHT, WRONG, "text: Both A and B, why: u"])),
    *(("L3", single([RIGHT, WRONG, f"text: '{words}', why: u"])) for words in ("Both a and b", "a and c", "options (a) and (c)", "All are correct", "None of them", "None apply")),
    ("L4", single([RIGHT, WRONG]).replace("prompt: p", "prompt: Which of these is not a matrix?")),
    *(("L4", single([RIGHT, WRONG]).replace("prompt: p", f"prompt: Which of these {words} a matrix?")) for words in ("isn't", "cannot be", "is never")),
    ("L5", single([RIGHT, "text: It is always the mean, why: v"])),
    ("L6", single(["text: masked scores of normalisation, correct: true, why: w", "text: a different kind of matrix, why: v", "text: some other row of weights, why: u"]).replace("prompt: p", "prompt: What are masked scores before normalisation called?")),
    ("L7", single([RIGHT, *(f"text: y{n}, why: v{n}" for n in range(5))])),
    ("L8", bank_text("- {id: a, type: multiple, prompt: p, options: [{text: x, correct: true, why: w}, {text: y, correct: true, why: v}, {text: z, why: u}]}")),
    ("L9", bank_text(GOOD + "\n" + GOOD.replace("id: a", "id: b"))),
    ("L10", bank_text(GOOD, HEAD.replace("questions", "objectives: {o: O}\nquestions"))),
    ("L11", bank_text("\n".join(f"- {{id: t{n}, type: truefalse, prompt: p, answer: true, why_false: w}}" for n in range(4)))),
    ("L12", single([RIGHT, f"text: {'y' * 201}, why: v"])),
    *(("L13", text(f"{{is: {number}}}")) for number in ("42", "1/8", "1e5", "50%", "-.5")),
    ("L14", single(["text: attention weight, correct: true, why: w", "text: score, why: v"]).replace("prompt: p", "prompt: A row of softmax is made of an")),
    ("L18", text("{is: \u2019a}")),
    ("L19", single([RIGHT, "text: X, why: v"])),
    ("L20", text("{regex: '1\u20139|one'}")),
    ("L20", bank_text("- {id: a, type: cloze, prompt: '[[n]]', blanks: {n: {type: text, accept: [{regex: '(half|\u00bd)'}]}}}")),
    ("L23", bank_text("- {id: a, type: truefalse, prompt: p, answer: true, why_true: w}")),
    ("L23", bank_text("- {id: a, type: truefalse, prompt: p, answer: false, why_false: w}")),
    ("L22", single([RIGHT, "text: Alpha, why: v", "text: \u0391lpha, why: u"])),
    ("L22", bank_text("- id: a\n  type: match\n  pairs: [{left: x, right: \u0441\u043e}, {left: y, right: r}]\n  distractors: [co]")),
    ("L22", text("{is: s\u043eftmax}")),
    ("L22", text("{is: \u041e(n)}")),
    ("L22", text("{regex: 's\u043eftmax|x'}")),
    ("L22", numeric("{value: 1}", "  unit: \u0441m")),
    ("L22", bank_text("- {id: a, type: cloze, prompt: '[[n]]', blanks: {n: {type: numeric, unit: \u0441m, answers: [{value: 1}]}}}")),
    ("L22", bank_text("- {id: a, type: output, code: {text: x}, expect: \u0430}")),
    ("L2", bank_text("\n".join(GOOD.replace("id: a", f"id: q{n}, shuffle: false").replace("why: w", f"why: w{n}").replace("why: v", f"why: v{n}") for n in range(9)))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "bank"), WARNINGS, ids=[f"{code}-{n}" for n, (code, _) in enumerate(WARNINGS)])
def test_each_warning_is_given(code, bank):
    """What gives an answer away is warned about, and the bank can still be used."""
    loaded = check_bytes(bank.encode(), "b")
    assert [code] == sorted({one.code for one in loaded.problems}), loaded.report
    assert loaded.bank is not None


FINE = [
    numeric("{value: 0.5, abs: 0}", "  accept: [percent]"),
    numeric("{expr: 1/3, abs: 1e-9}", "  accept: [fraction]"),
    bank_text(
        "- {id: a, type: truefalse, prompt: p, answer: true, why_false: w}\n- {id: b, type: truefalse, prompt: p, answer: true, explanation: w}"
    ),
    single([RIGHT, "text: a, why: v", "text: \u03b1, why: u", "text: \u0434\u0430, why: t"]),
    text("{is: ':quit'}, {is: 'why?'}, {is: '? x'}"),
    text('{is: "a\\nb"}'),
    bank_text('- {id: a, type: output, code: {text: x}, expect: " :q\\n??"}'),
    text("{regex: '\u00e9tat|[\u0430-\u044f]+'}"),
    text("{regex: '1\u20139|one'}", "  match: {quotes: exact}"),
    text("{is: \u03c3(x)}, {is: '\u0394 t'}, {is: softmax \u0438\u043b\u0438 mean}, {is: \u03c1 \u2264 x}"),
    text("{is: \u0441\u043e}").replace(
        "prompt: p", "prompt: \u043a\u0430\u043a\u043e\u0439 \u043f\u0440\u0435\u0434\u043b\u043e\u0433?"
    ),
    text("{is: <eos>}, {is: list<int>}, {is: a < b > c}"),
    single([RIGHT, "text: None of the above, pin: last, why: v"]),
    single([RIGHT, "text: The pairs above the diagonal, why: v", "text: both rows, why: u"]),
    single([RIGHT, WRONG]).replace("prompt: p", "prompt: Which of these is NOT a matrix?"),
    single([RIGHT, WRONG]).replace("prompt: p", "prompt: Which of these CANNOT be a matrix?"),
    single([RIGHT, "text: b and h, why: v", "text: all of them are masked, why: u", "text: None are masked, why: t"]),
    text("{is: 2d}, {is: v1}, {is: 1/n}"),
    single(["text: always zero, correct: true, why: w", "text: never zero, why: v"]),
    single([RIGHT, "text: None of the above, why: v"], "  shuffle: false"),
]


@pytest.mark.parametrize("bank", FINE)
def test_no_warning_without_a_reason(bank):
    """What only looks like a give-away is left alone."""
    assert [] == found(bank)


EVERYTHING_HEAD = """\
schema: quizbank/1
bank: everything
title: Everything
description: One question of each type.
mastery: {score: 0.75, min_questions: 4}
objectives:
  aim: To know it
  other: {text: To know more, ref: exercises/softmax.py}
contexts:
  shared: |
    scores = [[1., 2.]]
pools:
  - {name: pool, pick: 1, of: [text, self]}
questions:
"""
EVERYTHING = """
- id: single
  type: single
  title: One
  objective: aim
  tags: [t, u]
  difficulty: 3
  points: 2
  attempts: 3
  context: shared
  prompt: "Which: `Q[i] @ K[j]`?"
  options:
    - {text: "it's [a, b]", correct: true, why: "yes: it is"}
    - {text: "no #2", why: "# no", credit: 20}
    - {text: none of these, pin: last, why: nothing}
  hints: [first, "second: more"]
  explanation: |
    Two lines,
      the second indented.
  feedback: {correct: c, partial: q, incorrect: i}
  ref: lessons/03.md
- id: multiple
  type: multiple
  objective: other
  grading: weights
  prompt: p
  shuffle: false
  options:
    - {text: x, correct: true, credit: 100, why: w1, missed: m}
    - {text: y, credit: -50, why: v1}
    - {text: z, credit: -50, why: u1}
- {id: truefalse, type: truefalse, prompt: p, answer: false, why_true: t, why_false: f}
- id: numeric
  type: numeric
  prompt: p
  accept: [decimal, percent]
  unit: ms
  answers: [{value: 0.10, abs: 0.010, why: a}, {value: 8, abs: 0, credit: 0, why: b}]
  otherwise: o
- {id: computed, type: numeric, prompt: p, answers: [{expr: 1/3, abs: 0.01}, {expr: 2*3, credit: 0, why: c}]}
- id: text
  type: text
  prompt: p
  accept: [{is: softmax}, {regex: 'scaledsoftmax(es)?', credit: 50, why: r}]
  match: {case: exact, space: remove, quotes: exact, unicode: NFC}
  otherwise: o
- id: cloze
  type: cloze
  prompt: "softmax([[num]] / [[den]]) [[v]]"
  blanks:
    num: {type: text, accept: [{is: "Q K^T"}]}
    den: {type: choice, options: [{text: sqrt(d_k), correct: true, why: one}, {text: d_k, why: two}]}
    v: {type: numeric, answers: [{value: 3}]}
- {id: match, type: match, grading: all, pairs: [{left: Q, right: "(B, T)"}, {left: K, right: "(T, B)"}], distractors: ["(B, B)"]}
- {id: order, type: order, grading: pairs, items: [project, scale, mask]}
- id: output
  type: output
  code: {lang: python, text: "print(1)\\nprint(2)"}
  expect: "1\\n2"
- {id: self, type: self, prompt: p, answer: a, confidence: true}
- {id: info, type: info, prompt: read}
- id: drawn
  type: numeric
  prompt: "d = {d}, r = {r}, name {w}, twice {2*d:.1f}, braces {{}}"
  params: {d: {choice: [16, 64]}, r: {range: [0, 1, 0.25]}, w: {choice: [Q, K]}, e: {expr: d + r}}
  where: [d > 4, r != 1]
  answers: [{expr: e/sqrt(d), rel: 0.001}]
"""
