"""Softmax with its decision points open; attention asks about the inner ones too."""

from dataclasses import replace
from functools import partial

import numpy as np

from grader.expect.habits import KEEPING, PRECISION, RETURNED, changing, parameters
from grader.expect.mistakes import Decision, Wrong, also, ask, edge, refilled, usually

LARGE_BLOCK = 128  # a multiple of the usual sizes of a block: the rest of the long probe, 3, is that of any of them
SLICES = "The weights of one slice along axis have to sum to 1, and the slices have nothing to do with one another."
WHICH_AXIS = "Take an array of shape (2, 3, 5) and go through its axes: along which do your sums run?"
ANY_SHIFT = "Taking one number from all scores of a slice changes no weight, so it should be one that keeps exp finite."
RANGE = "The largest exponent of every slice has to be 0: then nothing overflows, and no sum is 0."
LARGE = "Try scores around 10,000, around -10,000, and both in one array."


def _moved(x, axis, work, back):
    """Brings the axis to the end, and back in some other way."""
    return back(work(np.moveaxis(x, axis, -1), -1), axis)


def _only(test, raised=ValueError):
    def way(x, axis, work):
        if not test(x, axis):
            raise raised()
        return work(x, axis)

    return way


def _is_last(x, axis):
    return axis in (-1, x.ndim - 1)


def _beyond_two(other):
    """Another axis, or several, as soon as there are more than two."""
    return lambda x, axis, work: work(x, axis if x.ndim <= 2 else other)


def _from_front(x, axis, work, back):
    """Brings the axis to the front, and back in some other way."""
    return back(work(np.moveaxis(x, axis, 0), 0), axis)


def _but_first(x):
    """All axes but the first; of a row that one."""
    return tuple(range(1, x.ndim)) if x.ndim > 2 else -1


# What a table without an entry raises, or a branch that is not there: with a text, so that no other exception fits.
NO_SUCH_BRANCH = tuple(
    partial(error, "number of axes")
    for error in (KeyError, UnboundLocalError, NotImplementedError, Exception, RuntimeError)
)


def _implicit(x):
    """The axis that some libraries take where none is given: it hangs on how many axes there are."""
    return 0 if x.ndim in (0, 1, 3) else 1


def _first_slice(others, weights, axis):
    """The weights of the first slice, and something else in the place of the others."""
    first = np.moveaxis(np.zeros(weights.shape, dtype=bool), axis, -1)
    first[(0,) * (weights.ndim - 1)] = True
    return np.where(np.moveaxis(first, -1, axis), weights, others)


