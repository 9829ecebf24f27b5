"""What is peculiar about wrong results, where no known mistake reproduces them: exactly, and without a guess at why."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.diagnosis.outcomes import Came
    from grader.diagnosis.playing import Case
    from grader.expect.learner import Call

Array = np.ndarray[Any, Any]
CLOSE = 1e-6


def symptom_of(cases: Sequence[Case], parameters: Sequence[str]) -> str:
    """One sentence that holds for every wrong result, the most telling that does; empty if there is none.

    Args:
        cases: what the function was asked, and what came of it.
        parameters: the names of its parameters in their order.
    """
    seen = [
        (call, got, frame.right)
        for case in cases
        if not case.probe.refill
        for call, got, frame in zip(case.probe.calls, case.got, case.frames, strict=True)
    ]
    wrong = [case.wrong for case in cases if not case.probe.refill for _ in case.probe.calls]
    if not any(wrong):
        return ""
    return _of_values(seen, wrong) or _of_calls(seen, wrong, parameters)


Seen = list[tuple["Call", "Came", "Came"]]


def _of_values(seen: Seen, wrong: Sequence[bool]) -> str:
    """What all wrong values have in common with the right ones."""
    pairs = [
        (got.value, right.value)
        for (_, got, right), is_wrong in zip(seen, wrong, strict=True)
        if is_wrong and got.kind == "value" and right.kind == "value"
    ]
    if len(pairs) < 2:
        return ""
    count = len(pairs[0][1]) if isinstance(pairs[0][1], tuple) else 1
    if count > 1 and all(_swapped(got, right) for got, right in pairs):
        return "Every part is right, but they are returned in another order."
    told = []
    for at in range(count):
        arrays = [(_part(got, at, count), _part(right, at, count)) for got, right in pairs]
        known = [(a, b) for a, b in arrays if a is not None and b is not None]
        differing = [(a, b) for a, b in known if not _same(a, b)]
        if differing and len(known) == len(arrays):
            said = next((text for test, text in TESTS if all(test(a, b) for a, b in differing)), "")
            factor = "" if said else _factor(differing)
            told.append((at, said or factor))
    for at, said in told:
        if said:
            which = f"part {at + 1} of the result" if count > 1 else "the result"
            return f"Wherever it is wrong, {which} {said}."
    return ""


def _part(value: Any, at: int, count: int) -> Array | None:
    if count == 1:
        return value if isinstance(value, np.ndarray) else None
    if not isinstance(value, tuple | list) or len(value) != count:
        return None
    part = value[at]
    return part if isinstance(part, np.ndarray) else None


def _swapped(got: Any, right: Any) -> bool:
    if not isinstance(got, tuple | list) or not isinstance(right, tuple) or len(got) != len(right):
        return False
    parts = [part for part in got if isinstance(part, np.ndarray)]
    if len(parts) != len(right):
        return False
    orders = [order for order in permutations(range(len(right))) if order != tuple(range(len(right)))]
    return any(all(_same(parts[at], right[to]) for at, to in enumerate(order)) for order in orders)


def _same(one: Array, other: Array) -> bool:
    return (
        one.shape == other.shape
        and one.dtype.kind in "bifu"
        and bool(np.allclose(one, other, rtol=CLOSE, atol=CLOSE, equal_nan=True))
    )


def _transposed(got: Array, right: Array) -> bool:
    return right.ndim > 1 and _same(got, np.swapaxes(right, -1, -2))


def _permuted(got: Array, right: Array) -> bool:
    """Whether the slices along the third axis from the end are right, in another order."""
    if right.ndim < 3 or got.shape != right.shape or not 1 < right.shape[-3] <= 5:
        return False
    moved, wanted = np.moveaxis(got, -3, 0), np.moveaxis(right, -3, 0)
    return any(_same(moved[list(order)], wanted) for order in permutations(range(right.shape[-3])))


def _sums_to_one(axis: int) -> Callable[[Array, Array], bool]:
    """Whether the right slices sum to 1 along the last axis, and those that came along another one."""

    def test(got: Array, right: Array) -> bool:
        return (
            right.ndim >= -axis
            and right.shape[axis] > 1
            and got.shape == right.shape
            and bool(np.allclose(right.sum(axis=-1), 1.0))
            and not np.allclose(got.sum(axis=-1), 1.0)
            and bool(np.allclose(got.sum(axis=axis), 1.0))
        )

    return test


def _all_sum_to_one(got: Array, right: Array) -> bool:
    rows = bool(np.allclose(right.sum(axis=-1), 1.0)) and right.size > right.shape[-1]
    return rows and bool(np.isclose(got.sum(), 1.0))


def _not_finite(got: Array, right: Array) -> bool:
    return got.dtype.kind == "f" and not np.isfinite(got).all() and bool(np.isfinite(right).all())


def _integers(got: Array, right: Array) -> bool:
    return got.dtype.kind in "iu" and right.dtype.kind == "f"


def _reordered_axes(got: Array, right: Array) -> bool:
    if got.ndim != right.ndim or got.ndim > 5:
        return False
    orders = [order for order in permutations(range(right.ndim)) if order != (*range(right.ndim),)]
    return any(_same(got, right.transpose(order)) for order in orders)


def _lost_ones(got: Array, right: Array) -> bool:
    return got.shape != right.shape and _same(got.squeeze(), right.squeeze())


def _same_numbers(got: Array, right: Array) -> bool:
    return got.size == right.size and _same(np.sort(got, axis=None), np.sort(right, axis=None))


TESTS: tuple[tuple[Callable[[Array, Array], bool], str], ...] = (
    (_integers, "holds whole numbers where fractions belong: its array has an integer type"),
    (_not_finite, "has nan or infinity in it: look for inf - inf, inf / inf, 0 / 0 and 0 * inf"),
    (_transposed, "is the transpose of what it should be"),
    (_permuted, "has the right slices along the third axis from the end, in another order"),
    (_reordered_axes, "has the right numbers with its axes in another order"),
    (_lost_ones, "has the right numbers, but has lost or gained axes of length 1"),
    (_sums_to_one(-2), "sums to 1 along the axis before the last, not along the last"),
    (_sums_to_one(-3), "sums to 1 along the third axis from the end, not along the last"),
    (_all_sum_to_one, "sums to 1 as a whole, not row by row"),
    (_same_numbers, "has the right numbers in the wrong places"),
)


def _factor(pairs: Sequence[tuple[Array, Array]]) -> str:
    """Whether every wrong array is a multiple of the right one."""
    factors = []
    for got, right in pairs:
        if got.shape != right.shape or got.dtype.kind != "f" or not np.any(right):
            return ""
        at = np.unravel_index(np.argmax(np.abs(right)), right.shape)
        factor = got[at] / right[at]
        if not np.isfinite(factor) or not np.allclose(got, factor * right, rtol=CLOSE, atol=CLOSE):
            return ""
        factors.append(float(factor))
    if np.allclose(factors, factors[0], rtol=CLOSE):
        return f"is {factors[0]:.4g} times what it should be"
    return "is what it should be times a number that depends on the sizes"


def _of_calls(seen: Seen, wrong: Sequence[bool], parameters: Sequence[str]) -> str:
    """Which calls go wrong, if a single property tells them from those that come out right.

    A call that is refused as it should be says nothing of how others are answered.
    """
    told = [(call, bad) for (call, _, right), bad in zip(seen, wrong, strict=True) if bad or right.kind == "value"]
    calls = [call for call, _ in told]
    for text, test in _properties(calls, parameters):
        kinds = [test(call) for call in calls]
        with_it = [bad for (_, bad), kind in zip(told, kinds, strict=True) if kind]
        without = [bad for (_, bad), kind in zip(told, kinds, strict=True) if not kind]
        if with_it and without and all(with_it) and not any(without):
            return text
    return ""


def _most_axes(call: Call) -> int:
    """How many axes the array has that has most of them."""
    return max((value.ndim for value in call.given if isinstance(value, np.ndarray)), default=0)


def _properties(calls: Sequence[Call], parameters: Sequence[str]) -> Iterator[tuple[str, Callable[[Call], bool]]]:
    """What may tell calls that go wrong from others, with the sentence that says so."""
    fewest = min(map(_most_axes, calls))
    yield "It is right without a mask or other optional argument, and wrong with one.", _has_masks
    yield "It is right where an optional argument is given, and wrong without.", lambda call: not _has_masks(call)
    yield "It is right for float64, and wrong for other types.", lambda call: not _only(call, "float64")
    yield "It is wrong for integers only.", lambda call: any(v.dtype.kind in "iu" for v in _arrays(call))
    yield "It is wrong for float32 only.", lambda call: any(v.dtype == np.float32 for v in _arrays(call))
    for more, words in ((1, "one leading axis"), (2, "two leading axes")):
        yield (
            f"It is right with fewer leading axes, and wrong from {words} on.",
            lambda call, more=more: _most_axes(call) >= fewest + more,  # type: ignore[misc]
        )
    yield "It is right with leading axes, and wrong without.", lambda call: _most_axes(call) == fewest
    yield "It is right for entries of order 1, and wrong for very large or infinite ones.", _is_large
    for name in parameters:
        if any(_number(call, name, parameters) == 1 for call in calls):
            yield (
                f"It is right for {name} = 1, and wrong for more.",
                lambda call, name=name: _number(call, name, parameters) > 1,  # type: ignore[misc]
            )
    yield "It is wrong where an axis has length 1.", lambda call: any(1 in v.shape for v in _arrays(call))
    yield "Only the first call is right.", lambda call: call is not calls[0]


def _arrays(call: Call) -> list[Array]:
    return [value for value in call.given if isinstance(value, np.ndarray)]


def _number(call: Call, name: str, parameters: Sequence[str]) -> int:
    """The whole number that is passed for a parameter; 0 if it is none."""
    value = {**dict(zip(parameters, call.args, strict=False)), **call.named}.get(name)
    return value if isinstance(value, int) else 0


def _has_masks(call: Call) -> bool:
    return any(value.dtype.kind == "b" for value in _arrays(call)) or bool(call.named)


def _only(call: Call, kind: str) -> bool:
    return all(value.dtype == kind or value.dtype.kind == "b" for value in _arrays(call))


def _is_large(call: Call) -> bool:
    return any(value.dtype.kind == "f" and bool((np.abs(value) > 30).any()) for value in _arrays(call))
