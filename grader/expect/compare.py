"""The comparisons of a suite. Each is a ladder, and the first rung that fails is the message.

callable, parameters (in the worker) - returned kind - number of parts - shape - dtype kind - finite - values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.expect.learner import Returned, Verdict
from grader.expect.show import Array, show_index, show_number, show_pair
from grader.model import Cause, Counterexample

KINDS = {"b": "booleans", "i": "integers", "u": "integers", "f": "floats", "c": "complex numbers"}


def same(
    returned: Returned, expected: Any, *, atol: float, names: tuple[str, ...] = (), exact_zeros: bool = False
) -> None:
    """Says that a call returned what the reference returns.

    Args:
        returned: what ``learner.function(...)`` gave.
        expected: an array, or a tuple of arrays for a function that returns several.
        atol: how far an entry may be off, times the expected size where that is above 1; no default.
        names: what the parts of a tuple are called.
        exact_zeros: whether a 0 in the reference has to be a 0, not merely something small; so a mask, or an entry
            of -inf, is told from a very small weight.

    Raises:
        Verdict: the first rung of the ladder that fails.
    """
    value = returned.value
    if not isinstance(expected, tuple):
        _compare(returned, value, np.asarray(expected), atol, "", exact_zeros=exact_zeros)
        return
    parts = _parts(returned, value, len(expected), names)
    for name, got, wanted in zip(names, parts, expected, strict=True):
        _compare(returned, got, np.asarray(wanted), atol, name, exact_zeros=exact_zeros)


def part(
    returned: Returned,
    index: int,
    expected: Any,
    *,
    atol: float,
    names: tuple[str, ...],
    exact_zeros: bool = False,
) -> None:
    """Says that one part of a returned tuple is what the reference's is; the others are not looked at.

    Raises:
        Verdict: the first rung of the ladder that fails.
    """
    parts = _parts(returned, returned.value, len(names), names)
    _compare(returned, parts[index], np.asarray(expected), atol, names[index], exact_zeros=exact_zeros)


def unchanged(returned: Returned) -> None:
    """Says that the call left its arguments as they were.

    Raises:
        Verdict: it changed one, or did nothing at all.
    """
    value = returned.value
    if not returned.answer.changed:
        if value is None:  # a function that does nothing changes nothing, and has shown nothing by it
            raise _kind_fault(returned, "returned None", "None", "a result")
        return
    at, value = returned.answer.changed[0]
    sent = np.asarray(returned.call.given[at])
    by_keyword = at - len(returned.call.args)
    name = returned.names[at] if by_keyword < 0 else list(returned.call.named)[by_keyword]
    message = f"changed its argument {name}; work on a copy"
    now = np.asarray(value)
    counterexample = None
    if now.shape == sent.shape and now.dtype == sent.dtype:
        place = _first(now != sent)
        got, before = show_pair(name, now, sent, place)
        differs = f"{show_index(name, place)} was {show_number(sent[place])} and is {show_number(now[place])}"
        counterexample = Counterexample(returned.shown, f"{got} afterwards", f"{before} as before", differs)
    raise Verdict(Cause.CHANGED_INPUT, message, counterexample=counterexample)


def raises(returned: Returned, kind: type[Exception], *, mentions: tuple[int, ...] = ()) -> None:
    """Says that a call was refused with an exception of a kind, whose message names the numbers given.

    Raises:
        Verdict: it returned, raised something else, or left a number out.
    """
    answer = returned.answer
    if answer.kind != "raised":
        value = returned.value
        got = f"a {type(value).__name__}" + (f" of shape {value.shape}" if isinstance(value, np.ndarray) else "")
        raise Verdict(
            Cause.WRONG_VALUE,
            f"returned where it has to raise {kind.__name__}",
            counterexample=Counterexample(returned.shown, f"returned {got}", f"raise {kind.__name__}(...)"),
        )
    name, text, frames, unfinished, _, family = answer.detail
    returned.learner.judged += 1
    if unfinished and kind is not NotImplementedError:
        raise returned.learner.explain(returned.call, answer)
    path, line = (frames[-1][0], frames[-1][1]) if frames else ("", None)
    wanted = f"raise {kind.__name__}(...)"
    if kind.__name__ not in family:
        raise Verdict(
            Cause.EXCEPTION,
            f"raised {name} where it has to raise {kind.__name__}",
            path=path,
            line=line,
            counterexample=Counterexample(returned.shown, f"raised {name}: {text}"[:300], wanted),
        )
    missing = [number for number in mentions if not _mentions(text, number)]
    if missing:
        numbers = " and ".join(map(str, mentions))
        raise Verdict(
            Cause.WRONG_VALUE,
            f"the message of its {kind.__name__} does not name {' and '.join(map(str, missing))}",
            path=path,
            line=line,
            counterexample=Counterexample(returned.shown, f"{name}: {text}"[:300], f"a message that names {numbers}"),
        )


def _mentions(text: str, number: int) -> bool:
    """Whether a number stands in a text by itself, not as a part of another."""
    digits = str(number)
    at = text.find(digits)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(digits) : at + len(digits) + 1]
        if not (before.isdigit() or after.isdigit() or (number >= 0 and before == "-")):
            return True
        at = text.find(digits, at + 1)
    return False


def _parts(returned: Returned, value: Any, count: int, names: tuple[str, ...]) -> list[Any]:
    wanted = f"({', '.join(names)})"
    if isinstance(value, list | tuple):
        if len(value) == count:
            return list(value)
        word = "part" if len(value) == 1 else "parts"
        raise _kind_fault(
            returned, f"returned {len(value)} {word} instead of {count}: {wanted}", _kind_of(value), wanted
        )
    raise _kind_fault(
        returned, f"returned {_kind_of(value)} instead of {count} parts: {wanted}", _kind_of(value), wanted
    )


def _kind_fault(returned: Returned, message: str, got: str, wanted: str) -> Verdict:
    if "None" in got and returned.answer.printed:
        message += "; it printed something: return the result rather than print it"
    elif "None" in got:
        message += "; is a return missing?"
    return Verdict(Cause.WRONG_TYPE, message, counterexample=Counterexample(returned.shown, got, wanted))


def _kind_of(value: Any, depth: int = 2) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, list | tuple):
        if depth == 0:
            return f"a {type(value).__name__}"
        inner = ", ".join(_kind_of(item, depth - 1) for item in value[:4]) + (", ..." if len(value) > 4 else "")
        return f"a {type(value).__name__} ({inner})"
    return f"{'an' if isinstance(value, int) and not isinstance(value, bool) else 'a'} {type(value).__name__}"


def _compare(returned: Returned, got: Any, expected: Array, atol: float, name: str, *, exact_zeros: bool) -> None:
    called = name or "the result"
    if not isinstance(got, np.ndarray):
        kind = _kind_of(got)
        raise _kind_fault(
            returned, f"{called} is {kind}, expected an array", kind, f"an array of shape {expected.shape}"
        )
    if got.shape != expected.shape:
        raise Verdict(
            Cause.WRONG_SHAPE,
            f"{called} has shape {got.shape}, expected {expected.shape}",
            counterexample=Counterexample(returned.shown, f"shape {got.shape}", f"shape {expected.shape}"),
        )
    allowed = "fiu" if expected.dtype.kind in "iu" else "f"
    if got.dtype.kind not in allowed:
        kind = KINDS.get(got.dtype.kind, str(got.dtype))
        raise Verdict(
            Cause.WRONG_TYPE,
            f"{called} holds {kind} ({got.dtype}), expected floats",
            counterexample=Counterexample(returned.shown, f"dtype {got.dtype}", "a float dtype"),
        )
    with np.errstate(all="ignore"):  # whatever bits came back, the judge has nothing to warn about
        precise, wanted = got.astype(np.float64), expected.astype(np.float64)
        off = np.abs(precise - wanted) > atol * np.maximum(1.0, np.abs(wanted))
    bad = ~np.isfinite(precise)
    if bad.any():
        at = _first(bad)
        what = "nan" if np.isnan(precise[at]) else "infinite"
        message = f"{called}: {_are(int(bad.sum()), got.size)} {what}"
        raise _value_fault(returned, message, precise, wanted, at, name, atol)
    if exact_zeros:
        off |= (wanted == 0) & (precise != 0)
    if off.any():
        at = _first(off)
        count = int(off.sum())
        message = f"{called}: {_are(count, got.size)} wrong"
        if abs(precise[at] - wanted[at]) <= atol:
            message = f"{called}: {_are(count, got.size)} not exactly 0"
        raise _value_fault(returned, message, precise, wanted, at, name, atol)


def _are(count: int, size: int) -> str:
    return f"{count} of {size} entries {'is' if count == 1 else 'are'}"


def _value_fault(
    returned: Returned, message: str, got: Array, expected: Array, at: tuple[int, ...], name: str, atol: float
) -> Verdict:
    shown_got, shown_expected = show_pair(name or "result", got, expected, at)
    digits = 6
    while digits < 17 and show_number(got[at], digits) == show_number(expected[at], digits):
        digits += 1
    differs = (
        f"{show_index(name or 'result', at)} is {show_number(got[at], digits)}, "
        f"expected {show_number(expected[at], digits)} (tolerance {atol:g})"
    )
    return Verdict(
        Cause.WRONG_VALUE,
        message,
        counterexample=Counterexample(returned.shown, shown_got, shown_expected, differs),
    )


def _first(where: Array) -> tuple[int, ...]:
    """The first place at which a boolean array is true."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(where)), where.shape))
