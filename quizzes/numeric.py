"""Reads numbers that people type and compares them exactly.

An author's number is decimal text (``0.125``, ``-3``, ``1e-4``), never Python's or YAML's idea of one: no
hexadecimal, no leading zeros, no sixty-base times. A learner may also type ``.125``, ``1/8``, ``1_000``,
``1.25 * 10^-1`` and, if the question says so, ``12.5%``, with any dash for a minus. What could be two numbers
(``0,125``, ``16,000``) is refused with a question back, which costs no attempt.

Everything is compared as fractions, so that no rounding decides a verdict. Sizes are capped before anything
is computed: 1e999999999 as a fraction would fill the memory. What a person types beyond any key and tolerance is
taken for the last number that is not: it is as wrong, or as near to 0.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from quizzes.model import Number
from quizzes.record import Record
from quizzes.text import DASHES, bare, raised, visible

if TYPE_CHECKING:
    from quizzes.model import NumberRule, NumericAnswer

MAX_LENGTH = 60
MAX_EXPONENT = 400  # of an author's number
FAR_EXPONENT = 1000  # of one that is typed: the product of two of an author's is not as far
KINDS = ("decimal", "fraction", "scientific", "percent")

_AUTHORED = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?", re.ASCII)
# Strings, which `re` compiles at their first use: most sittings need none of these.
_SPECIAL = r"[+-]?(?i:inf|infinity|nan)"
_PLAIN = r"[+-]?(?:[0-9]+(?:_[0-9]+)*\.?[0-9]*|\.[0-9]+)"
_SCIENTIFIC = rf"({_PLAIN})[eE]([+-]?[0-9]+)"
_FRACTION = rf"({_PLAIN})\s*/\s*({_PLAIN})"
_POWER = rf"(?:({_PLAIN})\s*[xX*\u00d7\u00b7\u22c5]\s*|([+-]?))10\s*(?:\^|\*\*)\s*[({{]?([+-]?[0-9]+)[)}}]?"
_THOUSANDS = r"[+-]?[1-9][0-9]{0,2}(?:([,'\u2019\s])[0-9]{3})(?:\1[0-9]{3})*(\.[0-9]*)?"
_WHOLE = f"{_SPECIAL}|{_PLAIN}|{_SCIENTIFIC}|{_POWER}|{_FRACTION}|{_THOUSANDS}"
# What a keyboard or a word processor makes of signs and digits.
_SIGNS = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},  # as wide as a Chinese character
        **dict.fromkeys(f"{DASHES}\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2044\u2215\u00f7", "/"),
        "\u221e": "inf",
        "\u00b5": "\u03bc",
    }
)
_VULGAR = "[\u00bc-\u00be\u2150-\u215e]"  # such as one half


class NumberError(ValueError):
    """A text that is no number; the message is fit for a person."""


class Typed(Record, kw_only=False):
    """A number somebody typed: its value, or the word nan, inf or -inf."""

    value: Fraction | None
    word: str = ""


def authored(text: str) -> Number:
    """Return an author's number with its text; NumberError says what is wrong with one that is none."""
    if len(text) > MAX_LENGTH:
        raise NumberError(f"a number of {len(text)} characters; {MAX_LENGTH} are the most")
    if re.fullmatch(_SPECIAL, text):
        return Number(text, Decimal(text))
    if not _AUTHORED.fullmatch(text):
        raise NumberError(f"`{text}` is no decimal number{_why(text)}")
    value = Decimal(text)
    if value and abs(value.adjusted()) > MAX_EXPONENT:
        raise NumberError(f"`{text}` is beyond 10 to the power of {MAX_EXPONENT}")
    return Number(text, value)


