"""Arrays and calls as text for a person: short, whole where they are small, cut around a difference where not."""

from __future__ import annotations

from typing import Any

import numpy as np

WHOLE = 12  # entries of an array that are shown in full
MAX_DIGITS = 17
Array = np.ndarray[Any, Any]


def show_call(function: str, args: tuple[Any, ...], named: dict[str, Any], names: tuple[str, ...]) -> str:
    """A call with its small inputs: ``softmax(x, axis=0) with x = [1. 2.]``."""
    words: list[str] = []
    given: list[str] = []
    labels = [*names[: len(args)], *["?"] * (len(args) - len(names))]
    for label, value in [*zip(labels, args, strict=True), *named.items()]:
        keyword = label in named
        if isinstance(value, np.ndarray):
            words.append(f"{label}={label}" if keyword else label)
            # What is given by keyword, such as a mask, is what the call is about: it comes before the rest.
            given.insert(0 if keyword else len(given), f"{label} = {show_argument(value)}")
        else:
            words.append(f"{label}={value!r}" if keyword else repr(value))
    text = f"{function}({', '.join(words)})"
    return f"{text} with {', '.join(given)}" if given else text


def show_argument(array: Array) -> str:
    """A small array as it is, a larger one by its shape."""
    order = "" if array.flags.c_contiguous else " in Fortran order"
    if array.size <= WHOLE:
        return show_array(array, 4) + order
    kind = "" if array.dtype == np.float64 else f" {array.dtype}"
    return f"{kind.strip()} {array.shape}".strip() + order


def show_array(array: Array, digits: int) -> str:
    """An array on one line."""
    if array.dtype.kind == "b":
        text = np.array2string(array.astype(np.int8), max_line_width=10**6, threshold=10**6, separator=" ")
        text = text.replace("0", "F").replace("1", "T")
    else:
        text = np.array2string(
            array, precision=digits, suppress_small=digits < MAX_DIGITS, max_line_width=10**6, threshold=10**6
        )
    text = " ".join(text.split())
    while "[ " in text or " ]" in text:
        text = text.replace("[ ", "[").replace(" ]", "]")
    return text


def show_pair(name: str, got: Array, expected: Array, at: tuple[int, ...]) -> tuple[str, str]:
    """Two arrays of one shape, with as many digits as it takes to see that they differ at ``at``.

    Of a large array only the row with the difference is shown: ``weights[0, :] = [0.1 0.9]``.
    """
    if got.size > WHOLE and got.ndim > 1:
        *row, column = at
        place = tuple(row)
        return show_pair(show_index(name, (*place, ":")), got[place], expected[place], (column,))
    digits = 4
    while digits < MAX_DIGITS and show_number(got[at], digits) == show_number(expected[at], digits):
        digits += 1
    return f"{name} = {_around(got, at, digits)}", f"{name} = {_around(expected, at, digits)}"


def _around(array: Array, at: tuple[int, ...], digits: int) -> str:
    """An array whole if it is small, else the entries around one place."""
    if array.size <= WHOLE or array.ndim != 1:
        return show_array(array, digits)
    start = max(0, min(at[0] - WHOLE // 2, array.size - WHOLE))
    text = show_array(array[start : start + WHOLE], digits)[1:-1]
    before = "... " if start else ""
    after = " ..." if start + WHOLE < array.size else ""
    return f"[{before}{text}{after}]"


def show_number(value: Any, digits: int = 6) -> str:
    """One entry of an array."""
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, bool | int | complex):
        return str(number)
    return f"{number:.{digits}g}"


def show_apart(got: Any, expected: Any) -> tuple[str, str]:
    """Two entries with as many digits, six at least, as it takes to see that they differ."""
    digits = 6
    while digits < MAX_DIGITS and show_number(got, digits) == show_number(expected, digits):
        digits += 1
    return show_number(got, digits), show_number(expected, digits)


def show_index(name: str, at: tuple[int | str, ...]) -> str:
    """A place in an array: ``weights[0, 2]``; of an array without axes the name alone."""
    return f"{name}[{', '.join(map(str, at))}]" if at else name
