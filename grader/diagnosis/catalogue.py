"""All that can be said of a value by comparing it with the steps of a reference on one probe.

A value is a step, or a part of one, whatever the order of its axes; or a step shifted, or scaled, in a way that
changes nothing later; or a sum or largest entry of one; or mask-like; or unknown.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.expect.steps import Step

Array = np.ndarray[Any, Any]
MAX_AXES = 5
CLOSE = {"e": 2e-3, "f": 1e-5}  # by the letter of a dtype; the others:
CLOSE_FLOAT64 = 1e-9
MASKED = -900.0  # below every score of a probe: what takes the place of -inf
MAX_ROWS = 4_000
ALL = slice(None)
MAX_FOUND = 2_000  # values whose names are remembered


class Standing(IntEnum):
    """What a value is to the reference.

    RIGHT: a step, or as good as one. PLAIN: nothing that could be wrong by itself, such as a size or a mask.
    KNOWN: made from a step in a known way, which may or may not be the right one. UNKNOWN: none of these.
    """

    RIGHT = 0
    PLAIN = 1
    KNOWN = 2
    UNKNOWN = 3


class Form(IntEnum):
    """How a value is like the step that it is compared with."""

    NONE = 0
    WHOLE = 1  # entry by entry
    PIECE = 2  # a row, a column, a range
    MOVED = 3  # its axes in another order
    LOOSE = 4  # up to a shift or a factor that changes nothing later
    MADE = 5  # reshaped, repeated, multiplied, summed


@dataclass(frozen=True, slots=True)
class Named:
    """What a value is, for the judge and in words."""

    standing: Standing
    text: str
    step: str = ""
    form: Form = Form.NONE


def close(got: Array, wanted: Array, tolerance: float) -> Array:
    """Entry by entry, whether two arrays agree; a large negative number stands for -inf."""
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.isfinite(wanted) & (np.abs(got - wanted) <= tolerance * np.maximum(1.0, np.abs(wanted)))
    return np.asarray(near | (got == wanted) | ((wanted == -np.inf) & (got <= MASKED)))


def tolerance_of(value: Array) -> float:
    """How far a value of this dtype may be off and still be right."""
    return CLOSE.get(value.dtype.char, CLOSE_FLOAT64)


Order = tuple[int, ...]  # of an array's axes
Index = tuple[int | slice, ...]  # of an array's first axes; none of the whole
Rows = Callable[[], Array]  # makes arrays, each flattened to a row
Name = Callable[[int], Named]  # of one of these rows


class _Table:
    """Flattened arrays by their size, to be found again by their entries.

    Rows and names are made when they are asked for: few sizes ever are, and of thousands of names hardly one.
    """

    def __init__(self) -> None:
        self._made_of: dict[int, list[tuple[Rows, Name]]] = {}
        self._stacked: dict[int, tuple[Array, list[int]]] = {}

    def add(self, size: int, rows: Rows, name: Name) -> None:
        """Adds arrays of one size."""
        if size:
            self._made_of.setdefault(size, []).append((rows, name))

    def find(self, value: Array, orders: Iterable[Order], tolerance: float) -> Named | None:
        """The first name under which such entries stand, with the value's axes in one of some orders."""
        if value.size not in self._made_of:
            return None
        rows, starts = self._rows(value.size)
        # Most rows differ in their first entry, which is the same in every order of the axes.
        near = np.flatnonzero(close(value[(0,) * value.ndim], rows[:, 0], tolerance))
        if not near.size:
            return None
        candidates = rows[near]
        for order in orders:
            alike = close(value.transpose(order).ravel(), candidates, tolerance).all(axis=1)
            if alike.any():
                row = int(near[np.argmax(alike)])
                group = bisect_right(starts, row) - 1
                return self._made_of[value.size][group][1](row - starts[group])
        return None

    def _rows(self, size: int) -> tuple[Array, list[int]]:
        """All arrays of a size, and where those of each group begin."""
        if size not in self._stacked:
            with np.errstate(all="ignore"):
                groups = [rows().reshape(-1, size) for rows, _ in self._made_of[size]]
            starts = [0, *itertools.accumulate(map(len, groups))][:-1]
            self._stacked[size] = np.concatenate(groups)[:MAX_ROWS], starts
        return self._stacked[size]


