"""What came of a call, by the learner's function or by a model, and how two of these are compared."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.expect.mistakes import AnyText, Refused
from grader.protocol import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.expect.learner import Answer, Call

Shapes = tuple[tuple[int, ...], ...]
SMALL = 1e-12
PRECISE, SINGLE = 1e-9, 2e-5  # how far two results of one computation may be apart, given float64 and float32
BLUR: dict[Any, float] = {np.float32: 5e-6, np.float16: 1e-2}
PLAIN = (bool, int, float, str, list, tuple, np.ndarray, np.generic, type(None))
# What Python's own arithmetic raises where numpy's gives inf or nan.
ARITHMETIC = {"OverflowError", "ZeroDivisionError", "FloatingPointError"}
KINDS = {"b": "b", "i": "i", "u": "i", "f": "f", "c": "c"}  # kinds of numbers; the sign of whole ones is all the same
SHAPES = {"ValueError", "IndexError"}  # what numpy raises when shapes do not fit; which of them depends on the wording


@dataclass(slots=True, eq=False)  # not frozen, which would take as long as the rest of its making several times over
class Came:
    """What came of one call.

    Attributes:
        kind: "value", "raised", or why there is no value, in the wire's words.
        value: what was returned.
        said: the message of an exception, or the description of a value that is no plain data.
        family: the names of the exception's classes, the most special first.
        changed: the positions of the arguments that the call changed.
    """

    kind: str
    value: Any = None
    said: str = ""
    family: tuple[str, ...] = ()
    changed: tuple[int, ...] = ()

    @property
    def shapes(self) -> Shapes:
        """The shapes of the arrays in what was returned; none of an exception."""
        return tuple(part.shape for part in arrays_of(self.value)) if self.kind == "value" else ()

    @property
    def content(self) -> Any:
        """Equal for outcomes that are the same to the last bit; for what is no array, only for the same object."""
        parts = self.value if isinstance(self.value, tuple) else (self.value,)
        held = tuple(
            (part.dtype.char, part.shape, part.tobytes()) if type(part) is np.ndarray else part is not None and id(self)
            for part in parts
        )
        return self.kind, isinstance(self.value, tuple), held, self.said, self.family, self.changed

    def frozen(self) -> Came:
        """The same with copies of the arrays, which nobody fills with anything else."""
        return replace(self, value=copy.deepcopy(self.value))


def came_of(answer: Answer) -> Came:
    """What the worker said of a learner's call."""
    changed = tuple(at for at, _ in answer.changed)
    match answer.kind:
        case "value":
            return Came("value", answer.value, changed=changed)
        case "raised":
            _, text, _, _, _, family = answer.detail
            return Came("raised", said=text, family=tuple(family), changed=changed)
    return Came(answer.kind, said=str(answer.detail[0]), changed=changed)


def outcome(function: Callable[..., Any], args: Sequence[Any], named: dict[str, Any]) -> Came:
    """Calls a trusted function and says what came of it; which arguments changed is left to ``with_changes``."""
    try:
        value = function(*args, **named)
    except Refused:
        return Came("signature")
    except Exception as error:  # noqa: BLE001 - a wrong choice may raise whatever a learner's code may
        return Came("raised", said=str(error), family=tuple(kind.__name__ for kind in type(error).__mro__))
    if type(value) not in PLAIN and not isinstance(value, np.generic | AnyText):
        return Came("unsupported", said=describe(value))
    if isinstance(value, tuple) and any(isinstance(part, np.matrix) for part in value):
        return Came("unsupported", said=describe(next(part for part in value if isinstance(part, np.matrix))))
    return Came("value", value)


@dataclass(frozen=True, slots=True)
class Frame:
    """What two outcomes of a call are compared in the light of.

    Attributes:
        right: the reference's outcome, which says whether an exception is asked for, and of which class.
        tolerance: how far entries may be apart, times their size where that is above 1.
        numbers: those of the call that the reference's exception names.
    """

    right: Came
    tolerance: float
    numbers: frozenset[str]


