"""Writing banks: whatever the texts are, what is written reads back as equal; and frozen records."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.loader import load_bytes
from quizzes.model import Info, Number, Option, Question, Single
from quizzes.record import Record, replace
from quizzes.tree import PURE_LOADER
from quizzes.writer import to_data, to_yaml

TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))
# What the loader takes: no control characters, nothing invisible; and not only blanks.
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u200b\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufffe\uffff" + TAGS, include_characters="\n\t"), min_size=1, max_size=40).filter(str.strip)  # fmt: skip
AWKWARD = ["yes", "~", "null", "- a", "a: b", "a #b", "# a", "'", '"', "''", '"a" b', "*x", "&x", "!x", "|", ">", "%", "@", "`", "{a}", "[a", "?", "1_000", "0x1F", "\\frac", "a\\", "a ", " a", "\ta", "a\n", "a\n\n", "\na", "  a\nb", "a\n  b\n", "a \nb", "a\n\n\nb", "---", "...", "a\tb\nc", "\u00a0a", "caf\u00e9", "\u6f22", "=", "<<", "a,b", "1.", "-1", "key:", ":x", "x:y"]  # fmt: skip


def check_round_trip(text):
    """Write a bank with the text in several places, and read it with both parsers."""
    data = {
        "schema": "quizbank/1",
        "bank": "b",
        "title": text,
        "contexts": {"c": text},
        "questions": [
            {
                "id": "a",
                "type": "single",
                "prompt": text,
                "options": [
                    {"text": "x" + text, "correct": True, "why": text},
                    {"text": "y" + text, "why": text},
                ],
                "hints": [text, text],
            },
            {"id": "b", "type": "order", "items": ["1" + text, "2" + text]},
        ],
    }
    for loader in (None, PURE_LOADER):
        loaded = load_bytes(to_yaml(data).encode(), loader=loader)
        assert loaded.bank is not None, to_yaml(data) + loaded.report
        single, order = loaded.bank.questions
        assert [text] * 6 == [
            loaded.bank.title,
            loaded.bank.contexts["c"],
            single.prompt,
            single.options[0].why,
            *single.hints,
        ]
        assert ["1" + text, "2" + text] == list(order.items)
        assert loaded.bank == load_bytes(to_yaml(to_data(loaded.bank)).encode()).bank


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_survive(text):
    """What means something to YAML comes back as the text it is."""
    check_round_trip(text)


@given(TEXTS)
def test_any_text_survives(text):
    """So does everything else that a bank may hold."""
    check_round_trip(text)


def test_what_a_bank_may_not_hold_is_dropped():
    """Control characters of a foreign file do not make a bank that cannot be read."""
    data = {
        "schema": "quizbank/1",
        "bank": "b",
        "title": "a\x00b\x1b[31m\u202e",
        "questions": [{"id": "a", "type": "info", "prompt": "p\x07"}],
    }
    loaded = load_bytes(to_yaml(data).encode())
    assert "ab[31m" == loaded.bank.title


def test_records_are_frozen_values():
    """They compare by what is seen, cannot be changed, and refuse unknown and missing fields."""
    one, other = Option(id="a", text="x"), Option(id="a", text="x", place=Number("1", 1))
    assert one == other
    assert hash(one) == hash(other)
    assert one != replace(one, text="y")
    assert Number("1", 1) != Number("2", 1)
    assert "Option(id='a', text='x')" == repr(one)
    for wrong in ({"id": "a"}, {"id": "a", "text": "x", "nonsense": 1}):
        with pytest.raises(TypeError, match="Option takes"):
            Option(**wrong)
    with pytest.raises(TypeError):
        Number("1", 1, 2)
    with pytest.raises(AttributeError, match="frozen"):
        one.text = "y"
    with pytest.raises(AttributeError, match="frozen"):
        del one.text


def test_records_inherit_fields_and_defaults():
    """A question type has its own fields after the common ones, and the defaults of both."""
    question = Single(id="a", prompt="p", options=())
    assert (True, 2, "single") == (question.shuffle, question.attempts, question.type)
    assert Question.fields == Single.fields[: len(Question.fields)]
    assert issubclass(Info, Record)
