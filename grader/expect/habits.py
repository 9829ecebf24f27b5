"""Decisions that come up in every exercise: what is kept between calls, how precise results are, what is returned.

A model asks about them as about its own decisions. The words speak of "your function", so that they fit anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.expect.mistakes import Decision, Pick, Refused, Wrong

Work = Callable[[], Any]
Given = Sequence[Any]


def arrays_in(value: Any, change: Callable[[Any], Any]) -> Any:
    """A returned value with every array in it changed."""
    if isinstance(value, tuple | list):
        return tuple(arrays_in(part, change) for part in value)
    return change(value)


def _floats(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Changes the arrays of floats in a value and leaves the others."""
    return lambda value: arrays_in(value, lambda array: change(array) if np.asarray(array).dtype.kind == "f" else array)


def _shapes(given: Given) -> tuple[Any, ...]:
    return tuple(np.shape(value) if value is not None else None for value in given)


def _bytes(given: Given) -> tuple[Any, ...]:
    return tuple((np.asarray(value).tobytes(), np.shape(value)) for value in given)


def _kept_by(key: Callable[[Given], Any]) -> Callable[[Pick, Given, Work], Any]:
    return lambda pick, given, work: pick.keep(("result", key(given)), work)


def _kept_while(key: Callable[[Given], Any]) -> Callable[[Pick, Given, Work], Any]:
    return lambda pick, given, work: pick.keep_while("result", key(given), work)


def _shared(pick: Pick, _given: Given, work: Work) -> Any:
    """Writes every result into one array per function and shape, which the caller already holds."""

    def into(part: Any) -> Any:
        at[0] += 1
        held = pick.keep(("buffer", pick.call.function, at[0], np.shape(part)), lambda: np.array(part))
        held[...] = part
        return held

    at = [0]
    return arrays_in(work(), into)


AFRESH = "Is there a global, a mutable default, or an array that is made only once?"
EACH_CALL = "A function's answer may depend on its arguments alone, whatever was asked before."

KEEPING = Decision(
    "what is kept from one call to the next",
    lambda _pick, _given, work: work(),
    Wrong(
        "first-result-kept",
        "Your function answers every call with the result of the first one.",
        does="The first result is kept and returned again, whatever is passed later.",
        why=EACH_CALL,
        look=AFRESH,
        ways=(_kept_by(lambda _given: None),),
    ),
    Wrong(
        "result-kept-by-shape",
        "Your function keeps results by the shape of its input.",
        does="A second input of the same shape gets the result of the first.",
        why="Two arrays of one shape hold different numbers; " + EACH_CALL[0].lower() + EACH_CALL[1:],
        look=AFRESH,
        ways=(
            _kept_by(lambda given: np.shape(given[0])),
            _kept_by(_shapes),
            _kept_by(lambda given: (*_shapes(given[:1]), *_bytes(given[1:]))),
            _kept_while(_shapes),
            _kept_while(lambda given: np.shape(given[0])),
            _kept_by(lambda given: given[0].size),
            _kept_by(lambda given: len(given[0])),
        ),
    ),
    Wrong(
        "result-kept-by-identity",
        "Your function recognises its input by the array object, not by what is in it.",
        does="An array that was changed since the last call gets its old result.",
        why="The same array object may hold other numbers the next time, and id() is used again for other arrays.",
        look=AFRESH,
        ways=(
            _kept_by(lambda given: tuple(id(value) for value in given)),
            _kept_by(lambda given: id(given[0])),
            _kept_by(lambda given: tuple(id(value) for value in given[:2])),
            _kept_by(lambda given: tuple(id(value) if isinstance(value, np.ndarray) else value for value in given)),
        ),
    ),
    Wrong(
        "result-kept-by-first-argument",
        "Your function keeps results by its first argument and forgets the others.",
        does="A call with the same first argument and other ones gets the earlier result.",
        why="The result depends on every argument, so a part of them cannot stand for it.",
        look=AFRESH,
        ways=(_kept_by(lambda given: _bytes(given[:1])),),
    ),
    Wrong(
        "buffer-shared",
        "Your function returns the same array again, filled with the new result.",
        does="A later call overwrites the result that an earlier call has handed out.",
        why="Whoever holds an earlier result sees it change; each call has to return an array of its own.",
        look=AFRESH,
        ways=(_shared,),
        late=True,
    ),
)


def _rounded(digits: int) -> Callable[[Any], Any]:
    return _floats(lambda array: np.round(array, digits))


def _as_lists(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_as_lists(part) for part in value)
    return np.asarray(value).tolist()


def _matrix(array: Any) -> Any:
    """An ``np.matrix``, which cannot have more than two axes, as learners make it."""
    return np.asmatrix(array)


def _with_axis(test: Callable[[Any], bool]) -> Callable[[Any], Any]:
    """Puts an axis of length 1 in front of every part, where the first part passes a test."""

    def way(value: Any) -> Any:
        first = value[0] if isinstance(value, tuple) else value
        return arrays_in(value, lambda array: array[None]) if test(first) else value

    return way