def _why(text: str) -> str:
    if re.fullmatch(r"[+-]?0[0-9_]+(\.[0-9]*)?", text):
        return ": it begins with a zero"
    if "_" in text:
        return ": leave out the underscore"
    if text.startswith((".", "+.", "-.")) or text.endswith("."):
        return ": write a digit on both sides of the point"
    if re.fullmatch(r"[+-]?0[xXbBoO][0-9a-fA-F]+", text):
        return ": write it in base ten"
    if "/" in text:
        return ": use `expr:` for a fraction"
    if "," in text:
        return ": the decimal sign is a point"
    if text.endswith("%"):
        return ": write the share, such as 0.5 for 50%"
    if _AUTHORED.fullmatch(plainer := _plainer(text)):
        return f": write {plainer}, in ASCII"
    return ""


def typed(text: str, rule: NumberRule) -> Typed:
    """Return the number a person typed; NumberError says what else it may have been."""
    short = re.sub(r"^([+-])\s+", r"\1", _without_unit(_plainer(bare(text)), _plainer(rule.unit)))
    if len(short) > MAX_LENGTH:
        raise NumberError(f"that is longer than {MAX_LENGTH} characters; a number is expected")
    if re.fullmatch(_SPECIAL, short) and any(
        a.value is not None and not a.value.value.is_finite() for a in rule.answers
    ):
        return Typed(None, str(Decimal(short)).lower().replace("infinity", "inf"))
    if short.endswith("%"):
        if "percent" not in rule.accept:
            raise NumberError(f"a percentage is not what is asked for; type the number as {forms(rule)}")
        return Typed(_finite(short[:-1].strip(), rule, plain=True) / 100)
    return Typed(_finite(short, rule, plain="decimal" in rule.accept))


def _plainer(text: str) -> str:
    """Return what is typed in ASCII, as far as each sign has one meaning there."""
    if text.isascii():
        return text.strip()
    # A fraction in one character may follow a whole number, and an exponent a base.
    text = re.sub(_VULGAR, lambda found: f" {unicodedata.normalize('NFKC', found[0])}", visible(text))
    return raised(text).translate(_SIGNS).strip()


def _without_unit(text: str, unit: str) -> str:
    """Return a number without the unit after it; 50 is 50 also where the unit is 0, and 5e5 where it is e5."""
    if not unit or not text.endswith(unit) or re.fullmatch(_WHOLE, text[: MAX_LENGTH + 1]):
        return text
    return text.removesuffix(unit).strip()


def _finite(text: str, rule: NumberRule, *, plain: bool) -> Fraction:
    if re.fullmatch(_PLAIN, text):
        # A whole number is a fraction too.
        if not plain and ("." in text or "fraction" not in rule.accept):
            raise NumberError(f"type the number as {forms(rule)}")
        return _fraction(text)
    if match := re.fullmatch(_SCIENTIFIC, text) or re.fullmatch(_POWER, text):
        if "scientific" not in rule.accept:
            raise NumberError(f"type the number as {forms(rule)}, not with an exponent")
        *number, exponent = match.groups()
        return _fraction(number[0] or f"{number[1]}1", int(exponent))
    if match := re.fullmatch(_FRACTION, text):
        if "fraction" not in rule.accept:
            raise NumberError(f"type the number as {forms(rule)}, not as a fraction")
        below = _fraction(match[2])
        if not below:
            raise NumberError("that divides by zero")
        return _fraction(match[1]) / below
    if match := re.fullmatch(_THOUSANDS, text):
        sign = match[1]
        whole = text.replace(sign, "")
        if sign == "," and "." not in text and text.count(",") == 1:  # it may be the decimal sign as well
            raise NumberError(f"a comma means two things; did you mean {whole} or {text.replace(',', '.')}?")
        name = {",": "comma"}.get(sign, "space" if sign.isspace() else "apostrophe")
        raise NumberError(f"leave out the {name}; did you mean {whole}?")
    pointed = re.sub(r"(?<![0-9])\.", "0.", text.replace(",", "."))
    if "," in text and re.fullmatch(_WHOLE, pointed):
        raise NumberError(f"the decimal sign is a point; did you mean {pointed}?")
    raise NumberError(f"that is not a number; type {forms(rule)}")


