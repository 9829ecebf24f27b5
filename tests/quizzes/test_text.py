"""Texts: what is made equal, what is a slip, and which patterns are safe."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.grading import NearMissError, NotAnAnswerError, judge_text
from quizzes.model import TextKey, TextMatch, TextRule
from quizzes.patterns import PatternError, compiled
from quizzes.text import is_near, normalised

USUAL = TextMatch()


def rule(*keys, **match):
    """Return a rule that accepts these texts."""
    return TextRule(accept=tuple(TextKey(text=key) for key in keys), match=TextMatch(**match), otherwise="no")


@pytest.mark.parametrize("typed", ["softmax", " Softmax ", "SOFTMAX", "soft\tmax".replace("\t", ""), "\uff53oftmax"])
def test_case_spaces_and_forms_are_evened_out(typed):
    """Both sides are brought to one form, the key too."""
    assert judge_text(rule(" SoftMax "), typed).full


@pytest.mark.parametrize(
    ("key", "typed"), [("O(n\u00b2)", "O(n^2)"), ("O(n^2)", "O(n\u00b2)"), ("x\u207b\u00b9", "x^-1.")]
)
def test_raised_digits_and_a_circumflex_are_one(key, typed):
    """Few people can type the one, and some keyboards make it of the other; another power is another answer."""
    assert judge_text(rule(key), typed).full
    assert judge_text(rule(key), key).full
    assert not judge_text(rule(key), "O(n\u00b3)").score
    assert not judge_text(rule("O(n^2)"), "O(n2)").score
    assert not judge_text(rule(key, unicode="exact"), typed).score


def test_quotes_and_dashes_of_all_kinds_are_one():
    """A curly quote or a long dash is no mistake, nor is an accent or a prime that stands for a quote."""
    assert judge_text(rule("don't - ask"), "don\u2019t \u2013 ask").full
    assert judge_text(rule('don\'t "ask"'), "don\u00b4t \u2033ask\u2033").full


@pytest.mark.parametrize(
    "typed", ["softmax.", "'softmax'", "`softmax`.", "\u201cSoftmax.\u201d", "$softmax$", "\u00absoftmax\u00bb"]
)
def test_what_stands_around_a_word_does_not_count(typed):
    """A point at the end, quotes and code marks are no mistake, unless they are asked for."""
    assert judge_text(rule("softmax"), typed).full
    assert judge_text(rule("QK'", space="remove"), "`Q K'`").full
    with pytest.raises(NearMissError):
        judge_text(rule("softmax"), typed.lower().replace("ft", "f"))
    assert not judge_text(rule(typed), "softmax").score
    assert not judge_text(rule("softmax", quotes="exact"), typed).score
    listed = TextRule(accept=(TextKey(text="softmax"), TextKey(text=typed, credit=0, why="bare")))
    assert ("bare",) == judge_text(listed, typed).notes
    wider = TextRule(accept=(TextKey(text="softmax"), TextKey(regex=".*max.*", credit=0)))
    assert judge_text(wider, typed).full


@pytest.mark.parametrize(
    ("key", "typed"), [("Q", "Q'"), ("n", "n!"), ("a", "a..."), ("a", "'a' b 'a'"), ("a", "'a\""), ("x", "$")]
)
def test_what_changes_a_word_counts(key, typed):
    """A prime, an exclamation mark or an ellipsis may mean something."""
    assert not judge_text(rule(key), typed).score


def test_what_cannot_be_seen_does_not_count():
    """A soft hyphen or a joiner in a key cannot be typed back, and is left out on both sides."""
    assert judge_text(rule("soft\u00admax"), "softmax").full
    assert judge_text(rule("softmax"), "soft\u200dmax").full


def test_the_author_may_ask_for_exactness():
    """With `exact` nothing is evened out, with `remove` spaces do not count."""
    assert not judge_text(rule("Q", case="exact"), "q").score
    assert judge_text(rule("Q K^T", space="remove"), " QK ^T").full
    assert not judge_text(rule("x\u00b2", unicode="NFC"), "x2").score


def test_a_slip_asks_for_another_look():
    """One letter more, less, other or swapped raises, and counts when it is not forgiven."""
    for slip in ("softmx", "softmaxx", "softmux", "sofmtax", "soft max"):
        with pytest.raises(NearMissError, match="spelling"):
            judge_text(rule("softmax"), slip)
        assert not judge_text(rule("softmax"), slip, forgive=False).score


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("scaled dot product", "scaled dit product"),
        ("multi-head attention", "multi-haed attention"),
        ("scaled dot product", "scaled dotproduct"),
        ("softmax(x) + 1", "sofmtax(x) + 1"),
        ("aufmerksamkeit f\u00fcr", "aufmerksamkeit f\u00f6r"),
    ],
)
def test_a_slip_in_a_word_of_several(key, typed):
    """A slip is one of the words, also where they stand in a phrase or in a formula."""
    with pytest.raises(NearMissError, match="spelling"):
        judge_text(rule(key), typed)


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("is normalised over the keys", "is not normalised over the keys"),
        ("O(n^2)", "O(2^n)"),
        ("O(n^2)", "O(n^3)"),
        ("O(n^2)", "O(m^2)"),
        ("O(n^2)", "O(n2)"),
        ("O(n log n)", "O(m log n)"),
        ("sqrt(d_k)", "sqrt(d_v)"),
        ("1/sqrt(d)", "1*sqrt(d)"),
        ("Q K^T / sqrt(d)", "Q K^T * sqrt(d)"),
        ("softmax2", "softmax3"),
        ("softmax", "softmax2"),
        ("softmax(x) + 1", "softmax(x) - 1"),
        ("minus one", "minus -one"),
        ("float64", "float6"),
        ("(B, T, d_k)", "(B, T, d_v)"),
        ("query", "key"),
        ("mask", "task"),
        ("encoder", "decoder"),
    ],
)
def test_likeness_is_no_answer(key, typed):
    """What looks alike and means something else is wrong, at once."""
    verdict = judge_text(rule(key), typed)
    assert (0, ("no",)) == (verdict.score, verdict.notes)


def test_a_slip_that_is_another_key_is_that_key():
    """A text that equals a listed wrong answer is judged as that one, however near it is to a right one."""
    keys = TextRule(accept=(TextKey(text="decoder"), TextKey(text="recoder", credit=0, why="no such thing")))
    assert ("no such thing",) == judge_text(keys, "recoder").notes


def test_a_pattern_must_match_all_of_the_answer():
    """A pattern is a full match of the evened-out answer."""
    keys = TextRule(accept=(TextKey(regex="scaled softmax(es)?"),))
    assert judge_text(keys, "Scaled  Softmax").full
    assert not judge_text(keys, "a scaled softmax").score


@pytest.mark.parametrize("pattern", ["(", "a**", "[z-a]", "(a+)+", "(a|a)*b", "(a{1,8})*b", "a?" * 30, ".*.*.*.*", r"(a)\1", "", "a*", "(?i)a|", "x" * 201, "a{99999999999}", "(?P<n>a)(?P=n)", "[[a]]"])  # fmt: skip
def test_dangerous_and_empty_patterns_are_refused(pattern):
    """What could take for ever, refer back, match nothing, or is no pattern at all is refused with a reason."""
    with pytest.raises(PatternError):
        compiled(pattern, USUAL)


@pytest.mark.parametrize(
    "pattern", ["softmax(es)?", "[ab]+", "a.*", "(one|two) heads?", r"\d{1,3}", "q\\s*k", "(?:the )?keys"]
)
def test_ordinary_patterns_are_fine(pattern):
    """What authors need is not taken for a danger."""
    assert isinstance(compiled(pattern, USUAL), re.Pattern)


def test_a_long_answer_costs_no_attempt():
    """Nobody means a page of text as an answer, and no pattern is tried on one."""
    with pytest.raises(NotAnAnswerError, match="longer"):
        judge_text(rule("a"), "a" * 501)


@given(
    st.text(max_size=60)
    | st.text(alphabet="aAs \u00b4\u2033\u0301\u0345\u0390\u1fb4\u212a\u0130\u017f\u1e9e\u3164", max_size=6),
    st.builds(
        TextMatch,
        case=st.sampled_from(["fold", "exact"]),
        space=st.sampled_from(["collapse", "remove", "exact"]),
        quotes=st.sampled_from(["fold", "exact"]),
        unicode=st.sampled_from(["NFKC", "NFC", "exact"]),
    ),
)
@example("A\u00b4", TextMatch(space="remove"))
def test_evening_out_is_done_once(text, match):
    """A text in its compared form does not change again, so a key and its own form are always equal."""
    once = normalised(text, match)
    assert judge_text(TextRule(accept=(TextKey(text=text),), match=match), text, forgive=False).full or len(text) > 500
    assert once == normalised(once, match)


@given(st.text(alphabet="abc", min_size=6, max_size=9), st.text(alphabet="abc", min_size=5, max_size=10))
def test_a_slip_is_a_distance_of_one(a, b):
    """Near means exactly one insertion, deletion, substitution or swap of neighbours."""
    edits = {a[:i] + a[i + 1 :] for i in range(len(a))}
    edits |= {a[:i] + c + a[i + 1 :] for i in range(len(a)) for c in "abc"}
    edits |= {a[:i] + c + a[i:] for i in range(len(a) + 1) for c in "abc"}
    edits |= {a[:i] + a[i + 1] + a[i] + a[i + 2 :] for i in range(len(a) - 1)}
    assert (b in edits and b != a) == is_near(b, [a])


@pytest.mark.parametrize(
    "pattern",
    [
        "a^b",
        "a$b",
        "(?=abc)",
        "(?=abc)x",
        "(a^b|c$d)",
        "a(^b)+",
        "$",
        "^",
        "(?!a)",
        r"a\Ab",
        r"x\Zy",
        "((a)(^b))",
        "a(?:$|^)b",
        "(?<=x)a",
        "(?<=xyz)c|a$b",
    ],
)
def test_a_pattern_that_nothing_fits_is_refused(pattern):
    """Where no answer can fit as a whole, the pattern is a mistake."""
    with pytest.raises(PatternError, match="can accept nothing"):
        compiled(pattern, TextMatch())


@pytest.mark.parametrize(
    ("pattern", "answer"),
    [("^ab$", "ab"), ("(^a|b)c", "bc"), ("a(b$|c)", "ac"), ("(?=a)abc", "abc"), ("(?=.*b)[ab]+", "ab"), ("a(^b)?", "a"), ("a(?=b)b|c", "c"), ("(a(?=b))b", "ab"), ("(a(?=b))b?", "ab"), ("(a(?=a)|a){1,3}", "aa"), ("(a(?=bc)|x)b*c*", "abc"), ("(?<=a)?b", "b"), ("(^)a($)", "a")],
)  # fmt: skip
def test_a_pattern_that_something_fits_is_taken(pattern, answer):
    """Anchors at the ends, alternatives, optional parts and looks ahead are fine where an answer fits."""
    assert compiled(pattern, TextMatch()).fullmatch(answer)


@pytest.mark.parametrize(
    ("pattern", "compared", "match"),
    [
        ("1\u20139", "1-9", {}), ("x\u22121", "x-1", {}), ("it\u2019s", "it's", {}), ("stra\u00dfe", "strasse", {}), ("x\u00b2", "x2", {}),
        ("\u00bd", "1\u20442", {}), ("\ufb01", "fi", {}), ("soft  max", "soft max", {}), ("soft {2}max", "soft max", {}), (r"a\s\sb", "a b", {}),
        (" a", "a", {}), (r"a\s+$", "a", {}), ("e\u0301", "\u00e9", {}), ("[\u2010-\u2015]9", "-9", {}), ("(?:x\u2013)+1", "x-1", {}), ("(\u00bd|\u2153)", "1\u20442", {}),
        (r"q\s+k", "qk", {"space": "remove"}), ("x\u2212", "x-", {"unicode": "exact", "case": "exact"}),
    ],
)  # fmt: skip
def test_a_pattern_that_no_evened_out_answer_fits_is_refused(pattern, compared, match):
    """Answers are evened out, patterns are not: the message says what an answer looks like when it is compared."""
    with pytest.raises(PatternError) as caught:
        compiled(pattern, TextMatch(**match))
    assert "`{}` can accept nothing: the answer `{}` is compared as `{}`, so write that".format(
        pattern, str(caught.value).split("the answer `")[1].split("`")[0], compared
    ) == str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "answer", "match"),
    [
        ("[\u2013-]9", "\u20139", {}), ("(1\u20139|one)", "One", {}), ("(soft)? max", "Soft  Max", {}), ("(\u2013)?x", "X", {}), (r"\w+ \d+", "top 5", {}),
        ("\u00c9", "\u00e9", {}), ("\u212a", "k", {}), ("[^\\w]x", "-x", {}), (r"a\s{1,3}b", "a   b", {}), ("[^x0]b", "ab", {}), ("(?!\u2013)[\u2013-]x", "-x", {}),
        (r"q\s*k", "q k", {"space": "remove"}), ("x\u00b2", "x\u00b2", {"unicode": "NFC"}), ("1\u20139", "1\u20139", {"quotes": "exact"}), ("stra\u00dfe", "stra\u00dfe", {"case": "exact"}),
        (" a", " a", {"space": "exact"}), ("((a{9999}){9999})?b", "b", {}), ("(?:[a-z]?){9}x", "abx", {}),
    ],
)  # fmt: skip
def test_a_pattern_that_some_evened_out_answer_fits_is_taken(pattern, answer, match):
    """One alternative, one member of a set or one more repetition is enough."""
    assert judge_text(TextRule(accept=(TextKey(regex=pattern),), match=TextMatch(**match)), answer).full