AXIS = Decision(
    "which axis the weights sum to 1 along",
    lambda x, axis, work: work(x, axis),
    Wrong(
        "axis-ignored",
        "Your softmax always works along the last axis, whatever axis says.",
        does="The argument axis is never used.",
        why=SLICES,
        look="Where does axis appear in the body of your function?",
        ways=(lambda x, axis, work: work(x, -1),),
    ),
    Wrong(
        "axis-always-one",
        "Your softmax always works along axis 1, whatever axis says.",
        does="For a matrix that is the last axis, for more axes it is not.",
        why=SLICES,
        look=WHICH_AXIS,
        ways=(lambda x, axis, work: work(x, min(1, x.ndim - 1)), lambda x, axis, work: work(x, 1)),
    ),
    Wrong(
        "axis-always-zero",
        "Your softmax always works along axis 0.",
        does="Each column sums to 1, not each row.",
        why=SLICES,
        look=WHICH_AXIS,
        ways=(lambda x, axis, work: work(x, 0),),
    ),
    Wrong(
        "softmax-over-everything",
        "Your softmax shares one unit of weight among all entries of the array, or of each matrix in it.",
        does="Maximum and sum are taken over the whole array, or over several of its axes.",
        why=SLICES,
        look="What do np.max and np.sum do without axis?",
        ways=(
            lambda x, axis, work: work(x, None),
            lambda x, axis, work: work(x, tuple(range(x.ndim))[-2:]),
            lambda x, axis, work: work(x, tuple(range(1, x.ndim)) or None),
        ),
    ),
    Wrong(
        "other-axis",
        "Your softmax works along another axis than the one it is given.",
        does="The weights of a slice along axis do not sum to 1; those along another axis do.",
        why=SLICES,
        look=WHICH_AXIS,
        ways=(
            lambda x, axis, work: work(x, -2),
            lambda x, axis, work: work(x, (axis + 1) % x.ndim),
            lambda x, axis, work: work(x, (axis - 1) % x.ndim),
            lambda x, axis, work: work(x, x.ndim - 1 - axis % x.ndim),
            lambda x, axis, work: work(x, 0 if x.ndim == 2 else axis),
            lambda x, axis, work: work(x, 0 if x.ndim in (1, 3) else 1),
        ),
    ),
    Wrong(
        "rows-without-the-axis-last",
        "Your softmax cuts the scores into rows by reshape, without the axis at the end.",
        does="The rows have the right length, but their entries lie side by side along the last axis.",
        why="reshape reads the last axis first: it brings no axis to another place.",
        look="What is the first row of np.arange(6).reshape(2, 3) after .reshape(-1, 2)?",
        ways=(
            lambda x, axis, work: work(x.reshape(-1, x.shape[axis]), -1).reshape(x.shape),
            lambda x, axis, work: work(x.reshape(x.shape[axis], -1), 0).reshape(x.shape),
        ),
    ),
    Wrong(
        "axes-counted-from-one",
        "Your softmax counts the axes from 1.",
        does="axis=1 runs along the first axis, and the last is out of reach but for axis=-1.",
        why="numpy counts from 0: the first axis is 0.",
        look="Which axis does your code reach for axis=1 and an array of shape (2, 3, 5)?",
        ways=(
            lambda x, axis, work: work(x, axis - 1 if axis > 0 else axis),
            lambda x, axis, work: work(x, axis - 1 if axis >= 0 else axis),
        ),
        rare=2,
    ),
    Wrong(
        "last-axis-taken-for-none-given",
        "Your softmax takes axis=-1 for no axis at all, and chooses one by how many axes x has.",
        does="For some numbers of axes its choice is not the last axis.",
        why="axis=-1 is the last axis, however many axes there are.",
        look="Along which axis do your sums run for axis=-1 and an array of shape (2, 3, 5)?",
        ways=(
            lambda x, axis, work: work(x, _implicit(x) if axis == -1 else axis),
            lambda x, axis, work: work(x, min(1, x.ndim - 1) if axis == -1 else axis),
            lambda x, axis, work: work(x, None if axis == -1 else axis),
        ),
        rare=2,
    ),
    Wrong(
        "axis-zero-taken-for-none-given",
        "Your softmax takes axis=0 for no axis at all.",
        does="With axis=0 it runs along the last axis, or over the whole array, as if no axis had been named.",
        why="0 is an axis like any other, the first, but Python counts it as false.",
        look="What does Python make of `0 or -1`, of `not 0` and of `if 0`?",
        ways=(
            lambda x, axis, work: work(x, -1 if axis == 0 else axis),
            lambda x, axis, work: work(x, None if axis == 0 else axis),
        ),
        rare=2,
    ),
    Wrong(
        "only-first-slice",
        "Your softmax stops after the first slice.",
        does="One slice has its weights; the others stay as they were made, or are missing from the result.",
        why="Every slice along axis gets weights of its own.",
        look="How far in is your return, and how often does the loop around it run?",
        ways=(
            lambda x, axis, work: _first_slice(0.0, work(x, axis), axis),
            lambda x, axis, work: np.moveaxis(work(x, axis), axis, -1).reshape(-1, x.shape[axis])[0],
            lambda x, axis, work: np.moveaxis(work(x, axis), axis, -1)[0] if x.ndim > 1 else work(x, axis),
            lambda x, axis, work: _first_slice(x, work(x, axis), axis),
        ),
        rare=2,
    ),
    Wrong(
        "softmax-over-several-axes",
        "Your softmax shares one unit of weight among the entries of several axes at once.",
        does="The axes from the given one on, or up to it, are made one, and maximum and sum go over all of them.",
        why=SLICES,
        look="How many entries does one of your sums add up, for an array of shape (2, 3, 5) and axis=1?",
        ways=(
            lambda x, axis, work: work(x, tuple(range(axis % x.ndim, x.ndim))),
            lambda x, axis, work: work(x, tuple(range(axis % x.ndim + 1))),
        ),
    ),
    Wrong(
        "negative-axis-miscounted",
        "Your softmax takes a negative axis for another one than numpy does, or refuses it.",
        does="Axes from the front work; axes counted from the end end up elsewhere, or in an exception.",
        why="axis=-1 is the last axis, axis=-2 the one before: numpy understands them as they are.",
        look="Which axis does your code reach for axis=-2 and an array with three axes?",
        ways=(
            lambda x, axis, work: work(x, x.ndim + axis - 1 if axis < 0 else axis),
            lambda x, axis, work: work(x, x.ndim + axis - 1 if axis < -1 else axis),
            lambda x, axis, work: work(x, x.ndim + axis - 1 if axis < -1 and x.ndim > 2 else axis),
            lambda x, axis, work: work(x, x.ndim + axis + 1 if axis < -1 else axis),
            lambda x, axis, work: work(x, -axis if axis < 0 else axis),
            lambda x, axis, work: work(x, -1 if axis < 0 else axis),
            lambda x, axis, work: work(x, axis if axis >= 0 or axis == -1 else 0),
            lambda x, axis, work: work(x, max(axis, 0)),
            lambda x, axis, work: work(x, max(x.ndim + axis - 1, 0) if axis < 0 else axis),
            lambda x, axis, work: work(x, -axis - 1 if axis < 0 else axis),
            _only(lambda x, axis: axis >= 0),
            _only(lambda x, axis: axis != -1),
            _only(lambda x, axis: axis >= -1),
        ),
    ),
    Wrong(
        "axis-ignored-beyond-matrices",
        "Your softmax does what axis says for one or two axes only.",
        does="With three axes or more it runs along an axis of its own choice, or over the whole array.",
        why="x may have any number of axes, and axis may be any of them.",
        look="Which branch does an array of shape (2, 3, 5) take, and where does axis appear in it?",
        ways=(_beyond_two(None), _beyond_two(-1), _beyond_two(0), _beyond_two(1), _beyond_two((-2, -1))),
    ),
    Wrong(
        "middle-axis-taken-for-first",
        "Your softmax knows only the last axis and the first.",
        does="Transposing the whole array brings its first axis to the end, and not a middle one.",
        why="axis may be any of them, and .T turns the order of all axes round.",
        look="Which axis is the last after x.T, if x has three axes and axis is 1?",
        ways=(
            lambda x, axis, work: work(x, axis if _is_last(x, axis) else 0),
            lambda x, axis, work: work(x, 0 if axis == 0 else -1),
            lambda x, axis, work: work(x, 0 if axis in (0, -x.ndim) else -1),
            lambda x, axis, work: np.swapaxes(work(x, -1 if _is_last(x, axis) else 0), 0, 0),
        ),
    ),
    Wrong(
        "axis-not-moved-back",
        "Your softmax moves the axis and does not put it back where it was.",
        does="The axes of the result are in another order than those of x, in some cases only from three axes on.",
        why="The result has the shape of x, axis by axis.",
        look="Follow an array of shape (2, 3, 5) with axis=1, then with axis=-1: what shape is it after each line?",
        ways=(
            lambda x, axis, work: _moved(x, axis, work, lambda w, axis: np.moveaxis(w, axis, -1)),
            lambda x, axis, work: _moved(x, axis, work, lambda w, axis: w),
            lambda x, axis, work: _moved(x, axis, work, lambda w, axis: w.T),
            lambda x, axis, work: _moved(x, axis, work, lambda w, axis: np.swapaxes(w, axis, -1)),
            lambda x, axis, work: work(np.swapaxes(x, axis, -1), -1),
            lambda x, axis, work: work(np.swapaxes(x, axis, 0), 0),
            lambda x, axis, work: np.swapaxes(work(np.swapaxes(x, axis, -1), -1), 0, -1),
            lambda x, axis, work: work(np.moveaxis(x, axis, -1), -1).reshape(x.shape),
            lambda x, axis, work: work(np.moveaxis(x, axis, 0), 0),
            lambda x, axis, work: _from_front(x, axis, work, lambda w, axis: np.moveaxis(w, axis, 0)),
            lambda x, axis, work: _from_front(x, axis, work, lambda w, axis: np.rollaxis(w, 0, axis)),
            lambda x, axis, work: _from_front(x, axis, work, lambda w, axis: np.rollaxis(w, 0, axis + 1)),
            lambda x, axis, work: _from_front(x, axis, work, lambda w, axis: np.swapaxes(w, 0, axis)),
            lambda x, axis, work: _from_front(x, axis, work, lambda w, axis: w.T),
            lambda x, axis, work: np.moveaxis(work(np.swapaxes(x, axis, 0), 0), 0, axis),
        ),
    ),
    Wrong(
        "only-some-numbers-of-axes",
        "Your softmax works for some numbers of axes only.",
        does="An array with more axes, or with fewer, ends in an exception or in None.",
        why="x may have any number of axes.",
        look="Try a row, a matrix, and arrays with three and four axes: which line assumes how many there are?",
        ways=(
            _only(lambda x, axis: x.ndim <= 2),
            _only(lambda x, axis: x.ndim == 2),
            _only(lambda x, axis: x.ndim <= 3),
            _only(lambda x, axis: x.ndim <= 2 or _is_last(x, axis)),
            _only(lambda x, axis: x.ndim >= 2),
            lambda x, axis, work: work(x, axis) if x.ndim <= 2 else None,
            lambda x, axis, work: work(x, axis) if x.ndim == 2 else None,
            *(_only(lambda x, axis, most=most: x.ndim <= most, raised) for raised in NO_SUCH_BRANCH for most in (3, 2)),
            lambda x, axis, work: work(x, axis) if x.ndim <= 3 else None,
        ),
    ),
    Wrong(
        "blocks-normalised-as-a-whole",
        "Your loop goes over the first axis only, and each block that it meets shares out one unit of weight.",
        does="A block of a matrix is a single slice; from three axes on it holds several.",
        why=SLICES,
        look="How many entries does one of your sums add up, for an array of shape (2, 3, 5)?",
        ways=(
            lambda x, axis, work: np.swapaxes(work(np.swapaxes(x, axis, -1), _but_first(x)), axis, -1),
            lambda x, axis, work: _moved(
                x, axis, lambda y, _: work(y, _but_first(y)), lambda w, axis: np.moveaxis(w, -1, axis)
            ),
            lambda x, axis, work: work(x, _but_first(x) if x.ndim > 2 and _is_last(x, axis) else axis),
            lambda x, axis, work: work(x, _but_first(x) if x.ndim > 2 else axis),
        ),
        rare=2,
    ),
)


def _lost(name, what, own, *ways):
    """The axis is lost by the maximum alone, by the sum alone, or by both, which no name may mix up."""
    return Wrong(
        name,
        f"Your {what} lost the axis {'they were' if 'and' in what else 'it was'} taken along.",
        does="What is left broadcasts along another axis, or fits none.",
        why=f"keepdims=True keeps that axis with length 1, so that every slice meets {own}.",
        look="Print the shapes of x, of the maximum and of the sum.",
        ways=ways,
    )


LOST_MAXIMUM = _lost("maximum-loses-its-axis", "maximum has", "its own maximum")
AXIS_AT_THE_END = Wrong(
    "axis-put-back-at-the-end",
    "Your sum gets its lost axis back at the end, wherever it was taken from.",
    does="[:, None] or [..., None] puts it last, which is right only for sums along the last axis.",
    why="The axis has to come back where it was, which keepdims=True does.",
    look="Print the shapes of the exponentials and of their sum, for axis=0.",
    ways=(),
)


def _reduced_by(back):
    """Softmax with the lost axis of maximum and sum put back in some way, or not at all."""

    def way(x, axis, work):
        e = np.exp(x - back(np.max(x, axis=axis)))
        return e / back(np.sum(e, axis=axis))

    return way