class Catalogue:
    """The values of a reference on one probe, and what is made of them.

    Args:
        steps: in the order of the reference.
        aside: values that other right ways have.
        sizes: lengths of axes and other whole numbers of the probe.
    """

    def __init__(self, steps: list[Step], aside: list[Step], sizes: set[int]) -> None:
        self._steps = [step for step in steps if step.value.dtype.kind in "iuf"]
        self._masks = [step for step in steps if step.value.dtype.kind == "b"]
        self._powers = {float(size) ** power for size in sizes for power in (1, 0.5, 0.25, -0.25, -0.5, -1) if size > 0}
        self._whole = any(step.value.dtype.kind in "iu" for step in self._steps)
        self._right, self._known, self._shifts, self._factors = _Table(), _Table(), _Table(), _Table()
        self._found: dict[tuple[Any, ...], Named] = {}
        self._aside = aside
        self._named = named = [*self._steps, *aside]
        self._values = {step.name: _precise(step.value) for step in named}
        for step in named:
            whole = Named(self._standing(step), step.name, step.name, Form.WHOLE)
            self._right.add(step.value.size, partial(_precise, step.value), lambda _, whole=whole: whole)  # type: ignore[misc]
        for step in named:
            self._add(step, self._standing(step))
        self._usual = self._usual_factors()

    def _standing(self, step: Step) -> Standing:
        return Standing.RIGHT if step in self._steps else Standing.KNOWN

    def _add(self, step: Step, standing: Standing) -> None:
        value = _precise(step.value)
        for piece in _pieces(value):
            self._right.add(piece.size, piece.rows, partial(_piece_of, step, piece, standing, Form.PIECE, ""))
        if value.ndim <= MAX_AXES:
            moved = Named(standing, f"{step.name}, axes moved", step.name, Form.MOVED)
            for order in itertools.permutations(range(value.ndim)):
                self._right.add(value.size, partial(value.transpose, order), lambda _: moved)
        for axes in (*range(value.ndim), None):
            size = 1 if axes is None else value.size // max(value.shape[axes], 1)
            for word, reduce in REDUCTIONS.items():
                made = partial(_reduction_of, step, word, axes)
                self._known.add(size, partial(_reduced, reduce, value, axes), made)
        for free, table, reduced, word in (
            (step.shift, self._shifts, _without_shift, "shifted"),
            (step.factor, self._factors, _without_factor, "up to a factor"),
        ):
            if free is not None and value.ndim:
                bare = reduced(np.moveaxis(value, free, -1), -1)
                for piece in _pieces(bare, keep_last=True):
                    table.add(
                        piece.size, piece.rows, partial(_piece_of, step, piece, standing, Form.LOOSE, f", {word}")
                    )

    def _usual_factors(self) -> list[float]:
        """Factors that lie between one step of the reference and the next, and their roots."""
        found = []
        for earlier, later in itertools.combinations(self._steps, 2):
            if earlier.value.shape == later.value.shape:
                factor = constant_factor(_precise(later.value), _precise(earlier.value), CLOSE_FLOAT64)
                if factor is not None and factor > 0:
                    found += [factor, math.sqrt(factor)]
        return found

    def name(self, value: Array | str) -> Named:
        """What a value is."""
        if isinstance(value, str):
            return Named(Standing.UNKNOWN, value)
        key = (value.dtype.char, value.shape, value.tobytes())
        if key not in self._found:
            if len(self._found) >= MAX_FOUND:
                self._found.clear()
            self._found[key] = self._name(value)
        return self._found[key]

    def _name(self, value: Array) -> Named:
        if value.dtype.kind == "b":
            return self._name_mask(value)
        if value.dtype.kind == "c" or not value.size:
            return Named(Standing.UNKNOWN, "")
        precise, tolerance = _precise(value), tolerance_of(value)
        plain = self._plain(value, precise)
        filled = precise.size == 1 or precise.flat[0] in (0.0, 1.0) or not np.isfinite(precise).all()
        if plain is not None and (value.dtype.kind != "f" or filled):
            return plain
        found = self._find(precise, tolerance)
        if found is None:
            bare = _without_copies(precise)
            once = self._find(bare, tolerance) if bare.size < precise.size else None
            found = once and Named(max(once.standing, Standing.KNOWN), f"{once.text}, repeated", once.step, Form.MADE)
        return found or plain or Named(Standing.UNKNOWN, "")

    def _find(self, value: Array, tolerance: float) -> Named | None:
        """A step or a part of one, also up to a shift or factor."""
        squeezed = value.squeeze()
        if squeezed.ndim > MAX_AXES:
            return None
        orders = list(itertools.permutations(range(squeezed.ndim)))
        found = self._right.find(squeezed, orders, tolerance)
        if found is not None:
            return self._in_shape(value, squeezed, found, tolerance)
        if squeezed.size == 1:
            return self._known.find(squeezed, orders, tolerance)
        for table, reduced in ((self._shifts, _without_shift), (self._factors, _without_factor)):
            for axis in range(squeezed.ndim):
                bare = reduced(squeezed, axis)
                if np.sum(np.isfinite(bare) & (bare != 0)) < 2:  # too little to tell one thing from another
                    continue
                found = table.find(bare, [order for order in orders if order[-1] == axis], tolerance)
                if found is not None:
                    return found
        return self._known.find(squeezed, orders, tolerance) or self._multiple(value, tolerance)

    def _in_shape(self, value: Array, squeezed: Array, found: Named, tolerance: float) -> Named:
        """A name for a value whose entries are those of a step, in some order; its shape is still to be looked at."""
        if found.form is Form.PIECE:
            return found
        whole = self._values[found.step]
        if squeezed.shape == whole.squeeze().shape and close(squeezed, whole.squeeze(), tolerance).all():
            return Named(found.standing, found.step, found.step, Form.WHOLE)
        for step in self._steps:
            for form in forms(squeezed, step.value.squeeze().shape):
                if squeezed.ndim == form.ndim and close(form, step.value.squeeze(), tolerance).all():
                    return Named(found.standing, f"{step.name}, axes moved", step.name, Form.MOVED)
        for step in self._steps:
            # The entries of a step in its shape, but not in its order: a reshape where axes had to be moved.
            if step.value.shape != value.shape or step.value.ndim < 2:
                continue
            if close(np.sort(value, axis=None), np.sort(_precise(step.value), axis=None), tolerance).all():
                return Named(Standing.UNKNOWN, f"{found.step}, reshaped", found.step, Form.MADE)
        return Named(Standing.KNOWN, f"{found.step}, reshaped", found.step, Form.MADE)

    def _multiple(self, value: Array, tolerance: float) -> Named | None:
        """A whole step times one number, or shifted or scaled along some axis."""
        for step in self._named:
            for form in forms(value, step.value.shape):
                wanted = _precise(step.value)
                factor = constant_factor(form, wanted, tolerance) if step in self._steps else None
                if factor is not None:
                    # q / sqrt(d_k) in place of scores / sqrt(d_k) is as right.
                    usual = not step.formula and any(math.isclose(factor, one, rel_tol=1e-6) for one in self._usual)
                    text = f"{step.name} times {show_factor(factor)}"
                    if usual:
                        return Named(Standing.RIGHT, text, step.name, Form.WHOLE)
                    return Named(Standing.UNKNOWN, text, step.name, Form.MADE)
                if _along_an_axis(form, wanted, tolerance):
                    # An argument has no such freedom, unless the lesson says so.
                    free = step.formula or step in self._aside or step.shift is not None
                    standing = Standing.KNOWN if free else Standing.UNKNOWN
                    return Named(standing, f"{step.name}, shifted or scaled along an axis", step.name, Form.MADE)
        return None

    def _name_mask(self, value: Array) -> Named:
        """What truth values are: the mask, a part of it, its inverse; unknown ones may hide what should be seen."""
        if value.ndim < 2 and value.size <= 1:
            return Named(Standing.PLAIN, "a truth value")
        for step in self._masks:
            for word, wanted in (("", step.value), (", inverted", ~step.value)):
                for form in forms(value, wanted.shape):
                    if np.array_equal(form, wanted):
                        return Named(Standing.PLAIN, step.name + word, step.name, Form.WHOLE)
                bare = value.squeeze()
                for piece in _pieces(wanted):
                    if piece.shape == bare.shape and (same := (piece.rows() == bare.ravel()).all(axis=1)).any():
                        return _piece_of(step, piece, Standing.PLAIN, Form.PIECE, word, int(np.argmax(same)))
                if value.size > wanted.size and any(value.shape == other.value.shape for other in self._steps):
                    broadcast = np.expand_dims(wanted, -3) if wanted.ndim > 2 else wanted
                    for one in (wanted, broadcast):
                        if _broadcasts(one, value):
                            return Named(Standing.PLAIN, f"{step.name}{word}, repeated", step.name, Form.WHOLE)
        if value.all() or not value.any():
            return Named(Standing.PLAIN, "one truth value throughout")
        return Named(Standing.UNKNOWN, "truth values")

    def _plain(self, value: Array, precise: Array) -> Named | None:
        """What is no step, and could not be one."""
        entries = np.unique(precise)
        if value.ndim == 0:
            if value.dtype.kind in "iu":
                return Named(Standing.PLAIN, "a whole number") if not self._whole else None
            number = float(precise)
            if number in (0.0, 1.0, -1.0) or not math.isfinite(number) or number <= MASKED:
                return Named(Standing.PLAIN, "a constant")
            if any(math.isclose(number, power, rel_tol=1e-6) for power in self._powers):
                return Named(Standing.PLAIN, "a size, or a power of one")
            return None
        if len(entries) == 1:
            return Named(Standing.PLAIN, f"all entries {entries[0]:g}")
        if all(entry in (0.0, 1.0) or entry <= MASKED for entry in entries):
            mask = self._name_mask(precise == entries[-1])
            return Named(Standing.PLAIN, f"{mask.text}, in numbers") if mask.step else None
        if value.dtype.kind in "iu" and value.ndim == 1 and (np.diff(precise) == 1).all():
            return Named(Standing.PLAIN, "whole numbers in a row")
        return None