def _as_stack(value: Any) -> Any:
    return np.array(value) if isinstance(value, tuple) else value


def _generator(value: Any) -> Any:
    yield value


FLATTENED = Wrong(
    "leading-axes-flattened",
    "Your leading axes are flattened and not put back.",
    does="Axes in front of the last one or two become one, and the members of a batch stand one below the other.",
    why="The result has to keep the leading axes of the input.",
    look="Compare the shape that goes in with the shape that comes out, for an input with two leading axes.",
    ways=(
        lambda value: arrays_in(value, lambda a: a.reshape(-1, a.shape[-1])),
        lambda value: arrays_in(value, lambda a: a.reshape(-1, *a.shape[-2:]) if a.ndim > 3 else a),
        lambda value: arrays_in(value, lambda a: a.reshape(a.shape[0], -1, a.shape[-1]) if a.ndim > 3 else a),
    ),
)
ROUNDED = Wrong(
    "result-rounded",
    "Your result is rounded.",
    does="Digits after the first few are thrown away.",
    why="Rounding is for showing numbers to people; later steps add the errors up.",
    look="Where does round, or a format with few digits, touch the numbers?",
    ways=tuple(_rounded(digits) for digits in (4, 3, 2, 6, 5, 7, 1)),
)
RETURNED = Decision(
    "what is done with the result before it is returned",
    lambda value: value,
    ROUNDED,
    Wrong(
        "nothing-returned",
        "Your function returns None.",
        does="The result is computed, but the caller gets nothing.",
        why="A function without a return statement on its way gives None.",
        look="Which path through your function ends without a return?",
        ways=(lambda _value: None,),
    ),
    Wrong(
        "lists-returned",
        "Your function returns nested Python lists, not arrays.",
        does="The numbers are there, but in lists.",
        why="What follows needs arrays: lists have no shape and do not broadcast.",
        look="What type does the last line of your function make?",
        ways=(_as_lists,),
    ),
    Wrong(
        "matrix-returned",
        "Your function returns an np.matrix, not an array.",
        does="A matrix always has two axes, and * means another thing for it.",
        why="np.matrix is kept only for old code; it cannot hold any leading axes.",
        look="Where does np.matrix or np.asmatrix come in?",
        ways=(lambda value: arrays_in(value, _matrix),),
    ),
    Wrong(
        "dictionary-returned",
        "Your function returns a dictionary.",
        does="The result is wrapped up in a dictionary, under names of your own.",
        why="The caller works with what is inside, and does not know your names.",
        look="What does the docstring say under Returns?",
        ways=(lambda value: {"value": value},),
    ),
    Wrong(
        "generator-returned",
        "Your function yields its result instead of returning it.",
        does="A function with yield gives a generator, and none of its body has run yet.",
        why="The caller needs the arrays themselves.",
        look="What does yield turn a function into?",
        ways=(_generator,),
    ),
    Wrong(
        "squeezed",
        "Your result has lost its axes of length 1.",
        does="np.squeeze takes away every axis of length 1, also one that belongs there.",
        why="An axis of length 1 is an axis like any other; the shape may not depend on a size.",
        look="Try one token, one key or one head, and look at the shape.",
        ways=(
            lambda value: arrays_in(value, np.squeeze),
            lambda value: (np.squeeze(value[0]), *value[1:]) if isinstance(value, tuple) else np.squeeze(value),
            lambda value: (*value[:-1], np.squeeze(value[-1])) if isinstance(value, tuple) else np.squeeze(value),
        ),
    ),
    Wrong(
        "axis-of-length-one-added",
        "Your result has an axis of length 1 that your input does not have.",
        does="An axis that was put in front for your own use is left in the result.",
        why="The shape of the result follows from the shapes of the arguments, axis by axis.",
        look="Where do you use np.atleast_2d, [None] or np.newaxis, and where is that undone?",
        ways=(
            _with_axis(lambda first: first.ndim == 2),
            lambda value: arrays_in(value, np.atleast_2d),
            lambda value: arrays_in(value, lambda array: array[None]),
        ),
    ),
    Wrong(
        "parts-stacked",
        "Your parts are stacked into one array.",
        does="np.array or np.stack puts all parts into one array, which works only for parts of one shape.",
        why="The parts have shapes of their own; a tuple holds them as they are.",
        look="What does the docstring say under Returns?",
        ways=(_as_stack,),
    ),
    FLATTENED,
)


def _cast(convert: Callable[[Any], Any], most: int = 16) -> Callable[[Given], list[Any]]:
    """Converts the arrays of numbers among the first arguments."""

    def cast(given: Given) -> list[Any]:
        return [
            convert(value) if at < most and isinstance(value, np.ndarray) and value.dtype.kind in "fiu" else value
            for at, value in enumerate(given)
        ]

    return cast