# One number in each of KINDS, and another for where the first is an answer: a prompt must not give it away.
_EXAMPLES = {
    Fraction(1, 8): (
        "a decimal such as 0.125",
        "a fraction such as 1/8",
        "one such as 1.25e-1",
        "a percentage such as 12.5%",
    ),
    Fraction(11, 4): (
        "a decimal such as 2.75",
        "a fraction such as 11/4",
        "one such as 2.75e0",
        "a percentage such as 275%",
    ),
}
_NO_EXAMPLE = ("a decimal", "a fraction", "one with an exponent", "a percentage")


def forms(rule: NumberRule) -> str:
    """Return in which forms a number may be typed, in words, with an example that is no answer."""
    examples = (said for number, said in _EXAMPLES.items() if not any(meets(number, one) for one in rule.answers))
    named = zip(KINDS, next(examples, _NO_EXAMPLE), strict=True)
    return " or ".join(said for kind, said in named if kind in rule.accept)


def meets(number: Fraction, answer: NumericAnswer) -> bool:
    """Tell whether a number is as near to an answer as its tolerance asks for."""
    if answer.value is None or not answer.value.value.is_finite():
        return False
    key = answer.value.value
    return abs(number - Fraction(key)) <= tolerance(key, answer.abs, answer.rel)


def as_typed(number: Number, rule: NumberRule) -> str:
    """Return an author's number in a form in which the question takes it: as written, if that is one."""
    value = number.value
    if not value.is_finite():
        return number.text
    fraction = str(Fraction(value).limit_denominator(10_000))
    for text in (number.text, f"{value:f}", fraction, f"{value:e}", f"{shown(value * 100)}%"):
        with contextlib.suppress(NumberError):
            typed(text, rule)
            return text
    return number.text


def typed_back(number: Number, rule: NumberRule) -> Fraction:
    """Return what an author's number is once it is typed as it is shown; itself if it cannot be typed."""
    try:
        back = typed(as_typed(number, rule), rule).value
    except NumberError:
        back = None
    return Fraction(number.value) if back is None else back


def _fraction(plain: str, exponent: int = 0) -> Fraction:
    value = Decimal(plain.replace("_", ""))
    if not value:
        return Fraction(0)
    size = value.adjusted() + exponent
    if abs(size) > FAR_EXPONENT:
        far = Fraction(10) ** (FAR_EXPONENT if size > 0 else -FAR_EXPONENT)
        return far if value > 0 else -far
    return Fraction(value) * Fraction(10) ** exponent


def tolerance(value: Decimal, absolute: Number | None, relative: Number | None) -> Fraction:
    """Return how far off still counts: the wider of ``abs`` and ``rel * |value|``; both ends belong to it."""
    margins = [Fraction(0)]
    if absolute is not None:
        margins.append(Fraction(absolute.value))
    if relative is not None:
        margins.append(Fraction(relative.value) * abs(Fraction(value)))
    return max(margins)


def digits(value: Decimal) -> str:
    """Return a number as plain decimal text, without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimal_text(value: Fraction) -> str:
    """Return a fraction that comes from decimals as decimal text, every digit of it."""
    with localcontext(prec=2 * MAX_EXPONENT):
        return digits(Decimal(value.numerator) / Decimal(value.denominator))


def shown(value: Decimal, precision: int = 6) -> str:
    """Return a computed value as a person would write it: no trailing zeros, an exponent only if it must be.

    What stands before the point is never rounded away.
    """
    if not value.is_finite():
        return str(value).lower()
    if not value:
        return "0"
    places = value.adjusted()
    if not -5 <= places < 16:
        return f"{Decimal(f'{value:.{precision}g}').normalize():e}"
    return digits(Decimal(f"{value:.{max(precision, places + 2)}g}"))