REDUCTIONS: dict[str, Any] = {"sum": np.sum, "largest": np.max, "smallest": np.min, "mean": np.mean}


def _precise(value: Array) -> Array:
    return value.astype(np.float64)


@dataclass(frozen=True)
class _Pieces:
    """The parts of an array that have some axes at one index each; or that one, of which an axis is cut to a range.

    Attributes:
        value: the array.
        held: which of its axes are at an index.
        cut: the axis that is cut, where it begins and where it ends; None if none is.
        axes: how many axes an index names.
        size: of each part.
    """

    value: Array
    held: tuple[int, ...]
    cut: tuple[int, int, int] | None
    axes: int
    size: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Of each part."""
        shape = list(self.value.shape)
        if self.cut is not None:
            shape[self.cut[0]] = self.cut[2] - self.cut[1]
        return tuple(length for axis, length in enumerate(shape) if axis not in self.held)

    def rows(self) -> Array:
        """The parts, each flattened to a row."""
        if self.cut is not None:
            return self.value[self.index(0)].reshape(1, -1)
        in_front = np.moveaxis(self.value, self.held, range(len(self.held)))
        return in_front.reshape(math.prod(in_front.shape[: len(self.held)]), self.size)

    def index(self, row: int) -> Index:
        """Where a part is."""
        if self.cut is not None:
            axis, start, stop = self.cut
            return (*(ALL,) * axis, slice(start, stop), *(ALL,) * (self.value.ndim - axis - 1))
        if not self.held:
            return ()
        at = iter(np.unravel_index(row, [self.value.shape[axis] for axis in self.held]))
        return tuple(int(next(at)) if axis in self.held else ALL for axis in range(self.axes))


def _pieces(value: Array, *, keep_last: bool = False) -> Iterator[_Pieces]:
    """The parts of an array that a loop may take: some axes at one index, or one axis cut to a range."""
    axes = value.ndim - 1 if keep_last else value.ndim
    for fixed in itertools.product((False, True), repeat=axes):
        if any(fixed) or keep_last:
            held = tuple(itertools.compress(range(axes), fixed))
            yield _Pieces(value, held, None, axes, value.size // math.prod(value.shape[axis] for axis in held))
    if not keep_last:
        for axis, length in enumerate(value.shape):
            for start, stop in itertools.combinations(range(length + 1), 2):
                if 1 < stop - start < length:
                    size = value.size // length * (stop - start)
                    yield _Pieces(value, (), (axis, start, stop), axes, size)


def _piece_of(step: Step, pieces: _Pieces, standing: Standing, form: Form, more: str, row: int) -> Named:
    """The name of a piece of a step."""
    return Named(standing, f"{step.name}{_place(pieces.index(row))}{more}", step.name, form)


def _reduction_of(step: Step, word: str, axis: int | None, row: int) -> Named:
    """The name of a step's sum, or the like, along an axis or of all; these make no more than one row."""
    assert row == 0
    along = f"all {step.name}" if axis is None else f"{step.name} along axis {axis - step.value.ndim}"
    return Named(Standing.KNOWN, f"{word} of {along}", step.name, Form.MADE)