def _reduced_and_turned(x, axis, work):
    """The same for arrays that are turned round for it, so that the first axis meets what is left."""
    e = np.exp((x.T - np.max(x, axis=axis)).T)
    return (e.T / np.sum(e, axis=axis)).T


def _for_rows(way):
    """A way for matrices and more, with one for a single row that is right."""
    return lambda x, axis, work: work(x) if x.ndim == 1 else way(x, axis, work)


def _share(power, total):
    return lambda x, axis, work: power(x, axis) / total(power(x, axis), axis)


def _sum(e, axis):
    return np.sum(e, axis=axis, keepdims=True)


def _hard(x, axis):
    """1 at the largest entry of each slice."""
    at = np.expand_dims(np.argmax(x, axis=axis), axis) if axis is not None else None
    weights = np.zeros(x.shape)
    if at is None:
        weights.flat[np.argmax(x)] = 1.0
    else:
        np.put_along_axis(weights, at, 1.0, axis)
    return weights


ONE_MORE = Wrong(
    "one-added-to-the-sum",
    "Your softmax has one more term below the fraction line than there are scores.",
    does="A 1 is added to the sum of the exponentials, so the weights of a slice sum to less than 1.",
    why="The scores of a slice share the whole weight among themselves; nothing else gets any of it.",
    look="What does the sum below the line run over, and what else is added to it?",
    ways=(),
    rare=2,
)


def _one_more(x, axis, work):
    """The share of the exponentials in 1 + their sum, whatever is taken away from the scores."""
    highest = np.max(x, axis=axis, keepdims=True)
    one = np.exp(-highest)
    return np.where(np.isinf(one), 0.0, work(x) / (1 + one / _sum(np.exp(x - highest), axis)))


LOGARITHM = Wrong(
    "logarithm-of-softmax",
    "Your softmax returns the logarithms of the weights.",
    does="No entry is above 0, and it is their exponentials that sum to 1.",
    why="Logarithms are what a loss needs; the weights themselves are asked for.",
    look="What is the sum of one slice of your result?",
    ways=(),
)


def _logarithm(x, axis, work):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def whole_blocks(count):
    """How many of very many are in blocks that are full, for any usual size of a block."""
    return count // LARGE_BLOCK * LARGE_BLOCK or count


def _in_whole_blocks(x, axis, work):
    """Weights of the entries in full blocks; the others stay 0."""
    last = np.moveaxis(x, axis, -1)
    count = whole_blocks(last.shape[-1])
    weights = np.zeros(last.shape)
    weights[..., :count] = np.moveaxis(work(np.moveaxis(last[..., :count], -1, axis)), axis, -1)
    return np.moveaxis(weights, -1, axis)


def _by_sum_of_whole_blocks(x, axis, work):
    """All entries divided by the sum of those in full blocks."""
    last = np.moveaxis(work(x), axis, -1)
    count = whole_blocks(last.shape[-1])
    return np.moveaxis(last / np.sum(last[..., :count], axis=-1, keepdims=True), -1, axis)


RULE = Decision(
    "which function makes weights of scores",
    lambda x, axis, work: work(x),
    Wrong(
        "last-block-left-out",
        "Your blocks leave out the scores that do not fill a whole one.",
        does="The number of blocks is rounded down, so the last scores of a long slice count for nothing.",
        why="All scores of a slice share the weight; the last block may be a smaller one.",
        look="How many blocks does your loop make of a slice with one score more than a block holds?",
        ways=(_in_whole_blocks, _by_sum_of_whole_blocks),
        rare=3,
    ),
    _lost(
        "maximum-and-sum-lose-their-axis",
        "maximum and your sum have",
        "its own maximum and its own sum",
        _reduced_by(lambda part: part),
        _reduced_and_turned,
    ),
    also(
        AXIS_AT_THE_END,
        _reduced_by(lambda part: part[:, None]),
        _for_rows(_reduced_by(lambda part: part[:, None])),
        _reduced_by(lambda part: part[..., None]),
        _for_rows(_reduced_by(lambda part: part[..., None])),
    ),
    Wrong(
        "no-exponential",
        "Your weights are the scores divided by their sum, without an exponential.",
        does="Negative scores get negative weights, or as much as positive ones, and a sum of 0 gives inf or nan.",
        why="The exponential is what makes every weight positive, and larger for larger scores.",
        look="Which function stands on both sides of the fraction line in the formula?",
        ways=(
            _share(lambda x, axis: x, _sum),
            _share(lambda x, axis: x - np.max(x, axis=axis, keepdims=True), _sum),
            _share(lambda x, axis: x - np.min(x, axis=axis, keepdims=True), _sum),
            _share(lambda x, axis: np.abs(x), _sum),
            lambda x, axis, work: x / _sum(np.abs(x), axis),
        ),
    ),
    Wrong(
        "scores-returned",
        "Your softmax returns scores, not weights.",
        does="Nothing is computed, or what is computed is not returned.",
        why="Weights are positive and sum to 1 along the axis.",
        look="Which variable does your function return, and from which line is it?",
        ways=(lambda x, axis, work: x, lambda x, axis, work: x - np.max(x, axis=axis, keepdims=True)),
    ),
    also(LOGARITHM, _logarithm),
    also(ONE_MORE, _one_more),
    Wrong(
        "largest-takes-all",
        "Your weights are 1 at the largest score and 0 elsewhere.",
        does="Only the best entry counts, however close the others are.",
        why="Softmax is soft: every entry gets weight, more for larger scores.",
        look="What should two equal scores get?",
        ways=(
            lambda x, axis, work: _hard(x, axis),
            lambda x, axis, work: (x == np.max(x, axis=axis, keepdims=True)).astype(float),
        ),
    ),
    Wrong(
        "sigmoid",
        "Your weights come from a sigmoid of each score.",
        does="Each entry goes through 1 / (1 + exp(-x)).",
        why="A sigmoid looks at one score by itself; softmax compares the scores of a slice with one another.",
        look="Compare your exponential with the one in the formula: is anything added to it?",
        ways=(
            _share(lambda x, axis: 1 / (1 + np.exp(-x)), _sum),
            lambda x, axis, work: 1 / (1 + np.exp(-x)),
        ),
    ),
    Wrong(
        "softmin",
        "Your softmax gives the smallest score the largest weight.",
        does="The scores enter the exponential with a minus sign.",
        why="The larger the score the larger the weight.",
        look="Which entry of your result is the largest, and which entry of x?",
        ways=(lambda x, axis, work: work(-x),),
    ),
    Wrong(
        "absolute-scores",
        "Your softmax takes the absolute value of the scores.",
        does="-3 and 3 get the same weight.",
        why="The sign matters: a score far below the others deserves next to no weight.",
        look="Where does np.abs come in, and what is it meant to do?",
        ways=(lambda x, axis, work: work(np.abs(x)),),
    ),
    Wrong(
        "scores-divided-again",
        "Your softmax divides the scores by something before the exponential.",
        does="How even the weights come out depends on that number as well.",
        why="Softmax itself scales nothing; where scaling is wanted, the caller has done it.",
        look="Which division in your function is not in the formula?",
        ways=(
            lambda x, axis, work: work(x / np.sqrt(x.shape[axis] if isinstance(axis, int) else x.size)),
            lambda x, axis, work: work(x / (x.shape[axis] if isinstance(axis, int) else x.size)),
            lambda x, axis, work: work(x / np.sqrt(x.shape[-1])),
            lambda x, axis, work: work(x / x.shape[-1]),
            lambda x, axis, work: work(x / np.sqrt(np.sum(x * x, axis=axis, keepdims=True))),
            lambda x, axis, work: work(x / np.sqrt(x.size)),
            lambda x, axis, work: work(x / 2.0),
        ),
    ),
    Wrong(
        "scores-standardised",
        "Your softmax brings the scores to mean 0 and spread 1 first.",
        does="Dividing by the standard deviation changes how far the scores are apart.",
        why="Only a shift leaves softmax as it is; a division does not.",
        look="Which step of yours is not in the formula?",
        ways=(lambda x, axis, work: work((x - x.mean(axis=axis, keepdims=True)) / x.std(axis=axis, keepdims=True)),),
    ),
    Wrong(
        "scores-as-integers",
        "Your softmax cuts the scores down to whole numbers.",
        does="Fractions of the scores are lost before the exponential.",
        why="Scores may be any real numbers.",
        look="Which array of yours has an integer type, or which division is //?",
        ways=(
            lambda x, axis, work: work(x.astype(int).astype(float)),
            lambda x, axis, work: work((x - np.max(x, axis=axis, keepdims=True)).astype(int).astype(float)),
            lambda x, axis, work: work(np.round(x)),
            lambda x, axis, work: work(np.floor(x)),
        ),
    ),
)


