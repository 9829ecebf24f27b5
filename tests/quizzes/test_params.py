"""Params and their expressions: drawn from a seed, computed without running anything, filled into every text."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import contextlib
from decimal import Decimal

import pytest
from bankkit import bank_of
from hypothesis import given
from hypothesis import strategies as st

from quizzes.expressions import ExpressionError, evaluate, holds
from quizzes.params import ParamError, draw, fill, fill_text, variants
from quizzes.params import Value as Drawn
from quizzes.record import replace


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/sqrt(64)", "0.125"), ("2**10", "1024"), ("-3 + +4", "1"), ("7 // 2", "3"), ("-7 // 2", "-4"), ("-7 % 3", "2"),
        ("min(3, 1, 2)", "1"), ("max(3, d)", "5"), ("abs(-2.5)", "2.5"), ("floor(-0.5)", "-1"), ("exp(0) + log(1)", "1"),
        ("0.1 + 0.2", "0.3"), ("d*(d + 1)", "30"), ("1e3", "1000"), ("4**0.5", "2"), ("sqrt(3)**2", "3"), ("floor(sqrt(3)**2)", "3"), ("2**60 * 2**50", "1298074214633706907132624082305024"), ("d_1 + a2_", "3"),
    ],
)  # fmt: skip
def test_arithmetic(text, value):
    """Numbers, names, operators and eight functions, in decimal arithmetic: 0.1 + 0.2 is 0.3."""
    assert Decimal(value) == evaluate(text, {"d": Decimal(5), "d_1": Decimal(1), "a2_": Decimal(2)})


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "open('x')", "d.real", "(lambda: 1)()", "[1][0]", "'a'", "True", "None", "1j", "d if d else 1",
        "d and 1", "not d", "~1", "1 @ 2", "1 << 9", "f'{d}'", "x := 1", "sqrt()", "sqrt(1, 2)", "max(*d)", "max(a=1)", "exp(d=1)",
        "0x10 + d", "0b1", "1_0 + d", "1.5_0", "", "1 +", "1; 2", "print", "e", "(" * 200, "1" * 301, "[i for i in d]", "{1}", "d is 1", "1 if", "\x00", "1or 2", "max",
    ],
)  # fmt: skip
def test_nothing_but_arithmetic(text):
    """Calls, attributes, texts and everything else of Python are refused before anything is computed."""
    with pytest.raises(ExpressionError):
        evaluate(text, {"d": Decimal(5)})


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "9**99",
        "1/0",
        "log(0)",
        "log(-1)",
        "sqrt(-1)",
        "exp(1e9)",
        "1e400**2",
        "(10**60)**60**2",
        "5 % 0",
        "1e99999",
        "(-8)**0.5",
    ],
)
def test_what_has_no_value_says_so(text):
    """Division by zero, roots of negatives and powers that would fill the memory are errors for the author."""
    with pytest.raises(ExpressionError):
        evaluate(text, {})


def test_comparisons_hold_or_do_not():
    """Conditions on params are comparisons; a value is no condition."""
    values = {"d": Decimal(8), "h": Decimal(2)}
    assert holds("d % h == 0", values)
    assert holds("1 < h <= 2", values)
    assert not holds("d != 8", values)
    with pytest.raises(ExpressionError, match="not a comparison"):
        holds("d + 1", values)
    with pytest.raises(ExpressionError):
        holds("d in h", values)


@given(st.text(max_size=40))
def test_no_expression_breaks_the_reader(text):
    """Any text is a value or an ExpressionError."""
    with contextlib.suppress(ExpressionError):
        assert evaluate(text, {"d": Decimal(3)}).is_finite()


VALUES = {"d": Drawn("0.10", Decimal("0.10")), "w": Drawn("keys", None)}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{d}", "0.10"),
        ("{ d }", "0.10"),
        ("{w}!", "keys!"),
        ("{2*d}", "0.2"),
        ("{1/d:.3f}", "10.000"),
        ("{{d}}", "{d}"),
        ("a {{}} b", "a {} b"),
        ("none", "none"),
    ],
)
def test_holes_are_filled(text, filled):
    """A name gives its authored digits, a formula its value, a doubled brace a brace."""
    assert filled == fill_text(text, VALUES)


@pytest.mark.parametrize(
    "text",
    ["{x}", "{1}", "{", "}", "{d!r}", "{w + 1}", "{d:>100000000}", "{d.real}", "{}", "{0}", "{d:.999f}"],
)
def test_holes_that_name_no_param_are_errors(text):
    """Nothing but names, formulas and a short number format stands in a hole."""
    with pytest.raises(ParamError):
        fill_text(text, VALUES)


QUESTION = """
- id: a
  type: single
  prompt: "d = {d}, n = {n}"
  params: {d: {choice: [16, 64, 256]}, n: {range: [0, 1, 0.25]}, w: {choice: [Q, K]}}
  where: [n != 1]
  options:
    - {text: "{d*2} {w}", correct: true, why: "twice {d}"}
    - {text: "{d} {w}", why: "that is {d}"}
"""


def test_a_seed_gives_the_same_values_for_ever():
    """The draw depends on seed, bank and question alone; these values must never change, or resumed quizzes would."""
    bank = bank_of(QUESTION)
    question = bank.questions[0]
    drawn = {
        seed: {name: value.text for name, value in draw(question, seed, bank.id).items()} for seed in ("1", "2", "3")
    }
    assert drawn == {
        seed: {name: value.text for name, value in draw(question, seed, bank.id).items()} for seed in ("1", "2", "3")
    }
    assert {"1": {"d": "16", "n": "0", "w": "K"}} != drawn
    assert all(value["n"] != "1.00" for value in drawn.values())


def test_every_text_is_filled_and_ids_stay():
    """Options keep their ids in every form, so that a log means the same under every seed."""
    bank = bank_of(QUESTION)
    question = bank.questions[0]
    filled = fill(question, draw(question, "5", bank.id))
    assert "{" not in filled.prompt + "".join(option.text + option.why for option in filled.options)
    assert [option.id for option in question.options] == [option.id for option in filled.options]
    assert not filled.params


def test_all_forms_are_visited_where_they_are_few():
    """Three times four times two combinations, all of which meet the condition."""
    forms = list(variants(bank_of(QUESTION).questions[0], 100))
    assert 24 == len({(form.prompt, form.options[0].text) for form in forms}) == len(forms)


def test_a_sample_ends_with_its_tries():
    """Where `where` meets hardly any draw, a sample stops when the tries that many questions share are used up."""
    drawn = (
        "- {id: a, type: numeric, prompt: '{d}', params: {d: {range: [1, 1000]}}, where: [%s], answers: [{expr: d}]}"
    )
    half = bank_of(drawn % "d > 500").questions[0]
    none = replace(half, where=("d > 1000",))
    tries = iter(range(100))
    assert 1 <= len(list(variants(half, 64, tries))) <= 64
    assert [] == list(variants(none, 64, tries)) == list(tries)
    with pytest.raises(ParamError, match="none of 1000 draws"):
        list(variants(none, 64, iter(range(1001))))


def test_braces_mean_nothing_without_params():
    """A question without params is shown as written."""
    bank = bank_of("- {id: a, type: info, prompt: 'a {x} \\frac{1}{2} {'}")
    question = bank.questions[0]
    assert r"a {x} \frac{1}{2} {" == fill(question, draw(question, "1", "b")).prompt
