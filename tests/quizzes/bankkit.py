"""Banks for the quiz tests, and what is wrong with them."""

from __future__ import annotations

from quizzes.checking import check_bytes
from quizzes.loader import load_bytes

HEAD = "schema: quizbank/1\nbank: small\ntitle: Small\nquestions:\n"


def bank_text(questions, head=HEAD):
    """Return the text of a bank; the questions are given without their indentation."""
    indented = "\n".join("  " + line if line else "" for line in questions.strip("\n").split("\n"))
    return head + indented + "\n"


def found(text, *, deep=True):
    """Return the problems of a bank as (code, line, column), in order."""
    data = text if isinstance(text, bytes) else text.encode()
    loaded = check_bytes(data, "bank.yaml") if deep else load_bytes(data, "bank.yaml")
    return [(one.code, one.line, one.column) for one in loaded.problems]


def codes(text):
    """Return the codes of a bank's problems, each once, in order."""
    return sorted({code for code, _, _ in found(text)})


def bank_of(questions, head=HEAD):
    """Return a bank that must be sound."""
    loaded = load_bytes(bank_text(questions, head).encode())
    assert loaded.bank is not None, loaded.report
    return loaded.bank


TWELVE = "\n".join(
    f"""\
- id: q{n}
  type: truefalse
  objective: {"even" if n % 2 == 0 else "odd"}
  prompt: Is {n} an even number?
  answer: {"true" if n % 2 == 0 else "false"}
  explanation: {n} divided by 2 leaves {n % 2}.
  ref: exercises/softmax.py
"""
    for n in range(1, 13)
)
TWELVE_HEAD = """\
schema: quizbank/1
bank: twelve
title: Twelve
mastery: {score: 0.8, min_questions: 5}
objectives: {even: Know even numbers, odd: Know odd numbers}
questions:
"""

RIGHT = ["f", "t"] * 6
