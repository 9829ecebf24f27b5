"""Numbers: what a person may type, what is refused with a question back, and what is near enough."""

# ruff: noqa: E501 - a table on one line is easiest to read

from __future__ import annotations

import contextlib
import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.grading import NotAnAnswerError, judge_number
from quizzes.model import Number, NumberRule, NumericAnswer
from quizzes.numeric import NumberError, as_typed, authored, shown, tolerance, typed


def rule(*answers, accept=("decimal", "fraction", "scientific"), unit=""):
    """Return a rule with these (value, abs, rel, credit) answers."""
    made = []
    for value, absolute, relative, credit in answers:
        kinds = {"abs": absolute and authored(absolute), "rel": relative and authored(relative)}
        made.append(
            NumericAnswer(value=authored(value), credit=Decimal(credit), **{k: v for k, v in kinds.items() if v})
        )
    return NumberRule(answers=tuple(made), accept=accept, unit=unit)


EIGHTH = rule(("0.125", "0.0005", None, 100))


@pytest.mark.parametrize(
    "text",
    [
        ".125",
        "0.125",
        "1/8",
        "1.25e-1",
        "+0.125",
        " 0.125 ",
        "2/16",
        "12.5E-2",
        "0.1254",
        "0.1255",
        "0.1245",
        ".25/2",
        "\u200b0.125\ufeff",
        "\uff10.\uff11\uff12\uff15",
        "1\u20448",
        "1 \u00f7 8",
        "\u215b",
        "1.25x10^-1",
        "1.25 * 10**-1",
        "1.25 \u00d7 10\u207b\u00b9",
        "1.25\u00b710^{\u22121}",
        "+ 0.125",
        "0.125.",
        "`1/8`",
        "$0.125$",
    ],
)
def test_all_ways_to_write_a_number_are_right(text):
    """Decimals, fractions and exponents are the same number, and both ends of the tolerance belong to it."""
    assert judge_number(EIGHTH, text).full


@pytest.mark.parametrize("text", ["0.12551", "0.12449", "0.13", "8", "-0.125", "1/7"])
def test_what_is_outside_the_tolerance_is_wrong(text):
    """A hair beyond the bound is wrong: nothing is rounded before it is compared."""
    assert not judge_number(EIGHTH, text).score


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,125", "did you mean 0.125?"),
        (",5", "did you mean 0.5?"),
        ("16,000", "did you mean 16000 or 16.000?"),
        ("1,000.125", "did you mean 1000.125?"),
        ("1,000,000", "did you mean 1000000?"),
        ("1,000 000", "not a number"),
        ("1,25e-1", "did you mean 1.25e-1?"),
        ("1,5/12", "did you mean 1.5/12?"),
        ("-,5", "did you mean -0.5?"),
        ("1 000", "leave out the space; did you mean 1000?"),
        ("-1\u202f000.5", "did you mean -1000.5?"),
        ("1\u2019000\u2019000", "leave out the apostrophe; did you mean 1000000?"),
        ("1\u00bd", "not a number"),
        ("1 1/2", "not a number"),
        ("5\u00b2", "not a number"),
        ("-- 5", "not a number"),
        ("12%", "percentage"),
        ("1/0", "divides by zero"),
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("Infinity", "not a number"),
        ("one eighth", "not a number"),
        ("0x10", "not a number"),
        ("1__0", "not a number"),
        ("", "not a number"),
        ("1/1e5", "not a number"),
        ("9" * 61, "longer than"),
        ("\u0661\u0662", "not a number"),
    ],
)
def test_what_could_be_two_numbers_or_none_costs_no_attempt(text, words):
    """It raises, with a suggestion where there is one, instead of being judged."""
    with pytest.raises(NotAnAnswerError) as raised:
        judge_number(EIGHTH, text)
    assert words in str(raised.value)


def test_percent_fraction_and_exponent_are_taken_only_where_asked_for():
    """`accept` lists what may be typed; a unit may follow the number and need not."""
    share = rule(("0.5", "0", None, 100), accept=("decimal", "percent"), unit="ms")
    assert judge_number(share, "50%").full
    assert judge_number(share, "0.5 ms").full
    assert judge_number(share, "0.5").full
    for text in ("1/2", "5e-1", "5*10^-1"):
        with pytest.raises(NotAnAnswerError):
            judge_number(share, text)