def _reduced(reduce: Callable[..., Any], value: Array, axis: int | None) -> Array:
    return np.asarray(reduce(value, axis=axis))


def _place(index: Index) -> str:
    """An index as Python writes it, with its brackets."""
    shown = [str(at) if not isinstance(at, slice) else ":" if at is ALL else f"{at.start}:{at.stop}" for at in index]
    return f"[{', '.join(shown)}]" if shown else ""


def _broadcasts(one: Array, value: Array) -> bool:
    try:
        return bool((np.broadcast_to(one, value.shape) == value).all())
    except ValueError:
        return False


def _without_shift(value: Array, axis: int) -> Array:
    """An array less its largest entries along an axis; what is masked stays so."""
    masked = value <= MASKED
    with np.errstate(invalid="ignore"):
        shifted = value - np.max(value, axis=axis, keepdims=True)
    return np.where(masked, -np.inf, shifted)


def _without_factor(value: Array, axis: int) -> Array:
    """An array divided by its largest entries along an axis."""
    with np.errstate(all="ignore"):
        return np.asarray(value / np.max(value, axis=axis, keepdims=True))


def _without_copies(value: Array) -> Array:
    """An array without the axes along which it only repeats itself."""
    for axis in reversed(range(value.ndim)):
        first = value.take([0], axis=axis)
        if value.shape[axis] > 1 and value.size > value.shape[axis] and (value == first).all():
            value = first
    return value