def _at(grid: type[np.floating[Any]]) -> tuple[Callable[[Given], list[Any]], ...]:
    """Computing with few digits altogether; or only looking at the arguments, or the first of them, in that way."""

    def through(array: Any) -> Any:
        return array.astype(grid).astype(np.float64)

    def into(array: Any) -> Any:
        return array.astype(grid)

    return _cast(into), _cast(through), _cast(through, 1), _cast(into, 2), _cast(into, 1)


PRECISION = Decision(
    "how many digits are computed with",
    lambda given: given,
    Wrong(
        "computed-in-float32",
        "Your function computes in float32 whatever it is given.",
        does="float64 input loses half of its digits.",
        why="The result has to be as precise as the input.",
        look="Where does astype, dtype= or an array made by you fix the type?",
        ways=_at(np.float32),
        grid=np.float32,
    ),
    Wrong(
        "computed-in-float16",
        "Your function computes in float16.",
        does="Only about three digits are left, and nothing above 65,504.",
        why="The result has to be as precise as the input.",
        look="Where does astype, dtype= or an array made by you fix the type?",
        ways=_at(np.float16),
        grid=np.float16,
    ),
)

EARLIER_CALLS = Wrong(
    "depends-on-earlier-calls",
    "Your function answers the same call differently after other calls.",
    does="Asked in another order, the same calls get other results.",
    why=EACH_CALL,
    look=AFRESH,
    ways=(),
)
AT_RANDOM = Wrong(
    "results-at-random",
    "Your function gives another result each time.",
    does="The same call, made again with the same arguments, has another result.",
    why="Dropout and noise are for training; here the same input has to give the same output.",
    look="Where do random numbers, the clock or id() come in?",
    ways=(),
)
DROPPED = Wrong(
    "entries-dropped",
    "Your function sets some entries to 0 and makes all others larger by one factor.",
    does="That is dropout, with random numbers that are the same in every call.",
    why="Dropout is for training; here every entry counts.",
    look="Where do random numbers come in?",
    ways=(),
)
NOT_REFUSED = Wrong(
    "arguments-not-refused",
    "Your function accepts arguments that it has to refuse.",
    does="Where the docstring asks for an exception it goes on, and returns numbers that mean nothing.",
    why="A caller that is not stopped goes on as if all were well.",
    look="Which line of this function refuses anything, and which calls get past it?",
    ways=(),
)

CHANGED = "The caller still needs its array; a function may change only what it has made itself."
IN_PLACE = "Which of `-=`, `/=`, `x[...] =` and `out=` touches an array that you did not make?"


def changing(name: str, at: int, *ways: Callable[[Any], Any], words: str = "") -> Wrong:
    """The mistake of changing an argument.

    Args:
        name: what the argument is called.
        at: its position.
        ways: what is done to the array, in place.
        words: what the change is, as the rest of "Your function ...".
    """

    def through(change: Callable[[Any], Any]) -> Callable[[Given], Given]:
        def way(given: Given) -> Given:
            before = given[at]
            if before is None:
                return given
            kept = [*given]
            kept[at] = np.array(before)
            change(before)
            return kept

        return way

    return Wrong(
        f"changes-{name.replace('_', '-')}",
        f"Your function {words or 'changes its argument ' + name}.",
        does=f"After the call {name} holds other numbers than before.",
        why=CHANGED,
        look=IN_PLACE,
        ways=tuple(through(change) for change in ways),
    )


def parameters(name: str, *, position: int, default: str, shown: str) -> Decision:
    """The mistakes about one optional parameter: missing, of another name, without its default.

    Args:
        name: of the parameter.
        position: its place among the arguments.
        default: as it is written.
        shown: the function's whole parameters, as they should be.
    """
    look = f"Compare your parameters with ({shown})."

    def given(pick: Pick) -> bool:
        return name in pick.call.named or len(pick.call.args) > position

    def refuse_if(test: Callable[[Pick], bool]) -> Callable[[Pick], None]:
        def way(pick: Pick) -> None:
            if test(pick):
                raise Refused

        return way

    return Decision(
        f"the parameter {name}",
        lambda _pick: None,
        Wrong(
            f"no-{name}-parameter",
            f"Your function has no parameter {name}.",
            does=f"A call that passes {name} is refused by Python before your code runs.",
            why=f"The stub has {name}={default}.",
            look=look,
            ways=(refuse_if(given),),
        ),
        Wrong(
            f"{name}-under-another-name",
            f"Your parameter {name} has another name.",
            does=f"A call with {name}=... is refused by Python before your code runs.",
            why="Callers pass it by the name that the stub gives it.",
            look=look,
            ways=(refuse_if(lambda pick: name in pick.call.named),),
        ),
        Wrong(
            f"{name}-required",
            f"Your parameter {name} has no default.",
            does=f"A call without {name} is refused by Python before your code runs.",
            why=f"The stub has {name}={default}, so it may be left out.",
            look=look,
            ways=(refuse_if(lambda pick: not given(pick)),),
        ),
    )