def test_infinity_and_nan_are_numbers_only_where_they_are_the_key():
    """A key of -inf is met by -inf, in any case, and by nothing else."""
    endless = rule(("-inf", None, None, 100), ("nan", None, None, 50))
    assert judge_number(endless, "-INF").full
    assert judge_number(endless, "-Infinity").full
    assert judge_number(endless, "\u2212\u221e").full
    assert judge_number(rule(("Infinity", None, None, 100)), "inf").full
    assert not judge_number(endless, "infinity").score
    assert judge_number(endless, "NaN").score == Fraction(1, 2)
    assert not judge_number(endless, "inf").score
    assert not judge_number(endless, "-1e300").score


@pytest.mark.parametrize(
    ("unit", "text", "value"),
    [
        ("0", "50", "50"),
        ("e5", "5e5", "500000"),
        ("/2", "5/2", "2.5"),
        (".5", "5.5", "5.5"),
        ("_000", "5_000", "5000"),
        ("ms", "5 ms", "5"),
        ("%", "5%", "5"),
        ("m s\u22121", "\u22125 m s\u22121", "-5"),
        ("e5 J", "5e5 J", "5"),
        ("e", "5e", "5"),
        ("\u00b5m", "5 \u03bcm", "5"),
        ("m\u00b2", "5 m^2", "5"),
        ("%", "5\uff05", "5"),
        ("ms", "5 ms.", "5"),
        ("'", "5'", "5"),
        ("m", "\u2013 5m", "-5"),
    ],
)
def test_a_unit_is_no_part_of_a_number(unit, text, value):
    """What is a number as a whole is that number, whatever the unit; what is none loses the unit first."""
    assert Fraction(value) == typed(text, rule(("5", None, None, 100), unit=unit)).value


@pytest.mark.parametrize(
    "text", ["1e1001", "10^1001", "-9*10**9999", "1e9999", "1e1000000", "-1e999999999999", f"1e{'9' * 58}"]
)
def test_a_number_beyond_all_keys_is_a_wrong_number(text):
    """However far off it is, it is a number, and is judged as one without being computed."""
    widest = rule(("1e400", "1e400", "1e400", 100))
    assert not judge_number(EIGHTH, text).score
    assert not judge_number(widest, text).score


def test_a_number_next_to_zero_is_judged_by_the_tolerance():
    """It is not 0, and as near to it as can be."""
    assert not judge_number(rule(("0", "0", None, 100)), "1e-1000000").score
    assert judge_number(rule(("0", "1e-400", None, 100)), "-1e-1000000").full
    assert judge_number(EIGHTH, "0e99999").score == judge_number(EIGHTH, "0").score


def test_the_first_answer_in_range_decides():
    """A known wrong value gives its own explanation and its own credit."""
    both = NumberRule(
        answers=(
            NumericAnswer(value=authored("2")),
            NumericAnswer(value=authored("3"), credit=Decimal(0), why="off by one"),
        ),
        otherwise="look again",
    )
    assert judge_number(both, "2").full
    assert judge_number(both, "3").notes == ("off by one",)
    assert judge_number(both, "4").notes == ("look again",)


@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-1000, max_value=1000),
    st.integers(0, 50),
)
def test_the_wider_tolerance_counts(value, thousandths):
    """The margin is max(abs, rel * |value|), whatever the sign."""
    absolute, relative = Number("x", Decimal(thousandths) / 1000), Number("y", Decimal("0.01"))
    expected = max(Fraction(thousandths, 1000), abs(Fraction(value)) / 100)
    assert expected == tolerance(value, absolute, relative)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0777", ": it begins with a zero"), ("1_000", ": leave out the underscore"), (".5", ": write a digit on both sides of the point"),
        ("0x1F", ": write it in base ten"), ("1/8", ": use `expr:` for a fraction"), ("0,5", ": the decimal sign is a point"),
        ("50%", ": write the share, such as 0.5 for 50%"), ("\u22125", ": write -5, in ASCII"), ("\uff15", ": write 5, in ASCII"), ("1:30", ""),
    ],
)  # fmt: skip
def test_an_author_is_told_why_a_number_is_none(text, reason):
    """A key is decimal text; what it looks like instead is named."""
    with pytest.raises(NumberError) as caught:
        authored(text)
    assert f"`{text}` is no decimal number{reason}" == str(caught.value)