def frame_of(call: Call, right: Came) -> Frame:
    """The frame of a call, given the reference's outcome."""
    arrays = [value for value in call.given if isinstance(value, np.ndarray)]
    single = any(array.dtype == np.float32 for array in arrays)
    numbers = {str(value) for value in call.given if isinstance(value, int)}
    numbers.update(str(size) for array in arrays for size in array.shape)
    named = frozenset(numbers & _numbers(right.said)) if right.kind == "raised" else frozenset()
    return Frame(right, SINGLE if single else PRECISE, named)


def agreement(got: Came, wanted: Came, frame: Frame, grid: Any = None, known: dict[Any, bool] | None = None) -> float:
    """How much of an outcome another one explains: 1 for all of it, less for some of its parts.

    Args:
        got: the learner's.
        wanted: the model's.
        frame: what they are compared in the light of.
        grid: a type of few digits that the model computed in, if it did.
        known: which arrays were compared before, for an outcome of the learner's that lives as long: models come to
            the same again and again.
    """
    alike, every = parts_alike(got, wanted, frame, grid, known)
    return alike.bit_count() / every.bit_count()


def distance(got: Came, wanted: Came) -> float:
    """How far two outcomes are apart, where neither explains the other: 0 and above; infinite without a measure."""
    if got.kind != "value" or wanted.kind != "value":
        return np.inf
    far = 0.0
    for one, other in zip(arrays_of(got.value), arrays_of(wanted.value), strict=False):
        if one.shape != other.shape or one.dtype.kind not in "fi" or other.dtype.kind not in "fi":
            far += 1.0
        elif one.size:
            off = float(np.abs(one - other).mean() / (np.abs(one).mean() + SMALL))
            far += min(off, 1.0) if np.isfinite(off) else 1.0
    return far


def parts_alike(
    got: Came, wanted: Came, frame: Frame, grid: Any = None, known: dict[Any, bool] | None = None
) -> tuple[int, int]:
    """Which parts of an outcome another one explains, and all parts that there are: a bit for each.

    The first is for the arguments that were changed, the others are for what was returned or raised.
    """
    changed = int(got.changed == wanted.changed)
    if got.kind != wanted.kind:
        return changed | 2 * (_overflowed(got, wanted) or _overflowed(wanted, got)), 3
    if got.kind == "value":
        alike = _alike(got.value, wanted.value, frame.tolerance, grid, {} if known is None else known)
        return changed | sum(2 << at for at, one in enumerate(alike) if one), (2 << len(alike)) - 1
    if got.kind == "raised":
        return changed | 2 * _same_exception(got, wanted, frame), 3
    return changed | 2 * (got.kind == "signature" or got.said == wanted.said), 3


def _overflowed(raised: Came, value: Came) -> bool:
    """Whether one raised what Python's arithmetic raises, and the other has numpy's nan or inf for it."""
    if raised.kind != "raised" or value.kind != "value" or not ARITHMETIC & set(raised.family):
        return False
    return not all(np.isfinite(part).all() for part in arrays_of(value.value) if part.dtype.kind in "fc")


def arrays_of(value: Any) -> list[Any]:
    """The arrays and numbers in a returned value."""
    parts = value if isinstance(value, tuple | list) else [value]
    return [np.asarray(part) for part in parts if isinstance(part, np.ndarray | np.generic | int | float)]


def _same_exception(got: Came, wanted: Came, frame: Frame) -> bool:
    if frame.right.kind == "raised":  # an exception that the contract asks for: its class and what it names matter
        kind = frame.right.family[0]
        if (kind in got.family) != (kind in wanted.family):
            return False
        if kind in got.family:
            return frame.numbers & _numbers(got.said) == frame.numbers & _numbers(wanted.said)
    elif (got.family, got.said) == (wanted.family, wanted.said):  # of two calls of the learner's, neither with a text
        return True
    elif not wanted.said:  # the model stands for whatever shapes that do not fit make of it
        return _sort_of(got.family) in ("shapes", "types", "AttributeError", "AssertionError")
    elif "truth value" in got.said or "truth value" in wanted.said:
        return "truth value" in got.said and "truth value" in wanted.said
    return _sort_of(got.family) == _sort_of(wanted.family)