def _for_infinities(value):
    """Puts a number, or what is made of the array, in place of -inf."""
    return lambda x, axis, work: work(np.where(np.isneginf(x), value(x, axis) if callable(value) else value, x))


def _below_maximum(amount):
    """Puts a number in place of -inf after the maximum was taken away."""
    return _for_infinities(lambda x, axis: np.max(x, axis=axis, keepdims=True) - amount)


def _least(x, axis):
    return np.min(np.where(np.isneginf(x), np.inf, x), axis=axis, keepdims=True)


INFINITIES = Decision(
    "what becomes of -inf",
    lambda x, axis, work: work(x),
    Wrong(
        "infinity-replaced",
        "Your softmax replaces -inf by another number first.",
        does="An entry of -inf gets weight.",
        why="The exponential of -inf is 0 by itself, which is what such an entry should get.",
        look="What does np.nan_to_num, or your own replacement, make of -inf?",
        ways=(
            _for_infinities(0.0),
            _below_maximum(0.0),
            _for_infinities(-1e3),
            _for_infinities(-100.0),
            _for_infinities(-1e4),
            _below_maximum(100.0),
            _for_infinities(-10.0),
            _below_maximum(10.0),
            _for_infinities(-1.0),
            _below_maximum(50.0),
            _for_infinities(_least),
            *map(_for_infinities, (-50.0, -20.0, -500.0, -5e3, -9999.0, 1e-9)),
            *map(_below_maximum, (1.0, 20.0, 30.0, 500.0)),
        ),
    ),
    Wrong(
        "infinity-gives-nan",
        "Your softmax gives nan for a slice with -inf in it.",
        does="-inf meets another infinity, and -inf - (-inf) or 0 * inf is nan.",
        why="An entry of -inf is allowed and gets exactly 0, as long as the slice has finite entries.",
        look="Follow a slice that begins with -inf through your steps: where does the first nan come up?",
        ways=(
            lambda x, axis, work: np.where(
                np.isneginf(np.take(x, [0], axis=axis if axis is not None else 0)), np.nan, work(x)
            ),
            lambda x, axis, work: np.where(np.isneginf(x), np.nan, work(x)),
            lambda x, axis, work: (
                np.where(np.isneginf(np.take(x, [0, 1], axis=axis)).all(axis=axis, keepdims=True), np.nan, work(x))
                if x.shape[axis] > 1
                else work(x)
            ),
            lambda x, axis, work: np.where(np.isneginf(x).any(axis=axis, keepdims=True), np.nan, work(x)),
        ),
    ),
)


def _shift(amount):
    return lambda pick, x, axis, rest: rest(x - amount(x, axis))


TO_THE_LAST, FROM_THE_SECOND = slice(-1), slice(1, None)


def _part(x, axis, part, least=1):
    """A part of each slice along the axis; the whole where less than the least number of entries would be left."""
    if not isinstance(axis, int) or x.shape[axis] <= least:
        return x
    return np.moveaxis(np.moveaxis(x, axis, -1)[..., part], -1, axis)


def _highest_ever(pick, x, axis, rest):
    highest = pick.keep("highest", lambda: [-np.inf])
    highest[0] = max(highest[0], float(np.max(x)))
    return rest(x - highest[0])


def _finite(x):
    """The scores with 0 for -inf."""
    return np.where(np.isneginf(x), 0, x)


def _clipped(limit):
    return lambda pick, x, axis, rest: rest(np.clip(x, -limit, limit))


def _clipped_and_shifted(limit):
    return lambda pick, x, axis, rest: rest(
        np.clip(x, -limit, limit) - np.max(np.clip(x, -limit, limit), axis=axis, keepdims=True)
    )


def _shifted_and_clipped(limit):
    return lambda pick, x, axis, rest: rest(np.maximum(x - np.max(x, axis=axis, keepdims=True), -limit))


def _clipped_above(limit):
    return lambda pick, x, axis, rest: rest(np.minimum(x, limit))


CLIPPED = Wrong(
    "scores-clipped",
    "Your softmax clips the scores to a range.",
    does="All scores beyond the limit become equal, and so do their weights.",
    why="Scores may be of any size; what counts is how far they are apart.",
    look=LARGE,
    ways=(),
)
LIMITS = (50, 500, 100, 700, 30, 20, 10, 80, 88, 709, 5, 300, 200)  # beyond these exp overflows all the same


def _guarded(x, axis, least):
    """No maximum, but a small number in the sum against 0 / 0."""
    return np.exp(x) / (np.sum(np.exp(x), axis=axis, keepdims=True) + least)