@given(st.text(max_size=70))
def test_no_text_breaks_the_reader(text):
    """Whatever is typed or authored is a number or a NumberError."""
    for reader in (authored, lambda one: typed(one, EIGHTH)):
        with contextlib.suppress(NumberError):
            assert reader(text) is not None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0.3333333333", "0.333333"),
        ("16", "16"),
        ("2.500", "2.5"),
        ("0.00001", "0.00001"),
        ("1E+3", "1000"),
        ("-0", "0"),
        ("1e-9", "1e-9"),
        ("123456789.5", "123456789.5"),
        ("1e20", "1e+20"),
        ("123456.789", "123456.8"),
    ],
)
def test_computed_numbers_are_shown_as_people_write_them(value, text):
    """No trailing zeros, and an exponent only for what is very large or small."""
    assert text == shown(Decimal(value))


@pytest.mark.parametrize(
    ("accept", "taken", "refused", "words"),
    [
        (("decimal",), ["0.5", "2", ".5"], ["1/2", "5e-1", "50%"], "type the number as a decimal such as 0.125, not as a fraction"),
        (("fraction",), ["1/2", "2", "-3/4", "0.5/1"], ["0.5", "5e-1", "50%", "2.0"], "type the number as a fraction such as 1/8"),
        (("scientific",), ["5e-1", "2e0"], ["0.5", "2", "1/2"], "type the number as one such as 1.25e-1"),
        (("percent",), ["50%", "12.5 %"], ["0.5", "50", "1/2"], "type the number as a percentage such as 12.5%"),
        (("percent", "fraction"), ["50%", "1/2", "2"], ["0.5"], "type the number as a fraction such as 1/8 or a percentage such as 12.5%"),
    ],
)  # fmt: skip
def test_only_what_is_listed_may_be_typed(accept, taken, refused, words):
    """A form that a question does not take costs no attempt, a plain decimal neither; a whole number is a fraction."""
    half = rule(("0.5", "0", None, 100), accept=accept)
    for text in taken:
        judge_number(half, text)
    said = []
    for text in refused:
        with pytest.raises(NotAnAnswerError) as caught:
            judge_number(half, text)
        said.append(str(caught.value))
    assert any(words in one for one in said)


@pytest.mark.parametrize(
    ("value", "margin", "words"),
    [
        ("0.5", "0", "a decimal such as 0.125 or a fraction such as 1/8 or one such as 1.25e-1"),
        ("0.125", "0", "a decimal such as 2.75 or a fraction such as 11/4 or one such as 2.75e0"),
        ("1", "2", "a decimal or a fraction or one with an exponent"),
    ],
)
def test_no_example_is_an_answer(value, margin, words):
    """Who types what is no number reads how to write one, and never the key."""
    with pytest.raises(NotAnAnswerError, match=f"type {re.escape(words)}$"):
        judge_number(rule((value, margin, None, 100)), "x")


@pytest.mark.parametrize(
    ("value", "accept", "text"),
    [
        ("0.50", ("decimal",), "0.50"), ("0.125", ("fraction",), "1/8"), ("2", ("fraction",), "2"), ("0.125", ("percent",), "12.5%"),
        ("1e-3", ("decimal",), "0.001"), ("0.125", ("scientific",), "1.25e-1"), ("nan", ("fraction",), "nan"),
    ],
)  # fmt: skip
def test_a_key_is_shown_in_a_form_that_is_taken(value, accept, text):
    """As its author wrote it where that may be typed, else in another form, and always right when typed back."""
    key = rule((value, "0" if value != "nan" else None, None, 100), accept=accept)
    assert text == as_typed(authored(value), key)
    assert judge_number(key, text).full