def _sort_of(family: tuple[str, ...]) -> str:
    return "shapes" if SHAPES & set(family) else "types" if "TypeError" in family else (family or ("",))[0]


def _numbers(text: str) -> set[str]:
    """The whole numbers in a message."""
    kept = "".join(char if char.isdigit() or char == "-" else " " for char in text)
    return {word for word in kept.split() if word.lstrip("-").isdigit()}


def _alike(got: Any, wanted: Any, tolerance: float, grid: Any, known: dict[Any, bool]) -> list[bool]:
    """Whether two values are close, part by part where there are several."""
    if isinstance(wanted, tuple) or _has_arrays(wanted):
        if not isinstance(got, tuple | list) or len(got) != len(wanted):
            return [False]
        if not wanted:
            return [True]
        return [
            _close(one, other, tolerance, grid, known)
            if type(one) is type(other) is np.ndarray  # nearly always
            else all(_alike(one, other, tolerance, grid, known))
            for one, other in zip(got, wanted, strict=True)
        ]
    if type(wanted) is np.ndarray and type(got) is np.ndarray:
        return [_close(got, wanted, tolerance, grid, known)]
    if isinstance(wanted, AnyText):
        return [isinstance(got, str)]
    if got is None or wanted is None or isinstance(got, str) or isinstance(wanted, str):
        return [type(got) is type(wanted) and got == wanted]
    if isinstance(got, list | tuple) or isinstance(wanted, list):
        return [_lists_alike(got, wanted, tolerance)]
    return [_close(np.asarray(got), np.asarray(wanted), tolerance, grid, {})]


def _has_arrays(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, np.ndarray) for part in value)


def _lists_alike(got: Any, wanted: Any, tolerance: float) -> bool:
    """Nested lists, which a learner may return where an array is asked for."""
    if not isinstance(got, list | tuple) or not isinstance(wanted, list):
        return False
    try:
        return _close(np.asarray(got, dtype=float), np.asarray(wanted, dtype=float), tolerance, None, {})
    except (ValueError, TypeError):
        return False


def _close(got: Any, wanted: Any, tolerance: float, grid: Any, known: dict[Any, bool]) -> bool:
    if got.shape != wanted.shape:
        return False
    kinds = KINDS.get(got.dtype.kind), KINDS.get(wanted.dtype.kind)
    if kinds[0] is None or (kinds[0] != kinds[1] and kinds != ("f", "i")):  # floats do as well where numbers are whole
        return False
    if got.size == 0:
        return True
    if kinds[0] != "f":
        return bool(np.abs(got.astype(complex) - wanted).max() <= tolerance)
    if grid is None:
        first, other = got.item(0), wanted.item(0)  # most candidates differ at once: the rest need not be looked at
        if abs(first - other) > tolerance * max(1.0, abs(other)):
            return False
    key = id(got), wanted.dtype, wanted.tobytes(), grid
    close = known.get(key)
    if close is None:
        close = known[key] = _all_close(got, wanted, tolerance, grid)
    return close


def _all_close(got: Any, wanted: Any, tolerance: float, grid: Any) -> bool:
    if grid is not None and _on_grid(got, grid):
        tolerance = max(tolerance, BLUR[grid])
    off = np.maximum.reduce(np.abs(got - wanted) - tolerance * np.maximum(1.0, np.abs(wanted)), axis=None)
    if not math.isfinite(off):  # nor is an entry of one of them
        finite = np.isfinite(got)
        if not np.array_equal(finite, np.isfinite(wanted)):
            return False
        got, wanted = got[finite], wanted[finite]
        return not got.size or _all_close(got, wanted, tolerance, None)
    if off > 0:
        return False
    # Weights, none of which is below 0: an exact 0 is something else than a very small one.
    lowest = min(np.minimum.reduce(got, axis=None), np.minimum.reduce(wanted, axis=None))
    return bool(lowest < 0) or (got == 0).tobytes() == (wanted == 0).tobytes()


def _on_grid(array: Any, grid: Any) -> bool:
    """Whether every entry of an array can be written in a type of few digits."""
    with np.errstate(all="ignore"):
        return array.dtype == grid or bool(np.array_equal(array.astype(grid).astype(array.dtype), array))
