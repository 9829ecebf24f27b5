"""Banks and answers that nobody would write: whatever the bytes are, they are read or refused with a place."""

# ruff: noqa: E501 - a table on one line is easiest to read across

from __future__ import annotations

from bankkit import bank_of, bank_text
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rules import EVERYTHING, EVERYTHING_HEAD

from quizzes.checking import check_bytes
from quizzes.dialogue import Dialogue, QuitError
from quizzes.loader import load_bytes
from quizzes.log import Log
from quizzes.prompter import EndOfInputError, Prompter
from quizzes.sitting import Sitting
from quizzes.tree import PURE_LOADER

WHOLE = bank_text(EVERYTHING, EVERYTHING_HEAD).encode()
PIECES = [b"", b"\n", b" ", b"\t", b"- ", b": ", b"[", b"]", b"{", b"}", b'"', b"'", b"|", b">", b"&a ", b"*a", b"!x ", b"#", b"---\n", b"\\", b"\x00", b"\xff", b"\xc2\x85", b"?", b"%", b"yes", b"1e9", b",", b"<<: ", b"inf", b"[[x]]", b"{d}", b"\r", b"\xef\xbb\xbf", b"-1", b"null"]  # fmt: skip


@st.composite
def damaged(draw):
    """Return the bank of every type with a few pieces cut out, doubled or put in."""
    data = WHOLE
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 30)))
        data = data[:at] + draw(st.sampled_from([*PIECES, data[at:end] * 2])) + data[end:]
    return data


@settings(max_examples=150)
@given(damaged())
def test_a_damaged_bank_is_read_or_refused(data):
    """A bank comes back, or problems do; each problem stands in the file, and all parsers and stages survive."""
    for loaded in (check_bytes(data, "b"), load_bytes(data, loader=PURE_LOADER)):
        assert (loaded.bank is None) == bool(loaded.problems.errors)
        for problem in loaded.problems:
            assert 0 <= problem.line <= max(len(loaded.source.lines), 1)
            assert problem.message
        assert "\x1b" not in loaded.report


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    """So are bytes that never were a bank."""
    loaded = check_bytes(data, "b")
    assert (loaded.bank is None) == bool(loaded.problems.errors)


LINES = st.one_of(st.text(max_size=12), st.sampled_from(["a", "b", "c", "t", "f", "y", "n", "1", "0.1", "a b", "c b a", ":hint", ":skip", ":flag", ":again", "?", "", "softmax", "Q K^T", "mask"]))  # fmt: skip
BANK = bank_of(EVERYTHING, EVERYTHING_HEAD)


@settings(max_examples=60)
@given(st.lists(LINES, max_size=60), st.integers(0, 9))
def test_any_lines_are_answered(tmp_path_factory, lines, seed):
    """Every stream of lines ends a sitting or runs out, and the log can be gone on with."""
    log = Log(tmp_path_factory.mktemp("state"))
    sitting = Sitting.of_bank(log, BANK, str(seed))
    try:
        Dialogue(sitting, Prompter(lines)).run()
    except (EndOfInputError, QuitError):
        assert sitting.current is not None
    assert 0 <= sitting.score <= 1
    assert 0 == log.read().unreadable