SHIFT = Decision(
    "what is taken from the scores before the exponential",
    lambda pick, x, axis, rest: rest(x - np.maximum.reduce(x, axis=axis, keepdims=True)),
    Wrong(
        "no-maximum-subtracted",
        "Your softmax takes no maximum away before the exponential.",
        does="exp of a large score is infinite, and inf / inf is nan; exp of very low ones is 0, and 0 / 0 is nan.",
        why=ANY_SHIFT,
        look=LARGE,
        ways=(
            lambda pick, x, axis, rest: rest(x),
            *(
                lambda pick, x, axis, rest, least=least: _guarded(x, axis, least)
                for least in (1e-9, 1e-8, 1e-12, 1e-10)
            ),
        ),
    ),
    Wrong(
        "overflow-hidden",
        "Your softmax overflows, and np.nan_to_num hides it.",
        does="Where inf / inf gave nan there are now zeros, or other numbers that are no weights.",
        why="The overflow is gone only when no exponent is above 0.",
        look=LARGE,
        ways=(
            lambda pick, x, axis, rest: np.nan_to_num(rest(x)),
            lambda pick, x, axis, rest: np.nan_to_num(rest(x), nan=1.0),
            lambda pick, x, axis, rest: (
                np.nan_to_num(np.exp(x)) / np.sum(np.nan_to_num(np.exp(x)), axis, keepdims=True)
            ),
        ),
    ),
    Wrong(
        "one-maximum-for-all",
        "Your softmax takes one and the same largest entry away from several slices.",
        does="A slice far below the largest entry underflows to 0 / 0.",
        why="Each slice needs its own maximum, so that at least one of its exponentials is 1.",
        look="Try two rows, one around 0 and one around 5,000.",
        ways=(
            _shift(lambda x, axis: np.max(x)),
            _shift(lambda x, axis: np.max(x, axis=(-2, -1), keepdims=True) if x.ndim > 1 else np.max(x)),
            _shift(lambda x, axis: np.max(x, axis=tuple(range(1, x.ndim)), keepdims=True)),
            _shift(lambda x, axis: np.max(x, axis=tuple(range(max(0, x.ndim - 3), x.ndim)), keepdims=True)),
        ),
    ),
    Wrong(
        "maximum-along-other-axis",
        "Your maximum runs along another axis than your sum.",
        does="Entries of one slice have different numbers taken from them, which does not cancel.",
        why="Only what is the same for the whole slice cancels in the fraction.",
        look="Compare the axis of np.max with the axis of np.sum.",
        ways=(
            _shift(lambda x, axis: np.max(x, axis=-1, keepdims=True)),
            _shift(lambda x, axis: np.max(x, axis=0, keepdims=True)),
            _shift(lambda x, axis: np.max(x, axis=-2, keepdims=True)),
        ),
    ),
    also(LOST_MAXIMUM, _shift(lambda x, axis: np.max(x, axis=axis))),
    Wrong(
        "minimum-subtracted",
        "Your softmax takes the minimum away, not the maximum.",
        does="Every exponent is 0 or more, so slices with a wide range overflow.",
        why=RANGE,
        look=LARGE,
        ways=(
            _shift(lambda x, axis: np.min(x, axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.min(x)),
            _shift(lambda x, axis: np.min(np.where(np.isneginf(x), np.inf, x), axis=axis, keepdims=True)),
        ),
    ),
    Wrong(
        "mean-subtracted",
        "Your softmax takes the mean away, not the maximum.",
        does="A slice with a wide range still overflows, and one -inf makes the mean infinite.",
        why=RANGE,
        look=LARGE,
        ways=(
            _shift(lambda x, axis: np.mean(x, axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.mean(x)),
            _shift(lambda x, axis: np.median(x, axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.mean(_finite(x), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.mean(_finite(x))),
        ),
    ),
    Wrong(
        "other-entry-subtracted",
        "Your softmax takes the first entry of each slice away, or the last, not the largest.",
        does="Any number of the slice cancels, but beside a small one large scores still overflow.",
        why=RANGE,
        look=LARGE,
        ways=(
            _shift(lambda x, axis: np.take(x, [0], axis=axis)),
            _shift(lambda x, axis: np.take(x, [-1], axis=axis)),
            _shift(lambda x, axis: x.flat[0]),
        ),
    ),
    Wrong(
        "maximum-misses-an-entry",
        "Your search for the maximum leaves an entry of each slice out.",
        does="Any number of the slice cancels, but where the entry left out is far above the others it overflows.",
        why=RANGE,
        look="Check the ends of your ranges and slices, and try a row of 0, 1 and 10,000.",
        ways=(
            _shift(lambda x, axis: np.max(_part(x, axis, TO_THE_LAST), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.max(_part(x, axis, FROM_THE_SECOND), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.max(_part(x, axis, TO_THE_LAST, least=0), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.max(_part(x, axis, FROM_THE_SECOND, least=0), axis=axis, keepdims=True)),
        ),
        rare=1,
    ),
    Wrong(
        "maximum-starts-at-zero",
        "Your search for the maximum starts at 0.",
        does="Slices with only very low scores keep exponents far below 0, and underflow to 0 / 0.",
        why="All scores of a slice may be negative; then so is their maximum.",
        look="Try a row of -10,000, -10,001 and -9,999.",
        ways=(
            _shift(lambda x, axis: np.maximum(0, np.max(x, axis=axis, keepdims=True))),
            _shift(lambda x, axis: max(0, np.max(x))),
        ),
    ),
    Wrong(
        "largest-magnitude-subtracted",
        "Your softmax takes the largest absolute value away, not the maximum.",
        does="Slices with only very low scores get exponents twice as low, and underflow to 0 / 0.",
        why="All scores of a slice may be negative; then so is their maximum.",
        look="Try a row of -10,000, -10,001 and -9,999.",
        ways=(
            _shift(lambda x, axis: np.max(np.abs(x), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.max(np.abs(_finite(x)), axis=axis, keepdims=True)),
            _shift(lambda x, axis: np.max(np.abs(x))),
            _shift(lambda x, axis: np.max(np.abs(_finite(x)))),
        ),
    ),
    also(CLIPPED, *(way(limit) for limit in LIMITS for way in (_clipped, _clipped_and_shifted))),
    also(CLIPPED, *map(_shifted_and_clipped, LIMITS), _clipped_and_shifted(1000)),
    also(CLIPPED, *map(_clipped_above, LIMITS)),
    Wrong(
        "maximum-added",
        "Your softmax adds the maximum where it should take it away.",
        does="The exponents get twice as large, and overflow sooner than without.",
        why=RANGE,
        look=LARGE,
        ways=(lambda pick, x, axis, rest: rest(x + np.max(x, axis=axis, keepdims=True)),),
    ),
    Wrong(
        "divided-by-maximum",
        "Your softmax divides the scores by their maximum.",
        does="The largest score becomes 1, and all differences shrink or grow with it.",
        why="A shift cancels in the fraction; a division does not.",
        look="What has to be done with the maximum so that it cancels?",
        ways=(
            lambda pick, x, axis, rest: rest(x / np.max(x, axis=axis, keepdims=True)),
            lambda pick, x, axis, rest: rest(x / np.max(x)),
        ),
    ),
    Wrong(
        "largest-score-kept-between-calls",
        "Your softmax keeps the largest score that it has ever seen.",
        does="After a call with large scores, smaller ones underflow to 0 / 0.",
        why="A call may not depend on an earlier one; each slice has a maximum of its own.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(_highest_ever,),
    ),
    Wrong(
        "running-sum-not-rescaled",
        "Your running sum is not rescaled when the running maximum grows.",
        does="Terms from before a new maximum were taken relative to the old one, and count too much.",
        why="All terms of a sum have to be relative to the same maximum, the earlier ones too.",
        look="Go through [0, 1, 2] by hand: what should the sum be when 1 becomes the maximum, and what is it?",
        ways=(
            lambda pick, x, axis, rest: _not_rescaled(x, axis, np.nan_to_num),
            lambda pick, x, axis, rest: _not_rescaled(x, axis, lambda powers: powers),
            lambda pick, x, axis, rest: _not_rescaled(x, axis, lambda p: np.where(np.isnan(p), -np.inf, p)),
            lambda pick, x, axis, rest: _not_rescaled(
                x, axis, lambda p: np.concatenate([np.zeros_like(p[..., :1]), p[..., 1:]], axis=-1)
            ),
            *(
                lambda pick, x, axis, rest, size=size: _not_rescaled(x, axis, np.nan_to_num, size)
                for size in (2, 4, 8, 16, 32, 64, 128, 3)
            ),
        ),
    ),
)


def _not_rescaled(x, axis, powers, block=1):
    last = np.moveaxis(x, axis, -1)
    ends = np.minimum(np.arange(last.shape[-1]) // block * block + block, last.shape[-1]) - 1
    running = np.maximum.accumulate(last, axis=-1)[..., ends]
    total = np.sum(np.exp(powers(last - running)), axis=-1, keepdims=True)
    return np.moveaxis(np.exp(last - running[..., -1:]) / total, -1, axis)


POWER = Decision(
    "which power the scores become",
    np.exp,
    Wrong(
        "base-two",
        "Your softmax takes powers of 2, not of e.",
        does="The weights are those of scores that are smaller by a factor of log 2.",
        why="The formula has exp; another base is another temperature.",
        look="Which base does the formula have?",
        ways=(lambda x: np.power(2.0, x),),
    ),
    Wrong(
        "base-ten",
        "Your softmax takes powers of 10, not of e.",
        does="The weights are those of scores that are larger by a factor of log 10.",
        why="The formula has exp; another base is another temperature.",
        look="Which base does the formula have?",
        ways=(lambda x: np.power(10.0, x),),
    ),
    Wrong(
        "exponential-minus-one",
        "Your softmax takes exp(x) - 1 in place of exp(x).",
        does="A score of 0 gets no weight, and low ones get negative weights.",
        why="The formula has exp by itself.",
        look="What does np.expm1 compute?",
        ways=(np.expm1,),
    ),
    Wrong(
        "not-the-exponential",
        "Your softmax makes weights of something that is like exp(x), but is not.",
        does="A square, a straight line or a changed exponential takes the place of exp(x).",
        why="The formula has exp by itself.",
        look="What does your function compute for scores of 0, 1 and 2, and what should it?",
        ways=(lambda x: 1 + x, lambda x: np.exp(x) + 1, np.square, lambda x: np.exp(x) ** 2),
    ),
)

EPSILONS = (1e-6, 1e-3, 1e-2, 1e-5, 1e-4, 1e-7, 0.1)  # a smaller one is lost in the tolerance


def _plus(epsilon):
    return lambda e, axis: e / (np.sum(e, axis=axis, keepdims=True) + epsilon)


def _left_out(of_sum, of_result):
    """Leaves entries of each slice out of the sum, or out of the result, where they are 0."""

    def way(e, axis):
        if not isinstance(axis, int):
            return e / np.sum(e, axis=axis, keepdims=True)
        last = np.moveaxis(e, axis, -1)
        shown = np.zeros(last.shape)
        shown[..., of_result] = last[..., of_result] / np.sum(last[..., of_sum], axis=-1, keepdims=True)
        return np.moveaxis(shown, -1, axis)

    return way


WHOLE = slice(None)

EPSILON = Wrong(
    "epsilon-in-the-sum",
    "Your softmax adds a small number to the sum.",
    does="The weights sum to a little less than 1.",
    why="Once the maximum is taken away the sum is at least 1, so nothing has to be guarded against.",
    look="What is the smallest that the sum can be, after the maximum is taken away?",
    ways=(),
)
KEPT_ABOVE = Wrong(
    "weights-kept-above-zero",
    "Your weights are kept above some smallest number.",
    does="An entry that should have the weight 0 gets a little.",
    why="A weight of 0 is right: an entry of -inf has to get exactly that.",
    look="Where do you use np.maximum, np.clip or an epsilon on the exponentials or the weights?",
    ways=(),
)
SHARE = Decision(
    "what the exponentials are divided by",
    lambda e, axis: e / np.add.reduce(e, axis=axis, keepdims=True),
    Wrong(
        "not-normalised",
        "Your exponentials are not divided by their sum.",
        does="The entries are positive, but a slice does not sum to 1.",
        why="Weights are shares of one whole.",
        look="What is the sum of one row of your result?",
        ways=(lambda e, axis: e,),
    ),
    Wrong(
        "sum-over-everything",
        "Your exponentials are divided by the sum over several slices, or the whole array.",
        does="The entries of all these slices together sum to 1.",
        why=SLICES,
        look="What does np.sum do without axis?",
        ways=(
            lambda e, axis: e / np.sum(e),
            lambda e, axis: e / np.sum(e, axis=(-2, -1), keepdims=True),
        ),
    ),
    Wrong(
        "sum-along-other-axis",
        "Your sum runs along another axis than the one asked for.",
        does="The weights sum to 1 along the wrong axis.",
        why=SLICES,
        look=WHICH_AXIS,
        ways=(
            lambda e, axis: e / np.sum(e, axis=-1, keepdims=True),
            lambda e, axis: e / np.sum(e, axis=0, keepdims=True),
            lambda e, axis: e / np.sum(e, axis=-2, keepdims=True),
        ),
    ),
    _lost(
        "sum-loses-its-axis",
        "sum has",
        "its own sum",
        lambda e, axis: e / np.sum(e, axis=axis),
        lambda e, axis: (e.T / np.sum(e, axis=axis)).T,
    ),
    also(
        AXIS_AT_THE_END,
        lambda e, axis: e / np.sum(e, axis=axis)[:, None],
        lambda e, axis: e / np.sum(e, axis=axis)[..., None],
    ),
    Wrong(
        "entry-left-out",
        "Your softmax leaves one entry of each slice out of its sum, or out of its result.",
        does="The first or the last entry is never reached, so the weights do not sum to 1, or one of them is 0.",
        why="Sum and result go over all entries of a slice.",
        look="Check the ends of your ranges and slices.",
        ways=(
            _left_out(TO_THE_LAST, WHOLE),
            _left_out(FROM_THE_SECOND, WHOLE),
            _left_out(WHOLE, TO_THE_LAST),
            _left_out(TO_THE_LAST, TO_THE_LAST),
            _left_out(WHOLE, FROM_THE_SECOND),
            _left_out(FROM_THE_SECOND, FROM_THE_SECOND),
        ),
    ),
    Wrong(
        "divided-by-norm",
        "Your exponentials are divided by their Euclidean norm.",
        does="The squares of a slice sum to 1, not the entries.",
        why="Weights are shares of one whole: they themselves sum to 1.",
        look="What is the sum of one row of your result?",
        ways=(lambda e, axis: e / np.sqrt(np.sum(e * e, axis=axis, keepdims=True)),),
    ),
    Wrong(
        "divided-by-mean",
        "Your exponentials are divided by their mean, not by their sum.",
        does="A slice does not sum to 1.",
        why="Weights are shares of one whole.",
        look="What is the sum of one row of your result?",
        ways=(lambda e, axis: e / np.mean(e, axis=axis, keepdims=True),),
    ),
    also(ONE_MORE, _plus(1.0)),
    also(EPSILON, *map(_plus, EPSILONS)),
    also(KEPT_ABOVE, lambda e, axis: (e + 1e-6) / np.sum(e + 1e-6, axis=axis, keepdims=True)),
)


def _at_least(least):
    return lambda w, x: np.maximum(w, least)


def _cut(least):
    return lambda w, x: np.where(w < least, 0.0, w)


FINISH = Decision(
    "what is done with the weights",
    lambda w, x: w,
    Wrong(
        "weights-as-integers",
        "Your weights are put into an array of the input's type.",
        does="Integer input makes integers of the weights, and nearly all of them 0.",
        why="Weights are fractions, whatever the scores are.",
        look="What type does np.zeros_like(x), np.empty_like(x) or astype(x.dtype) have for integer x?",
        ways=(lambda w, x: w.astype(x.dtype),),
    ),
    also(KEPT_ABOVE, *map(_at_least, (1e-12, 1e-9, 1e-10, 1e-8, 1e-7, 1e-6, 1e-15, 1e-300))),
    Wrong(
        "small-weights-dropped",
        "Your small weights are set to 0.",
        does="Weights below some limit are lost, and the slice no longer sums to 1.",
        why="A small weight is a weight.",
        look="Which line compares weights with a limit?",
        ways=tuple(map(_cut, (1e-4, 1e-3, 1e-6, 1e-5, 1e-2, 0.05, 0.1))),
    ),
    also(LOGARITHM, lambda w, x: np.log(w), lambda w, x: np.log2(w)),
    Wrong(
        "weights-subtracted-from-one",
        "Your softmax returns 1 minus the weights.",
        does="Large scores get small weights.",
        why="The larger the score the larger the weight.",
        look="What is the sum of one row of your result?",
        ways=(lambda w, x: 1.0 - w,),
    ),
)


def _within(low, high):
    """Clips the scores to a range; -inf gets to its lower end."""
    return lambda x, axis, work: work(np.clip(x, low, high))


def _finite_within(low, high):
    """Clips the scores to a range, but leaves -inf alone."""
    return lambda x, axis, work: work(np.where(np.isneginf(x), -np.inf, np.clip(x, low, high)))


def _plainly_within(limit):
    """The same in the place of a maximum."""

    def way(x, axis, work):
        e = np.exp(np.where(np.isneginf(x), -np.inf, np.clip(x, -limit, limit)))
        return e / _sum(e, axis)

    return way


def _by_magnitude(numbers, guard=lambda largest: largest, *, of_all=False):
    """Divides by the largest absolute value of each slice, or of all."""

    def way(x, axis, work):
        return work(x / guard(np.max(np.abs(numbers(x)), axis=None if of_all else axis, keepdims=True)))

    return way


SCORES = Decision(
    "what is done with the scores first",
    lambda x, axis, work: work(x),
    also(
        replace(CLIPPED, rare=2),
        *(
            way
            for limit in (500, 50, 100, 700, 30, 20, 10, 88)
            for way in (_finite_within(-limit, limit), _plainly_within(limit))
        ),
        _finite_within(-1000, 1000),
    ),
    also(replace(CLIPPED, rare=2), *(_within(None, limit) for limit in (500, 700, 100, 50))),
    also(
        replace(CLIPPED, rare=3),
        *(way for limit in (500, 700, 100, 50) for way in (_within(-limit, None), _finite_within(-limit, None))),
    ),
    Wrong(
        "divided-by-largest-magnitude",
        "Your softmax divides the scores by their largest absolute value.",
        does="The scores all end up between -1 and 1, however far apart they were.",
        why="A shift cancels in the fraction; a division does not.",
        look="Try [0, 1] and [0, 100]: should they get the same weights?",
        ways=(
            _by_magnitude(_finite),
            _by_magnitude(lambda x: x),
            _by_magnitude(_finite, of_all=True),
            _by_magnitude(lambda x: x, of_all=True),
            _by_magnitude(_finite, lambda largest: np.maximum(largest, 1.0)),
            _by_magnitude(_finite, lambda largest: largest + 1e-8),
            _by_magnitude(lambda x: x, lambda largest: largest + 1e-8),
            _by_magnitude(_finite, lambda largest: np.maximum(largest, 1.0), of_all=True),
        ),
        rare=1,
    ),
)


def _clipped_inside(w, least):
    return np.clip(w, least, 1 - least)


def _renormalised(w, axis):
    return w / np.sum(w, axis=axis, keepdims=True)


def _centred(x, axis):
    return x - np.max(x, axis=axis, keepdims=True)


def _of_the_fraction(y, axis):
    """The exponential of what should have been its fraction."""
    return np.exp(y / np.sum(np.exp(y), axis=axis, keepdims=True))


def _hard_above(limit):
    return lambda x, axis, work: np.where(np.max(x, axis=axis, keepdims=True) > limit, _hard(x, axis), work(x))


def _rescaled_wrongly(x, axis, _work):
    """A running sum that is multiplied by exp(m' - m), not by exp(m - m'), when the maximum grows from m to m'."""
    last = np.moveaxis(x, axis, -1)
    largest, total = last[..., 0], np.ones(last.shape[:-1])
    for at in range(1, last.shape[-1]):
        larger = np.maximum(largest, last[..., at])
        grown, below = larger - largest, last[..., at] - larger
        total = total * np.exp(np.where(np.isfinite(grown), grown, 0)) + np.exp(np.where(np.isnan(below), 0, below))
        largest = larger
    return np.moveaxis(np.exp(last - largest[..., None]) / total[..., None], -1, axis)


def _squeezed(range_of, least):
    def way(x, axis, work):
        low = least(x, axis)
        return work((x - low) / range_of(np.max(x, axis=axis, keepdims=True) - low))

    return way


def _smallest(x, axis):
    return np.min(x, axis=axis, keepdims=True)


def _smoothed(share):
    def way(x, axis, work):
        w = work(x)
        return (1 - share) * w + share * np.ones_like(w) / np.sum(np.ones_like(w), axis=axis, keepdims=True)

    return way


def _beside_plain_sum(epsilon):
    """A small number beside a sum of exponentials from which no maximum was taken away."""

    def way(x, axis, work):
        total, weights = _sum(np.exp(x), axis), work(x)
        return np.where(total == 0, 0.0, np.where(np.isinf(total), weights, weights * (total / (total + epsilon))))

    return way


def _maximum_as(back):
    """Softmax with the right sum, and the lost axis of the maximum put back in some way."""

    def way(x, axis, work):
        e = np.exp(back(x, np.max(x, axis=axis)))
        return e / _sum(e, axis)

    return way


def _put_back(x, axis, work, order):
    """Sorts, and puts the weights in the order that sorted the scores once more, which does not undo it."""
    return np.take_along_axis(work(np.take_along_axis(x, order, axis=axis)), order, axis=axis)


OTHERWISE = Decision(
    "whether weights are made in some other way",
    lambda x, axis, work: work(x),
    also(
        KEPT_ABOVE,
        *(lambda x, axis, work, c=c: _renormalised(work(x) + c, axis) for c in (1e-4, 1e-3, 1e-6, 1e-2, 1e-5, 1e-8)),
        *(
            lambda x, axis, work, c=c: _renormalised(np.maximum(work(x), c), axis)
            for c in (1e-4, 1e-3, 1e-6, 1e-2, 1e-5, 1e-8, 1e-7, 1e-9)
        ),
        *map(_smoothed, (0.1, 0.01)),
    ),
    also(
        replace(KEPT_ABOVE, rare=2),
        *(lambda x, axis, work, c=c: np.maximum(work(x), c) for c in (1e-5, 1e-4, 1e-3, 1e-2)),
        *(lambda x, axis, work, c=c: work(x) + c for c in (1e-8, 1e-6, 1e-5, 1e-7, 1e-4, 1e-3)),
    ),
    Wrong(
        "weights-clipped",
        "Your weights are clipped to a range a little inside of 0 and 1.",
        does="An entry that should have the weight 0 gets a little, and one that should have nearly 1 loses some.",
        why="Weights of 0 and 1 are right: an entry of -inf has to get exactly 0.",
        look="What is the epsilon in your np.clip there for, and who needs it?",
        ways=(
            *(lambda x, axis, work, c=c: _clipped_inside(work(x), c) for c in (1e-7, 1e-5, 1e-6, 1e-8, 1e-3, 1e-4)),
            # With a smaller one the sum evens out what was taken from the largest.
            *(lambda x, axis, work, c=c: _renormalised(_clipped_inside(work(x), c), axis) for c in (1e-3, 1e-4, 1e-2)),
            lambda x, axis, work: _clipped_inside(work(x), 1e-2),
        ),
        rare=1,
    ),
    Wrong(
        "exponential-of-the-fraction",
        "Your exponential is taken of the whole fraction, not of the scores.",
        does="The scores are divided by the sum of the exponentials first, and the result does not sum to 1.",
        why="The exponentials themselves are divided by their sum: both stand on one fraction line.",
        look="Which brackets does your np.exp close, and what lies inside them?",
        ways=(
            lambda x, axis, work: _of_the_fraction(x - np.max(x, axis=axis, keepdims=True), axis),
            lambda x, axis, work: _of_the_fraction(x, axis),
        ),
    ),
    Wrong(
        "one-exponential-missing",
        "Your fraction has an exponential on one side of its line only.",
        does="Exponentials are divided by a sum of scores, or scores by a sum of exponentials.",
        why="What stands above the line is one of the terms of the sum below it.",
        look="Write one weight of [0, 1, 2] out as a fraction: what stands above the line, and what below?",
        ways=(
            lambda x, axis, work: np.exp(_centred(x, axis)) / _sum(_centred(x, axis), axis),
            lambda x, axis, work: np.exp(x) / _sum(x, axis),
            lambda x, axis, work: _centred(x, axis) / _sum(np.exp(_centred(x, axis)), axis),
            lambda x, axis, work: x / _sum(np.exp(x), axis),
        ),
    ),
    Wrong(
        "one-hot-for-large-scores",
        "Your softmax gives the largest score everything once it is above some limit.",
        does="Scores that are close to one another get 1 and 0 where they are large.",
        why="Only the differences count: 900 and 899 get the same weights as 1 and 0.",
        look=LARGE,
        ways=tuple(map(_hard_above, (700, 709, 500, 100, 88, 50, 1000))),
    ),
    Wrong(
        "running-sum-rescaled-wrongly",
        "Your running sum is rescaled by the inverse of the right factor when the running maximum grows.",
        does="Terms from before a new maximum get larger where they should get smaller.",
        why="Relative to a larger maximum every earlier term is smaller than it was.",
        look="Go through [0, 1, 2] by hand: is your factor above 1 or below when 1 becomes the maximum?",
        ways=(_rescaled_wrongly,),
    ),
    Wrong(
        "scores-squeezed-into-a-range",
        "Your softmax squeezes the scores into the range from 0 to 1 first.",
        does="Dividing by the distance of the largest from the smallest changes how far the scores are apart.",
        why="Only a shift leaves softmax as it is; a division does not.",
        look="Which step of yours is not in the formula?",
        ways=(
            _squeezed(lambda wide: wide, _smallest),
            _squeezed(lambda wide: wide, _least),
            _squeezed(lambda wide: np.maximum(wide, 1.0), _least),
            _squeezed(lambda wide: wide + 1e-8, _smallest),
            _squeezed(lambda wide: wide + 1e-12, _smallest),
            _squeezed(lambda wide: wide + 1e-9, _smallest),
        ),
    ),
    Wrong(
        "scores-sorted",
        "Your weights come out in sorted order.",
        does="The scores are sorted first, so a weight no longer stands where its score stood.",
        why="Each weight belongs to the score at the same place of x.",
        look="What did you want from the sorted scores, and which line still needs them in their own order?",
        ways=(
            lambda x, axis, work: work(np.sort(x, axis=axis)),
            lambda x, axis, work: work(np.sort(x)),
            lambda x, axis, work: work(-np.sort(-x, axis=axis)),
        ),
    ),
    Wrong(
        "sorting-not-undone",
        "Your softmax sorts the scores and puts the weights back in a wrong order.",
        does="The weights are indexed with the very order that sorted the scores, which does not undo it.",
        why="Each weight belongs to the score at the same place of x.",
        look="Try [30, 10, 20] and write down np.argsort of it: where does the largest weight end up?",
        ways=(
            lambda x, axis, work: _put_back(x, axis, work, np.argsort(x, axis=axis)),
            lambda x, axis, work: _put_back(x, axis, work, np.argsort(-x, axis=axis)),
            lambda x, axis, work: _put_back(x, axis, work, np.flip(np.argsort(x, axis=axis), axis)),
        ),
        rare=2,
    ),
    also(replace(EPSILON, rare=2), *map(_beside_plain_sum, (1e-6, 1e-5, 1e-7, 1e-4, 1e-3))),
    Wrong(
        "maximum-put-back-at-the-end",
        "Your maximum gets its lost axis back at the end, wherever it was taken from.",
        does="[:, None] or [..., None] puts it last, which is right only for sums along the last axis.",
        why="The axis has to come back where it was, which keepdims=True does.",
        look="Print the shapes of x and of the maximum, for axis=0.",
        ways=(
            _maximum_as(lambda x, highest: x - highest[..., None]),
            _maximum_as(lambda x, highest: x - highest[:, None]),
        ),
        rare=2,
    ),
    also(replace(LOST_MAXIMUM, rare=2), _maximum_as(lambda x, highest: (x.T - highest).T)),
    Wrong(
        "zeros-left-out",
        "Your softmax gives a score of exactly 0 no weight.",
        does="A 0 is taken for padding.",
        why="A score of 0 is a score like any other; what is to be left out has -inf.",
        look="What weights should two scores of 0 get?",
        ways=(
            lambda x, axis, work: work(np.where(x == 0, -np.inf, x)),
            lambda x, axis, work: np.where(x == 0, 0.0, work(x)),
        ),
    ),
)


def along(pick, x, axis, most=None):
    """Softmax along one axis: what attention needs of it, perhaps with the usual ways of each mistake only."""
    ways = usually(most)

    def work(x):
        return pick(ways[SHIFT])(pick, x, axis, lambda shifted: pick(ways[SHARE])(pick(ways[POWER])(shifted), axis))

    return pick(ways[FINISH])(pick(ways[RULE])(x, axis, work), x)


DEFAULT = Decision(
    "which axis is meant when none is given",
    lambda axis: axis,
    Wrong(
        "default-axis-zero",
        "Your default for axis is not -1.",
        does="Without an axis given, the weights sum to 1 along another one than the last.",
        why="The stub has axis=-1: each row by itself.",
        look="Compare your parameters with (x, axis=-1).",
        ways=(lambda axis: 0, lambda axis: 1, lambda axis: None),
    ),
)
PARAMETERS = parameters("axis", position=1, default="-1", shown="x, axis=-1")


def _sorted_in_place(of):
    """Sorts x along some axis, and works with what it was; the order of the weights is a mistake of its own."""

    def way(given):
        x, axis = given
        kept = np.array(x)
        x.sort(axis=of(axis))
        return [kept, axis]

    return way


CHANGES_X = changing(
    "x",
    0,
    lambda x: np.subtract(x, np.max(x) + 1, out=x, casting="unsafe"),
    lambda x: np.subtract(x, np.max(x) + 1, out=x) if x.dtype == np.float64 else None,
    lambda x: np.subtract(x, np.max(x) + 1, out=x) if x.dtype.kind == "f" else None,
    lambda x: np.exp(x / 1e4, out=x),
    lambda x: np.copyto(x, 1e-3, where=np.isneginf(x)) if x.dtype.kind == "f" else None,
)
CHANGES = Decision(
    "whether x is left alone",
    lambda given: given,
    CHANGES_X,
    also(CHANGES_X, _sorted_in_place(lambda axis: axis), _sorted_in_place(lambda axis: -1)),
)


def softmax(pick, x, *axis_given, **axis_named):
    """Turn scores into weights."""
    pick(PARAMETERS)(pick)
    axis = next(iter((*axis_given, *axis_named.values())), None)
    axis = pick(DEFAULT)(-1) if axis is None else axis

    def of_scores(x, axis):
        return pick(SCORES)(x, axis, lambda x: pick(OTHERWISE)(x, axis, lambda x: along(pick, x, axis)))

    def one(x, axis):
        return pick(INFINITIES)(x, axis, lambda x: of_scores(x, axis))

    def work():
        given = pick(PRECISION)(pick(CHANGES)([x, axis]))
        return pick(RETURNED)(pick(AXIS)(*given, one))

    return pick(KEEPING)(pick, (x, axis), work)


def probes(rng, sizes):
    """The calls to compare on."""
    a, b, c, d = sizes
    rows = rng.normal(size=(a, b))
    yield ask("softmax", rows)
    yield ask("softmax", rng.normal(size=b))
    yield ask("softmax", rows, axis=0)
    yield ask("softmax", np.array([[0.0, 1.0, 0.5], [2.0, 0.0, 0.0], [-1.0, 3.0, 1.0]]), axis=0)
    yield ask("softmax", 3 * rng.normal(size=(a, d)))
    solid = rng.normal(size=(c, a, b))
    for axis in (1, -1, 0, -2, 2, -3):
        yield ask("softmax", solid, axis=axis)
    yield ask("softmax", rng.normal(size=(c, a, 1, b)), axis=1)
    yield ask("softmax", rng.normal(size=(c, c, a, b)), axis=-3)
    yield ask("softmax", rng.normal(size=(c, c, a, b)))
    yield ask("softmax", rng.normal(size=(a, b)))
    yield ask("softmax", rows)
    yield ask("softmax", rng.normal(size=131) + np.linspace(-3.0, 3.0, 131))
    yield edge("softmax", rows, 0)  # whoever takes axis by name alone is wrong here for another reason
    yield edge("softmax", np.array([[0.0, 12.0, 25.0, 35.0, 62.0], [-20.0, -90.0, -15.0, 3.0, 0.0]]))
    yield edge("softmax", np.array([0.0, 900.0, 870.0, 450.0]))
    yield edge("softmax", np.array([650.0, 600.0, 720.0, 705.0]))
    yield edge("softmax", rng.normal(size=(a, b)) + 10_000)
    yield edge("softmax", rng.normal(size=(a, b)) - 10_000)
    yield edge("softmax", rng.normal(size=(c, a)) - 700, axis=0)
    yield edge("softmax", np.array([10_000.0, -10_000.0, 9_999.0]))
    levels = np.array([0.0, -1_500.0, 3_000.0, -9_000.0, 9_000.0, 40.0, 7_000.0])
    yield edge("softmax", levels[:a, None] + rng.normal(size=(a, b)))
    yield edge("softmax", levels[:a] + rng.normal(size=(b, a)), axis=0)
    yield edge("softmax", levels[:c, None, None] + rng.normal(size=(c, a, b)))
    few = rng.normal(size=(a, b))
    few[0, 0] = few[1, b - 1] = few[a - 1, 1] = -np.inf
    yield edge("softmax", few)
    yield edge("softmax", np.array([-np.inf, 10_000.0, 9_999.0]))
    yield edge("softmax", np.array([-np.inf, -10_000.0, -9_999.0]))
    yield edge("softmax", few, axis=0)
    yield edge("softmax", np.array([[0.0, -3_000.0, 9_000.0], [9_000.0, 0.0, -3_000.0]]))
    yield edge("softmax", np.array([[-np.inf, -np.inf, 0.5, 2.0, 1.0], [1.0, -np.inf, -np.inf, 0.0, 3.0]]))
    yield edge("softmax", rng.integers(1, 6, size=(a, b)))
    yield edge("softmax", rng.integers(1, 6, size=b).astype(np.int32), axis=0)
    yield edge("softmax", rng.normal(size=(a, b)).astype(np.float32))
    yield edge("softmax", rng.normal(size=(a, b)))
    yield refilled("softmax", *((rng.normal(size=(a, b)),) for _ in range(3)))