def forms(value: Array, shape: tuple[int, ...]) -> Iterator[Array]:
    """A value in another's shape: as it is, with axes moved, or reshaped."""
    if value.shape == shape:
        yield value
    if value.size != math.prod(shape):
        return
    if value.ndim == len(shape) <= MAX_AXES:
        for order in itertools.permutations(range(value.ndim)):
            if order != tuple(range(value.ndim)) and tuple(value.shape[axis] for axis in order) == shape:
                yield value.transpose(order)
    elif value.ndim != len(shape):
        yield value.reshape(shape)


def constant_factor(value: Array, wanted: Array, tolerance: float) -> float | None:
    """The number that ``wanted`` has to be multiplied by to give ``value``; None if there is none, or it is 1."""
    if value.size < 3:  # any two numbers have a ratio
        return None
    sound = np.isfinite(value) & np.isfinite(wanted) & (value > MASKED)
    largest = np.abs(np.where(sound, wanted, 0))
    at = np.unravel_index(int(np.argmax(largest)), wanted.shape)
    if not largest[at]:
        return None
    factor = float(value[at] / wanted[at])
    if not 1e-6 < abs(factor) < 1e6 or math.isclose(factor, 1.0, rel_tol=1e-6) or sound.sum() < 3:
        return None
    first = np.unravel_index(int(np.argmax(sound)), wanted.shape)  # it tells most of what is no multiple
    if not close(value[first], factor * wanted[first], 10 * tolerance):
        return None
    if not close(value, np.where(sound, value, wanted), tolerance).all():
        return None
    return factor if close(value[sound], factor * wanted[sound], 10 * tolerance).all() else None


def _along_an_axis(value: Array, wanted: Array, tolerance: float) -> bool:
    """Whether two arrays differ by a shift, or by a factor, that is the same along one axis."""
    void = (value <= MASKED) & (wanted <= MASKED), (value == 0) & (wanted == 0)
    with np.errstate(all="ignore"):
        off = value - wanted, value / wanted
    for differences, nothing in zip(off, void, strict=True):
        sound = np.isfinite(differences) & np.isfinite(wanted)
        if differences is off[1]:
            sound &= differences > 0  # a factor that changes nothing later is positive
        if not sound[~nothing].all():
            continue
        filled = np.where(nothing, np.nan, differences)
        for axis, length in enumerate(value.shape):
            if length < 3 or _differ_at_once(filled, axis, 20 * tolerance):
                continue
            low, high = np.fmin.reduce(filled, axis=axis), np.fmax.reduce(filled, axis=axis)
            told = ~np.isnan(high)
            if told.any() and close(low[told], high[told], 10 * tolerance).all():
                return True
    return False


def _differ_at_once(array: Array, axis: int, tolerance: float) -> bool:
    """Whether the first two entries along an axis differ, as they mostly do where any entries do."""
    first, second = array.take((0, 1), axis=axis).ravel()[:: math.prod(array.shape[axis + 1 :])][:2]
    return bool(abs(first - second) > tolerance * max(1.0, abs(second)))  # nan tells nothing


def show_factor(factor: float) -> str:
    """A factor as a person would write it: ``1/6`` rather than 0.1667."""
    if abs(factor) < 1:
        return f"{'-' if factor < 0 else ''}1/{abs(1 / factor):.4g}"
    return f"{factor:.4g}"
