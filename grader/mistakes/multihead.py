"""Splitting, merging and multi-head attention with their decision points open."""

from itertools import pairwise

import numpy as np

from grader.expect.habits import FLATTENED, KEEPING, PRECISION, RETURNED, ROUNDED, changing, parameters
from grader.expect.mistakes import AnyText, Decision, Refused, Wrong, also, ask, edge, refilled

from .attention import (
    DIGITS,
    LOW,
    MASK_SHAPE,
    OF_EACH_MEMBER,
    POWERS_TIMES_MASK,
    as_low,
    attend,
    mistake_of,
    softmax_along,
    softmax_axes,
    softmax_on,
    some_mask,
)
from .projections import (
    # Decisions that count as this model's own, since here nothing tells attention(q, q, v) from keys made with w_q.
    FOR_KEYS,  # noqa: F401
    FOR_QUERIES,  # noqa: F401
    FOR_VALUES,  # noqa: F401
    LAYER_NORMS,
    normalised_in_place,
    project_as_usual,
    scaled_in_place,
)

MOST = 3  # ways of each mistake of attention and softmax, which come up among very many others here
BOTH_NUMBERS = "The message has to name num_heads and d_model, so that a reader sees what does not fit."
NEIGHBOURS = "Head h holds the h-th slice of neighbouring features, of every token."
BY_HAND = "Take one token [1, 2, 3, 4] and two heads by hand, then two tokens."
HEADS_IN_FRONT = "The heads stand right in front of the tokens; leading axes stay where they are."
SHAPES = "Print the shape after every line, without a batch, with one leading axis and with two."
SHARED = "All heads share the mask, which has no axis for them: it needs one of length 1 where the heads are."
REFUSE = "num_heads has to be at least 1 and to divide d_model; everything else has to be refused with a ValueError."
DUTY = "Which numbers of heads make no sense for d_model = 6? Try 4, 0, -1 and -2."
MIXES = "w_o mixes the features of all heads once they are side by side."


def _refuse(test):
    """Refuses where the test of num_heads, d_model and n finds something wrong."""

    def way(num_heads, d_model, n, refuse):
        if test(num_heads, d_model, n):
            refuse(num_heads, d_model)

    return way


def _bad(num_heads, d_model, n):
    return num_heads < 1 or d_model % num_heads != 0


def _both(num_heads, d_model):
    return f"num_heads={num_heads} does not fit d_model={d_model}"


def _says(low, rest=None, kind=ValueError):
    """Raises with one message below 1, and with another, or the same, where there is a remainder."""

    def way(num_heads, d_model):
        raise kind((low if num_heads < 1 else rest or low)(num_heads, d_model))

    return way


MESSAGE = Decision(
    "how a number of heads is refused",
    _says(_both),
    Wrong(
        "message-names-one-number",
        "Your ValueError names only one of the two numbers.",
        does="num_heads or d_model is missing from the message; the size of one head does not stand for d_model.",
        why=BOTH_NUMBERS,
        look="Read the message as somebody who does not see the call.",
        ways=(
            _says(lambda h, d: f"num_heads={h}"),
            _says(lambda h, d: f"d_model={d}"),
            _says(lambda h, d: f"num_heads={h}", _both),
            _says(_both, lambda h, d: f"num_heads={h}"),
            _says(lambda h, d: f"d_model={d}", _both),
            _says(_both, lambda h, d: f"d_model={d}"),
            _says(lambda h, d: "at least one head", lambda h, d: f"num_heads={h}"),
            _says(lambda h, d: f"num_heads={h}", lambda h, d: f"d_model={d}"),
            _says(_both, lambda h, d: f"num_heads={h} leaves {d % h}"),
        ),
    ),
    Wrong(
        "message-names-no-number",
        "Your ValueError names neither of the two numbers.",
        does="The message says that something does not fit, but not what.",
        why=BOTH_NUMBERS,
        look="Read the message as somebody who does not see the call.",
        ways=(
            _says(lambda h, d: "does not fit"),
            _says(lambda h, d: "too few", _both),
            _says(_both, lambda h, d: "does not divide"),
            _says(lambda h, d: f"num_heads={h}", lambda h, d: "does not divide"),
        ),
    ),
    Wrong(
        "another-exception-class",
        "Your function refuses with another exception than ValueError.",
        does="A caller that catches ValueError does not catch this one.",
        why="A value that does not fit, of the right type, is what ValueError stands for.",
        look="Which exception does your check raise? An assert raises AssertionError.",
        ways=tuple(
            _says(_both, kind=kind)
            for kind in (AssertionError, TypeError, Exception, RuntimeError, IndexError, ArithmeticError, KeyError)
        ),
    ),
)

NO_CHECK = Wrong(
    "no-check-of-num-heads",
    "Your function does not check num_heads.",
    does="A number that does not fit ends in another exception, or in a result that means nothing.",
    why=REFUSE,
    look=DUTY,
    ways=(),
)
LESS_THAN_ONE = Wrong(
    "less-than-one-head-accepted",
    "Your function checks whether num_heads divides d_model, but not whether it is at least 1.",
    does="0 ends in a ZeroDivisionError, and -2 divides 6 without a remainder.",
    why=REFUSE,
    look=DUTY,
    ways=(),
)
NEGATIVE = Wrong(
    "negative-heads-accepted",
    "Your function refuses 0 heads, but not a negative number of them.",
    does="-2 divides 6 without a remainder, so it gets through.",
    why=REFUSE,
    look=DUTY,
    ways=(),
)
CHECK = Decision(
    "which numbers of heads are refused",
    _refuse(_bad),
    also(NO_CHECK, lambda num_heads, d_model, n, refuse: None),
    also(LESS_THAN_ONE, _refuse(lambda num_heads, d_model, n: d_model % num_heads != 0)),
    also(
        NEGATIVE,
        _refuse(lambda num_heads, d_model, n: num_heads == 0 or d_model % num_heads != 0),
        _refuse(lambda num_heads, d_model, n: num_heads == 0),
    ),
    Wrong(
        "zero-divides-before-the-check",
        "Your function computes with num_heads before it asks whether it is 0.",
        does="0 ends in a ZeroDivisionError, and negative numbers are refused as they should be.",
        why=REFUSE,
        look="In which order are the two conditions asked?",
        ways=(_refuse(lambda num_heads, d_model, n: d_model % num_heads != 0 or num_heads < 1),),
    ),
    Wrong(
        "remainder-accepted",
        "Your function checks whether num_heads is at least 1, but not whether it divides d_model.",
        does="A number that leaves a remainder ends in another exception, or loses features.",
        why=REFUSE,
        look=DUTY,
        ways=(
            _refuse(lambda num_heads, d_model, n: num_heads < 1),
            _refuse(lambda num_heads, d_model, n: num_heads < 1 or num_heads > d_model),
        ),
    ),
    Wrong(
        "one-head-refused",
        "Your function refuses a single head.",
        does="num_heads = 1 ends in an exception, though it divides everything.",
        why="One head is plain attention; only numbers below 1 are refused.",
        look="Is it < or <= in your condition?",
        ways=(_refuse(lambda h, d, n: h <= 1 or d % h != 0),),
    ),
    Wrong(
        "heads-of-one-feature-refused",
        "Your function refuses as many heads as features.",
        does="num_heads = d_model ends in an exception, though each head may have a single feature.",
        why="d_model divides itself.",
        look="Is it > or >= in your condition?",
        ways=(_refuse(lambda h, d, n: h < 1 or h >= d or d % h != 0),),
    ),
    Wrong(
        "checked-against-tokens",
        "Your function checks num_heads against the number of tokens.",
        does="Numbers that fit d_model are refused, or others let through.",
        why="It is the features that are split, not the tokens.",
        look="Which axis of x does your check take its size from?",
        ways=(
            _refuse(lambda h, d, n: h < 1 or n % h != 0),
            _refuse(lambda h, d, n: h < 1 or d % h != 0 or h > n),
        ),
    ),
    Wrong(
        "check-the-wrong-way-round",
        "Your check has its condition the wrong way round.",
        does="Numbers that fit are refused, or the remainder is taken of the wrong number.",
        why=REFUSE,
        look="Try num_heads = 2 and d_model = 6: what do your conditions say?",
        ways=(
            _refuse(lambda h, d, n: h < 1 or d % h == 0),
            _refuse(lambda h, d, n: h < 1 or h % d != 0),
        ),
    ),
)


def _cut(x, num_heads):
    """The features cut into heads, which still stand behind the tokens."""
    return x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads)


def _split(x, num_heads):
    return np.swapaxes(_cut(x, num_heads), -3, -2)


def _fail(*_):
    raise ValueError


def _if_ndim(test, way=_split):
    return lambda x, *more: way(x, *more) if test(x.ndim) else _fail()


def _first_slice(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return np.stack([x[..., :d_head]] * num_heads, axis=-3)


def _uneven(x, num_heads):
    parts = np.array_split(x, num_heads, axis=-1)
    width = parts[0].shape[-1]
    return np.stack([np.pad(p, [(0, 0)] * (x.ndim - 1) + [(0, width - p.shape[-1])]) for p in parts], axis=-3)


def _rest_dropped(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return _split(x[..., : num_heads * d_head], num_heads)


def _slices_around(x, num_heads, step):
    """Slices that begin so many features apart, and go on with the first feature after the last."""
    d_head = x.shape[-1] // num_heads
    return np.stack([np.roll(x, -head * step, axis=-1)[..., :d_head] for head in range(num_heads)], axis=-3)


def _without_head(x, head):
    """The same with zeros for one head, as in an array that a loop over the heads does not fill."""
    filled = np.array(x)
    filled[..., head, :, :] = 0
    return filled


def _but_last(x):
    """What a list or a stack holds that a loop over the heads ends too early for."""
    return x[..., :-1, :, :] if x.shape[-3] > 1 else _fail()


HEAD_LEFT_OUT = Wrong(
    "head-left-out",
    "Your loop over the heads leaves one of them out.",
    does="The first or the last head is missing, or stays as it was made.",
    why="Every head has a slice of the features, and a slice of the result.",
    look="Which numbers does your loop go through for three heads?",
    ways=(),
)
LAST_FOR_ALL = Wrong(
    "last-head-in-the-end",
    "All your heads end up with what belongs to the last one.",
    does="What belongs to the others is overwritten, or never looked at.",
    why="Each head has a slice, and a result, of its own.",
    look="What do your lists and loop variables hold when the loop has ended? [a] * 3 holds one array three times.",
    ways=(),
)
REVERSED = Wrong(
    "heads-reversed",
    "Your heads come in the opposite order.",
    does="Head 0 holds the last features, or its weights are returned as those of the last head.",
    why=NEIGHBOURS,
    look="Which head comes first in what split_heads returns, and which in the weights that you return?",
    ways=(),
)
BY_NUMBER = Wrong(
    "split-axes-by-number",
    "Your split names axes by number, which fits one number of leading axes only.",
    does="With fewer or more leading axes it ends in an exception, or exchanges the wrong axes.",
    why=HEADS_IN_FRONT,
    look=SHAPES,
    ways=(),
)
SPLIT = Decision(
    "how features are cut into heads",
    _split,
    Wrong(
        "heads-left-behind-tokens",
        "Your heads stay behind the tokens: the axes are not exchanged.",
        does="The shape is (..., n, num_heads, d_head), and attention would run among the heads of one token.",
        why=HEADS_IN_FRONT,
        look=SHAPES,
        ways=(_cut,),
    ),
    Wrong(
        "split-by-reshape-alone",
        "Your split is a reshape alone, without exchanging axes.",
        does="The shape is right, but a head holds pieces of several tokens.",
        why="A reshape keeps the order of the numbers in memory; moving the heads to the front changes it.",
        look=BY_HAND,
        ways=(lambda x, h: x.reshape(*x.shape[:-2], h, x.shape[-2], x.shape[-1] // h),),
    ),
    Wrong(
        "heads-interleaved",
        "Your heads take every num_heads-th feature, not neighbouring ones.",
        does="Head h holds the features h, h + num_heads, and so on.",
        why=NEIGHBOURS,
        look=BY_HAND,
        ways=(lambda x, h: np.moveaxis(x.reshape(*x.shape[:-1], x.shape[-1] // h, h), -1, -3),),
    ),
    Wrong(
        "num-heads-and-d-head-swapped",
        "Your number of heads and their size have changed places.",
        does="There are d_head heads of num_heads features each.",
        why="d_head = d_model / num_heads is the size of one head.",
        look=SHAPES,
        ways=(lambda x, h: _split(x, x.shape[-1] // h),),
    ),
    Wrong(
        "heads-in-front-of-batch",
        "Your heads stand in front of the leading axes.",
        does="The shape begins with num_heads, and the batch comes after it.",
        why=HEADS_IN_FRONT,
        look=SHAPES,
        ways=(lambda x, h: np.moveaxis(_cut(x, h), -2, 0),),
    ),
    Wrong(
        "heads-last",
        "Your heads are the last axis.",
        does="The shape is (..., n, d_head, num_heads).",
        why=HEADS_IN_FRONT,
        look=SHAPES,
        ways=(
            lambda x, h: np.swapaxes(_cut(x, h), -1, -2),
            lambda x, h: x.reshape(*x.shape[:-1], x.shape[-1] // h, h),
        ),
    ),
    Wrong(
        "head-features-transposed",
        "Your split exchanges tokens and features.",
        does="A head has features for rows, (..., num_heads, d_head, n), or pieces of both mixed up.",
        why="A head has a row for each token.",
        look=SHAPES,
        ways=(
            lambda x, h: np.swapaxes(_split(x, h), -1, -2),
            lambda x, h: np.swapaxes(x, -1, -2).reshape(*x.shape[:-2], h, x.shape[-2], x.shape[-1] // h),
        ),
    ),
    also(
        BY_NUMBER,
        lambda x, h: _cut(x, h).transpose(1, 0, 2),
        lambda x, h: _cut(x, h).transpose(0, 2, 1, 3),
        lambda x, h: np.swapaxes(_cut(x, h), 1, 2),
        lambda x, h: np.swapaxes(_cut(x, h), 0, 1),
        _if_ndim(lambda ndim: ndim <= 3),
        _if_ndim(lambda ndim: ndim in (3, 4)),
        lambda x, h: _split(x.reshape(x.shape[0], -1, x.shape[-1]), h) if x.ndim > 2 else _split(x, h),
    ),
    Wrong(
        "first-slice-for-all-heads",
        "All your heads hold the same slice of features.",
        does="The first slice is handed to every head, and the other features are lost.",
        why=NEIGHBOURS,
        look="Where does h, the number of the head, come into your slice?",
        ways=(_first_slice,),
    ),
    Wrong(
        "slices-at-wrong-places",
        "Your slices do not begin where the one before ends.",
        does="Head h begins at feature h, or a feature too early or too late, so heads overlap or leave features out.",
        why=NEIGHBOURS,
        look="At which features do your heads begin and end, for d_model = 6 and two heads?",
        ways=(
            lambda x, h: np.stack([x[..., at : at + x.shape[-1] // h] for at in range(h)], axis=-3),
            lambda x, h: np.stack([x[..., at * h : at * h + x.shape[-1] // h] for at in range(h)], axis=-3),
            lambda x, h: np.stack(
                [
                    np.roll(x, -1, axis=-1)[..., at : at + x.shape[-1] // h]
                    for at in range(0, x.shape[-1], x.shape[-1] // h)
                ],
                axis=-3,
            ),
            lambda x, h: _slices_around(x, h, h),
            lambda x, h: _slices_around(x, h, x.shape[-1] // h - 1),
        ),
    ),
    Wrong(
        "slices-of-wrong-width",
        "Your slices are not d_model / num_heads features wide.",
        does="They end after num_heads features, or one too early, so the heads have another size.",
        why=NEIGHBOURS,
        look="How many features lie between the two ends of your slice, for d_model = 6 and two heads?",
        ways=(
            lambda x, h: np.stack([x[..., at * h : (at + 1) * h] for at in range(h)], axis=-3),
            lambda x, h: np.stack([x[..., at : at + h] for at in range(0, x.shape[-1], x.shape[-1] // h)], axis=-3),
            lambda x, h: _split(x, h)[..., :-1],
        ),
        rare=1,
    ),
    Wrong(
        "heads-cut-to-integers",
        "Your split puts the features into an array of integers.",
        does="Their fractions are lost.",
        why="Features are any real numbers; splitting changes none of them.",
        look="What type does the array have that your heads are collected in?",
        ways=(lambda x, h: _split(x, h).astype(int), lambda x, h: np.round(_split(x, h)).astype(int)),
    ),
    Wrong(
        "whole-features-for-each-head",
        "Each of your heads holds all features.",
        does="The array is repeated, not cut.",
        why=NEIGHBOURS,
        look="How many features should one head have?",
        ways=(lambda x, h: np.stack([x] * h, axis=-3),),
    ),
    also(REVERSED, lambda x, h: _split(x, h)[..., ::-1, :, :]),
    also(
        HEAD_LEFT_OUT,
        lambda x, h: _but_last(_split(x, h)),
        lambda x, h: _without_head(_split(x, h), -1),
        lambda x, h: _without_head(_split(x, h), 0),
    ),
    also(LAST_FOR_ALL, lambda x, h: _copies(_split(x, h), -1)),
    Wrong(
        "tokens-split-not-features",
        "Your split cuts the tokens, not the features.",
        does="Each head gets some of the tokens.",
        why=NEIGHBOURS,
        look="Which axis of x has d_model entries?",
        ways=(
            lambda x, h: x.reshape(*x.shape[:-2], h, x.shape[-2] // h, x.shape[-1]),
            lambda x, h: np.stack(np.split(x, h, axis=-2), axis=-3),
        ),
    ),
    also(
        FLATTENED,
        lambda x, h: _split(x.reshape(-1, *x.shape[-2:]), h) if x.ndim > 3 else _split(x, h),
        lambda x, h: _split(x.reshape(-1, *x.shape[-2:]), h),
    ),
)


def _merge(x):
    tokens = np.swapaxes(x, -3, -2)
    return tokens.reshape(*tokens.shape[:-2], tokens.shape[-2] * tokens.shape[-1])


def _flat(x, *shape):
    return x.reshape(*x.shape[:-3], *shape)


MERGE = Decision(
    "how heads are put side by side",
    _merge,
    Wrong(
        "merge-by-reshape-alone",
        "Your merge is a reshape alone, without exchanging axes.",
        does="The shape is right, but a token gets features of several tokens.",
        why="The heads have to stand behind the tokens before they are put side by side.",
        look="Merge what split_heads made of two tokens: do you get them back?",
        ways=(lambda x: _flat(x, x.shape[-2], x.shape[-3] * x.shape[-1]),),
    ),
    Wrong(
        "merge-interleaves",
        "Your merge puts the heads' features between one another.",
        does="Feature 0 of all heads comes first, then feature 1 of all heads.",
        why="The features of one head stay together.",
        look=BY_HAND,
        ways=(lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),),
    ),
    Wrong(
        "merge-along-tokens",
        "Your merge puts the heads one below the other, not side by side.",
        does="There are num_heads times as many tokens.",
        why="Every token gets the features of all heads back.",
        look=SHAPES,
        ways=(
            lambda x: _flat(x, x.shape[-3] * x.shape[-2], x.shape[-1]),
            lambda x: np.concatenate(np.moveaxis(x, -3, 0), axis=0),
            lambda x: np.swapaxes(x, -3, -2).reshape(*x.shape[:-3], -1, x.shape[-1]),
        ),
    ),
    Wrong(
        "heads-averaged",
        "Your merge averages the heads, adds them up, or keeps only one of them.",
        does="What the other heads had to say is lost, or no longer to be told apart.",
        why="The heads are put side by side, and w_o learns how to mix them.",
        look="How many features should the merged array have?",
        ways=(
            lambda x: x.mean(axis=-3),
            lambda x: x.sum(axis=-3),
            lambda x: np.concatenate([x.mean(axis=-3)] * x.shape[-3], axis=-1),
            lambda x: x[..., 0, :, :],
            lambda x: x[..., -1, :, :],
        ),
    ),
    Wrong(
        "merge-axes-by-number",
        "Your merge names axes by number, which fits one number of leading axes only.",
        does="With fewer or more leading axes it ends in an exception, or exchanges the wrong axes.",
        why=HEADS_IN_FRONT,
        look=SHAPES,
        ways=(
            lambda x: _side_by_side(x.transpose(1, 0, 2)),
            lambda x: _side_by_side(x.transpose(0, 2, 1, 3)),
            lambda x: _side_by_side(np.swapaxes(x, 0, 1)),
            lambda x: _side_by_side(np.swapaxes(x, 1, 2)),
            _if_ndim(lambda ndim: ndim <= 4, _merge),
            _if_ndim(lambda ndim: ndim in (4, 5), _merge),
            lambda x: np.concatenate(list(x), axis=-1),
            lambda x: np.swapaxes(x, 1, 2).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1]),
            lambda x: _joined(x, axis=1).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1]),
            lambda x: _joined(x, axis=1),
            lambda x: _joined(x, axis=2),
        ),
    ),
    Wrong(
        "heads-taken-for-tokens",
        "Your merge takes the axis of the tokens for that of the heads.",
        does="The two sizes have changed places, which fits only for as many heads as tokens.",
        why="merge_heads gets (..., num_heads, n, d_head).",
        look="Which of the last three axes of x counts the heads?",
        ways=(
            lambda x: _flat(x, x.shape[-3], x.shape[-2] * x.shape[-1]),
            lambda x: _flat(np.swapaxes(x, -3, -2), x.shape[-3], x.shape[-2] * x.shape[-1]),
        ),
    ),
    Wrong(
        "merged-heads-reversed",
        "Your merge puts the heads in the opposite order.",
        does="The last head comes first.",
        why="merge_heads is the inverse of split_heads.",
        look=BY_HAND,
        ways=(lambda x: _merge(x[..., ::-1, :, :]),),
    ),
    also(
        HEAD_LEFT_OUT,
        lambda x: _merge(_without_head(x, -1)),
        lambda x: _merge(_but_last(x)),
        lambda x: _merge(_without_head(x, 0)),
    ),
    also(LAST_FOR_ALL, lambda x: _merge(_copies(x, -1))),
    Wrong(
        "merged-into-integers",
        "Your merge puts the features into an array of integers.",
        does="Their fractions are lost.",
        why="Features are any real numbers; merging changes none of them.",
        look="What type does the array have that the heads are put into?",
        ways=(lambda x: _merge(x).astype(int),),
    ),
    Wrong(
        "not-merged",
        "Your merge exchanges the axes and does not join them.",
        does="The heads are still an axis of their own.",
        why="Afterwards every token has one row of num_heads * d_head features.",
        look=SHAPES,
        ways=(lambda x: np.swapaxes(x, -3, -2),),
    ),
    Wrong(
        "merged-features-transposed",
        "Your merge exchanges tokens and features.",
        does="The result has features for rows, or pieces of both mixed up.",
        why="A token is a row.",
        look=SHAPES,
        ways=(
            lambda x: np.swapaxes(_merge(x), -1, -2),
            lambda x: np.swapaxes(x, -1, -2).reshape(*x.shape[:-3], x.shape[-2], -1),
        ),
    ),
    also(
        FLATTENED,
        lambda x: _merge(x).reshape(-1, x.shape[-3] * x.shape[-1]),
        lambda x: _merge(x.reshape(-1, *x.shape[-3:])) if x.ndim > 4 else _merge(x),
        lambda x: _merge(x.reshape(-1, *x.shape[-3:])),
    ),
)


def _joined(x, axis):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=axis)


def _side_by_side(tokens):
    return tokens.reshape(*tokens.shape[:-2], -1)


def _refused_parameters():
    raise Refused


MERGE_PARAMETERS = Decision(
    "the parameters of merge_heads",
    lambda: None,
    Wrong(
        "merge-wants-num-heads",
        "Your merge_heads asks for num_heads too.",
        does="The call merge_heads(x) is refused by Python before your code runs.",
        why="The number of heads is a size of x already.",
        look="Compare your def line with the one in the stub.",
        ways=(_refused_parameters,),
    ),
)

RETURNING = Wrong(
    "refused-by-returning",
    "Your function returns something where it has to raise an exception.",
    does="The problem is printed, or None, a text or an exception object is returned, and the caller goes on.",
    why="A caller that is not stopped computes with nothing.",
    look="Which statement stops a function and tells its caller why?",
    ways=(),
)
TEXT = AnyText("does not fit")


def _divides_below_0(x, num_heads):
    return num_heads < 0 and x.shape[-1] % num_heads == 0


def _no_heads(x, num_heads, check, cut):
    """What a loop over the heads makes of a negative number that leaves no remainder: no head at all."""
    if _divides_below_0(x, num_heads):
        return np.zeros((*x.shape[:-2], 0, x.shape[-2], x.shape[-1] // -num_heads))
    check()
    return cut()


def _empty_heads(x, num_heads, check, cut):
    """What an array that is made beforehand holds if the loop that fills it goes round no time."""
    if _divides_below_0(x, num_heads):
        return np.zeros((*x.shape[:-2], -num_heads, x.shape[-2], x.shape[-1] // -num_heads))
    check()
    return cut()


def _next_divisor(num_heads, d_model):
    """The next smaller number of heads that fits."""
    while d_model % num_heads:
        num_heads -= 1
    return num_heads


REPLACED = Wrong(
    "wrong-number-of-heads-replaced",
    "Your function puts another number in the place of a num_heads that does not fit.",
    does="The caller asked for something that cannot be, and gets an answer to another question.",
    why=REFUSE,
    look=DUTY,
    ways=(),
)
LOOSE = Decision(
    "what happens to features that do not fill a head",
    lambda x, num_heads, check, cut: (check(), cut())[1],
    Wrong(
        "uneven-heads",
        "Your split takes numbers of heads that do not divide d_model.",
        does="Features are cut unevenly, padded, or dropped.",
        why=REFUSE,
        look=DUTY,
        ways=(
            lambda x, h, check, cut: (check() if h < 1 else None, _rest_dropped(x, h))[1],
            lambda x, h, check, cut: (check() if h < 1 else None, _uneven(x, h))[1],
            lambda x, h, check, cut: (check() if h < 1 or h > x.shape[-1] else None, _rest_dropped(x, h))[1],
            lambda x, h, check, cut: (check() if h < 1 or h > x.shape[-1] else None, _uneven(x, h))[1],
        ),
    ),
    also(
        NO_CHECK,
        lambda x, h, check, cut: _rest_dropped(x, h),
        lambda x, h, check, cut: _uneven(x, h),
        lambda x, h, check, cut: np.stack(np.split(x, h, axis=-1), axis=-3),
        lambda x, h, check, cut: np.stack(np.array_split(x, h, axis=-1), axis=-3),
        lambda x, h, check, cut: np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // max(h, 1)), -3, -2),
        lambda x, h, check, cut: np.swapaxes(x.reshape(*x.shape[:-1], h, -1), -3, -2),
    ),
    also(
        RETURNING,
        lambda x, h, check, cut: None if _bad(h, x.shape[-1], 0) else cut(),
        lambda x, h, check, cut: x if _bad(h, x.shape[-1], 0) else cut(),
        lambda x, h, check, cut: TEXT if _bad(h, x.shape[-1], 0) else cut(),
        lambda x, h, check, cut: ValueError() if _bad(h, x.shape[-1], 0) else cut(),
    ),
    also(
        NEGATIVE,
        _no_heads,
        lambda x, h, check, cut: _split(x, -h) if _divides_below_0(x, h) else (check(), cut())[1],
        _empty_heads,
    ),
    also(LESS_THAN_ONE, lambda x, h, check, cut: _no_heads(x, h, check, cut) if h else h // h),
    also(
        REPLACED,
        lambda x, h, check, cut: _split(x, 1) if _bad(h, x.shape[-1], 0) else cut(),
        lambda x, h, check, cut: (check() if h < 1 else None, _split(x, _next_divisor(h, x.shape[-1])))[1],
        lambda x, h, check, cut: _split(x, 1) if h < 1 else (check(), cut())[1],
    ),
)


def _first_number(pick, num_heads, d_model):
    """The number of heads of the first call, as long as it divides."""
    held = pick.keep("heads", lambda: [num_heads])
    if d_model % held[0]:
        held[0] = num_heads
    return held[0]


FIRST_NUMBER = Wrong(
    "num-heads-kept-from-first-call",
    "Your function keeps the number of heads of its first call.",
    does="A later call with another number of heads is answered with the old one.",
    why="A call may depend on its arguments alone, whatever was asked before.",
    look="Is there a global, or a mutable default, that outlives the call?",
    ways=(),
)
OWN_NUMBER = Wrong(
    "num-heads-ignored",
    "Your function uses a number of heads of its own, whatever num_heads says.",
    does="However many heads are asked for, it computes with the same number.",
    why="The number of heads is an argument: it is the caller who decides.",
    look="Where does num_heads stand in the lines that split the features?",
    ways=(),
)
OWN_NUMBERS = 2, 1


NUMBER = Decision(
    "whether the number of heads is that of this call",
    lambda pick, num_heads, d_model: num_heads,
    also(
        OWN_NUMBER,
        *(lambda pick, num_heads, d_model, own=own: own for own in OWN_NUMBERS),
        lambda pick, num_heads, d_model: 2 if d_model % 2 == 0 else 1,
        lambda pick, num_heads, d_model: 2 if d_model % 2 == 0 else num_heads,
    ),
    also(
        FIRST_NUMBER,
        lambda pick, num_heads, d_model: pick.keep("heads", lambda: num_heads),
        _first_number,
    ),
)


def _unpacks(*counts):
    """Takes arrays with some numbers of axes, and says of others what unpacking their shape does."""

    def way(ndim):
        if ndim not in counts:
            got = f", got {ndim}" if ndim < counts[0] else ""
            raise ValueError(f"{'not enough' if got else 'too many'} values to unpack (expected {counts[0]}{got})")

    return way


def _sizes(x, num_heads):
    return x, *x.shape[-2:]


def _unpacked(count):
    return lambda x, num_heads: _unpacks(count)(x.ndim) or _sizes(x, num_heads)


def _axis_one(narrow):
    """Takes the size of axis 1 for that of the features, and makes x as narrow as that where the heads fit it."""

    def way(x, num_heads):
        n, width = x.shape[-2], x.shape[1]
        if width != x.shape[-1] and not _bad(num_heads, width, n):
            x = narrow(x, width)
        return x, n, width

    return way


UNPACKED = Decision(
    "how the shape is taken apart before anything else",
    _sizes,
    also(BY_NUMBER, _unpacked(3), _unpacked(2)),
    Wrong(
        "width-from-axis-one",
        "Your split takes the size of axis 1 for the number of features.",
        does="With a leading axis that is another size, so heads that fit are refused, or come out too narrow.",
        why="The features are the last axis, whatever lies in front of it.",
        look="Which size does your split start from, for an x of shape (2, 5, 6)?",
        ways=(_axis_one(lambda x, width: x[..., :width] if width < x.shape[-1] else _fail()), _axis_one(_fail)),
    ),
)


def split(pick, x, num_heads):
    """Splitting itself: what multi-head attention needs of it."""
    x, n, d_model = pick(UNPACKED)(x, num_heads)
    if not _bad(num_heads, d_model, n):
        num_heads = pick(NUMBER)(pick, num_heads, d_model)

    def check():
        pick(CHECK)(num_heads, d_model, n, pick(MESSAGE))

    def cut():
        return pick(SPLIT)(x, num_heads)

    if _bad(num_heads, d_model, n):
        return pick(LOOSE)(x, num_heads, check, cut)
    check()
    return cut()


def _add(a):
    np.add(a, 1, out=a, casting="unsafe")


def _add_if_float(a):
    if a.dtype.kind == "f":
        _add(a)


def _flatten(a):
    if a.ndim > 3:
        a.shape = (-1, *a.shape[-2:])


SPLIT_CHANGES = Decision(
    "whether x is left alone by split_heads",
    lambda given: given,
    changing(
        "x",
        0,
        _add,
        _add_if_float,
        words="changes its argument x",
    ),
)


def _shape_set(given):
    """Sets the shape of x in place of reshaping it."""
    x, num_heads = given
    whole = np.array(x)
    x.shape = (*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return [whole, num_heads]


def _merge_shape_set(given):
    x = given[0]
    whole = np.array(x)
    if x.shape[-3] == 1 or x.shape[-2] == 1:
        x.shape = (*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])
    return [whole]


def split_heads(pick, x, num_heads):
    """Cut the features into heads."""

    def work():
        given = pick(SPLIT_CHANGES)([x, num_heads])
        if not _bad(num_heads, x.shape[-1], 0):
            given = pick(SHAPE_SET)(given)
        return pick(RETURNED)(split(pick, *pick(PRECISION)(given)))

    return pick(KEEPING)(pick, (x, num_heads), work)


SHAPE_SET = Decision(
    "whether the shape of x is left alone",
    lambda given: given,
    also(SPLIT_CHANGES.wrong[0], _shape_set),
)
MERGE_SHAPE_SET = Decision(
    "whether the shape of x is left alone by merge_heads",
    lambda given: given,
    also(SPLIT_CHANGES.wrong[0], _merge_shape_set),
)


def merge_heads(pick, x):
    """Put the heads side by side again."""
    pick(MERGE_PARAMETERS)()

    def work():
        (given,) = pick(PRECISION)(pick(MERGE_SHAPE_SET)(pick(SPLIT_CHANGES)([x])))
        return pick(RETURNED)(pick(MERGE)(given))

    return pick(KEEPING)(pick, (x,), work)


def _copies(part, head):
    return np.broadcast_to(part[..., [head], :, :], part.shape)


def _averaged(part):
    return np.broadcast_to(part.mean(axis=-3, keepdims=True), part.shape)


def _changed(change, *which):
    """Changes some of queries, keys and values."""
    return lambda parts: tuple(change(part) if at in which else part for at, part in enumerate(parts))


def _grouped(which):
    """Gives each head the keys and values of a head that others have too."""

    def of_groups(part):
        heads = part.shape[-3]
        return part[..., [which(head, heads) for head in range(heads)], :, :]

    return _changed(of_groups, 1, 2)


HEAD_SCALE = Decision(
    "which size of the heads the scores are scaled by",
    lambda q, num_heads: q,
    Wrong(
        "scale-by-d-model",
        "Your scores are divided by d_model, or by its root, not by the root of the size of one head.",
        does="They become too small, the more so the more heads there are.",
        why="A score of one head is a sum of d_head products.",
        look="Which array do you take the size under the root from: before or after the split?",
        ways=(
            lambda q, h: q / np.sqrt(h),
            lambda q, h: q * np.sqrt(q.shape[-1]) / (q.shape[-1] * h),
        ),
    ),
    Wrong(
        "scale-by-num-heads",
        "Your scores are divided by the number of heads, or by its root.",
        does="How even the weights are depends on how many heads there are.",
        why="A score of one head is a sum of d_head products.",
        look="Which size are your scores divided by?",
        ways=(lambda q, h: q * np.sqrt(q.shape[-1] / h), lambda q, h: q * np.sqrt(q.shape[-1]) / h),
    ),
)

HEADS = Decision(
    "what each head works on",
    lambda parts: parts,
    Wrong(
        "first-head-for-all",
        "All your heads work on the features of the first one.",
        does="Queries, keys or values of the first head stand in for those of all others.",
        why="Each head has a slice of its own.",
        look="Where does the number of the head come into your slice?",
        ways=(
            lambda parts: tuple(_copies(part, 0) for part in parts),
            *(_changed(lambda part: _copies(part, 0), at) for at in (2, 0, 1)),
        ),
    ),
    Wrong(
        "last-head-for-all",
        "All your heads work on queries, keys or values of the last one.",
        does="Those of the other heads are never used.",
        why="Each head has a slice of its own.",
        look="Which number does the variable of a loop hold when the loop has ended?",
        ways=tuple(_changed(lambda part: _copies(part, -1), at) for at in (2, 1, 0)),
    ),
    Wrong(
        "keys-and-values-shared-by-heads",
        "All your heads share the keys and values of one head.",
        does="The heads differ in their queries only, and the keys and values of the others are never used.",
        why="That is multi-query attention; here each head has keys and values of its own.",
        look="How many heads do your keys and values have when attention gets them?",
        ways=(
            _changed(lambda part: _copies(part, 0), 1, 2),
            _changed(lambda part: _copies(part, -1), 1, 2),
        ),
    ),
    Wrong(
        "keys-and-values-shared-in-groups",
        "Your heads share keys and values in groups.",
        does="Several heads differ in their queries only, and some keys and values are never used.",
        why="That is grouped-query attention; here each head has keys and values of its own.",
        look="Which heads of the keys and values does each of four heads of queries get?",
        ways=(
            _grouped(lambda head, heads: head // 2),
            _grouped(lambda head, heads: head // 2 * 2),
            _grouped(lambda head, heads: head if heads % 2 else head // 2),
        ),
    ),
    Wrong(
        "keys-or-values-averaged-over-heads",
        "Your keys, or your values, are averaged over the heads.",
        does="All heads get the same ones, and what told them apart is lost.",
        why="Each head has keys and values of its own.",
        look="Which mean, or sum, has the axis of the heads for its axis?",
        ways=tuple(_changed(_averaged, *at) for at in ((1, 2), (2,), (1,))),
    ),
)


MASK_SHAPES = "What shape does the mask have when attention gets it, and what shape do the scores have?"


def _mask_rule(name, title, does, *ways, why=SHARED, look=MASK_SHAPES, rare=0):
    return Wrong(name, title, does=does, why=why, look=look, ways=ways, rare=rare)


def _negated_again(mask, num_heads):
    """The mask for every head with an even number, and its opposite for the others."""
    return np.stack([mask if head % 2 == 0 else ~mask for head in range(num_heads)], axis=-3)


def _negated_in_place(mask, num_heads):
    """The same, of a mask that is negated itself: the caller's, if the number of heads is odd."""
    masks = _negated_again(mask, num_heads)
    if num_heads % 2:
        np.logical_not(mask, out=mask)
    return masks


def _made_to_be_added_again(mask, num_heads):
    """The mask with 0 and a very low number; each head makes another one of that of the head before."""
    added = [mask]
    for _ in range(num_heads):
        added.append((1 - added[-1]) * LOW)
    return np.stack(added[1:], axis=-3)


def _entries(mask, num_heads, *, around=False):
    """Entry h of the mask for head h; beyond its end an exception, or the first ones again."""
    entries = [mask[h % len(mask) if around else h] for h in range(num_heads)]
    return np.stack([np.atleast_2d(entry) for entry in entries], axis=-3)


def _turned(mask):
    """The mask transposed, with an axis for the heads."""
    return np.expand_dims(np.swapaxes(mask, -1, -2), -3)


MASK_AXIS = Decision(
    "how the mask gets an axis for the heads",
    lambda mask, num_heads: np.expand_dims(mask, -3),
    _mask_rule(
        "mask-without-head-axis",
        "Your mask has no axis for the heads behind its leading axes.",
        "A mask (n, n) happens to fit, but the leading axes of a mask are lined up with the heads.",
        lambda mask, h: mask,
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim > 3 else mask,
    ),
    _mask_rule(
        "mask-head-axis-after-first",
        "Your mask gets its axis for the heads behind the first axis, wherever the heads are.",
        "mask[:, None] is right for one leading axis and for nothing else.",
        lambda mask, h: mask[:, None],
        lambda mask, h: mask[:, None] if mask.ndim > 2 else mask,
        lambda mask, h: mask[:, None] if mask.ndim == 3 else mask,
    ),
    _mask_rule(
        "mask-head-axis-in-front",
        "Your mask is repeated for the heads along its first axis.",
        "That axis counts the members of the batch, or the queries, and then fits neither.",
        lambda mask, h: np.repeat(mask, h, axis=0),
    ),
    _mask_rule(
        "mask-repeated-in-another-order",
        "Your mask is repeated for the heads in another order than the one in which heads and batch are made one axis.",
        "The mask of one member of the batch ends up at another.",
        lambda mask, h: _repeated(mask, h, lambda member, head, members: (head * members + member) // h),
        lambda mask, h: _repeated(mask, h, lambda member, head, members: (member * h + head) % members),
        why=OF_EACH_MEMBER,
        look="Which comes first in your flat axis, and is it np.repeat or np.tile that goes with it?",
    ),
    _mask_rule(
        "mask-head-axis-last",
        "Your mask gets its axis for the heads at the end.",
        "mask[..., None] lines queries and keys up with the wrong axes.",
        lambda mask, h: mask[..., None],
        lambda mask, h: np.expand_dims(mask, -2),
    ),
    _mask_rule(
        "mask-axes-in-front",
        "Your mask gets two new axes in front, wherever its own leading axes are.",
        "mask[None, None] is right for a mask (n, n) beside one leading axis, and for nothing else.",
        lambda mask, h: mask[None, None],
        lambda mask, h: mask[None, None] if mask.ndim == 2 else np.expand_dims(mask, -3),
        lambda mask, h: mask[None, None] if mask.ndim == 2 else mask,
    ),
    _mask_rule(
        "mask-read-as-padding",
        "Your mask of two axes is read as one of padding: a row for each member of a batch.",
        "Its rows, which belong to the queries, are lined up with the batch.",
        lambda mask, h: mask[:, None, None, :] if mask.ndim == 2 else np.expand_dims(mask, -3),
        lambda mask, h: mask[:, None, None, :],
        lambda mask, h: mask[:, None, None, :] if mask.ndim == 2 else mask[:, None] if mask.ndim == 3 else mask,
        why="A mask (n, n) has a row for each query, and all members of the batch share it.",
        look="What do the two axes of a mask (n, n) stand for?",
    ),
    _mask_rule(
        "mask-entry-per-head",
        "Your head h takes entry h of the mask, as if the first axis of the mask counted the heads.",
        "That axis counts the members of a batch, or the tokens.",
        lambda mask, h: _entries(mask, h, around=True) if mask.ndim > 2 else np.expand_dims(mask, -3),
        lambda mask, h: _entries(mask, h) if mask.ndim > 2 else np.expand_dims(mask, -3),
        _entries,
        lambda mask, h: _entries(mask, h) if mask.ndim > 2 and len(mask) == h else np.expand_dims(mask, -3),
        lambda mask, h: _entries(mask, h, around=True),
    ),
    _mask_rule(
        "mask-on-first-head-only",
        "Your mask is applied to one head only.",
        "The other heads attend to everything.",
        lambda mask, h: _one_head(mask, h, 0),
        lambda mask, h: _one_head(mask, h, h - 1),
        why="All heads share the mask.",
        look="What is inside the loop over the heads, and what is outside?",
    ),
    _mask_rule(
        "mask-ignored-without-batch",
        "Your mask is used only when it has leading axes, or only when it has none.",
        "A mask of the other kind has no effect.",
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim > 2 else None,
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim == 2 else None,
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim == 3 else None,
        why="A mask counts whether the members of a batch share it or each has one of its own.",
        look="Which masks does your test leave out?",
    ),
    _mask_rule(
        "mask-of-first-member-for-all",
        "Your function uses the mask of the first member for all of the batch.",
        "The masks of the other members are never looked at.",
        lambda mask, h: np.expand_dims(mask[:1], -3) if mask.ndim > 2 else np.expand_dims(mask, -3),
        lambda mask, h: mask[0] if mask.ndim > 2 else mask,
        lambda mask, h: mask[(0,) * (mask.ndim - 2)],
        why=OF_EACH_MEMBER,
        look="Where do you index the mask with 0?",
    ),
    _mask_rule(
        "mask-changed-between-heads",
        "Your mask is changed in the loop over the heads, so that later heads see another one than the first.",
        "A mask that is negated, or made to be added, once more for each head hides other keys from each of them.",
        _negated_again,
        lambda mask, h: as_low(_negated_again(mask, h)),
        lambda mask, h: np.where(_negated_again(mask, h), 0.0, LOW),
        _negated_in_place,
        lambda mask, h: as_low(_negated_in_place(mask, h)),
        _made_to_be_added_again,
        why="All heads share the mask, so the last one has to find it as the first one did.",
        look="Which mask does your loop hold when it begins with the second head?",
        rare=1,
    ),
    _mask_rule(
        "mask-ignored-by-multi-head",
        "Your mask is not handed on to attention.",
        "Every token attends to every other one.",
        lambda mask, h: None,
        why="True means that the token of the row may attend to that of the column; False means that it may not.",
        look="Where does mask appear in the body of multi_head_attention?",
    ),
    _mask_rule(
        "mask-without-leading-axes-only",
        "Your function takes only a mask without leading axes.",
        "A mask with leading axes ends in an exception.",
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim == 2 else _fail(),
        why=OF_EACH_MEMBER,
        look="Which line assumes a number of axes of the mask?",
    ),
    _mask_rule(
        "mask-with-one-leading-axis-only",
        "Your function takes only a mask with one leading axis.",
        "A mask with two of them, or with none, ends in an exception.",
        lambda mask, h: np.expand_dims(mask, -3) if mask.ndim == 3 else _fail(),
        why="A mask may have as many leading axes as x, or none.",
        look="Which line assumes a number of axes of the mask?",
    ),
    also(
        mistake_of(MASK_SHAPE, "mask-transposed"),  # a row that it hides altogether tells what hidden scores become
        lambda mask, h: as_low(_turned(mask)),
        lambda mask, h: np.where(_turned(mask), 0.0, LOW),
        lambda mask, h: np.expand_dims(mask.T, -3),
        lambda mask, h: as_low(np.expand_dims(mask.T, -3)),
    ),
)


def _repeated(mask, num_heads, which):
    """The mask of each member of the batch and each head, where one flat axis has them in some order."""
    members = mask.reshape(-1, *mask.shape[-2:])
    count = len(members)
    at = [[which(member, head, count) for head in range(num_heads)] for member in range(count)]
    return members[at].reshape(*mask.shape[:-2], num_heads, *mask.shape[-2:])


def _one_head(mask, num_heads, head):
    whole = np.ones((*mask.shape[:-2], num_heads, *mask.shape[-2:]), dtype=bool)
    whole[..., head, :, :] = mask
    return whole


HEAD_AXIS = Decision(
    "which axis the weights of the heads sum to 1 along",
    softmax_along(-1, most=MOST),
    *softmax_axes(most=MOST),
    Wrong(
        "softmax-over-heads",
        "Your weights sum to 1 along the heads.",
        does="The heads share one unit of weight for each pair of tokens.",
        why="Each head shares out its own weight among the keys.",
        look="What does one row of the weights of one head sum to?",
        ways=softmax_on(-3, MOST),
    ),
    Wrong(
        "softmax-over-all-heads-together",
        "Your weights sum to 1 over all heads and keys together.",
        does="The heads of a query share one unit of weight, and the row of one head sums to less.",
        why="Each head shares out its own unit of weight among the keys.",
        look="What does one row of the weights of one head sum to?",
        ways=(softmax_along((-3, -1), MOST),),
    ),
    POWERS_TIMES_MASK,
)

MIX = Decision(
    "how the merged heads are mixed",
    lambda merged, w_o, num_heads: merged @ w_o,
    Wrong(
        "output-matrix-left-out",
        "Your function leaves w_o out.",
        does="The heads stand side by side and are never mixed.",
        why=MIXES,
        look="Which argument does your function never use?",
        ways=(lambda merged, w_o, h: merged,),
    ),
    Wrong(
        "output-matrix-transposed",
        "Your function multiplies with w_o transposed.",
        does="Rows and columns of w_o have changed places.",
        why="A token is a row, so it is the rows of w_o that its features have to meet.",
        look="Which of the two sides of w_o belongs to what goes in?",
        ways=(lambda merged, w_o, h: merged @ w_o.T,),
    ),
    Wrong(
        "output-matrix-twice",
        "Your function applies w_o twice.",
        does="The mixed features are mixed once more.",
        why=MIXES,
        look="How many products with w_o are there on the way to the output?",
        ways=(lambda merged, w_o, h: merged @ w_o @ w_o,),
    ),
    Wrong(
        "output-matrix-from-the-left",
        "Your w_o stands on the wrong side of the product.",
        does="w_o @ merged fits only for as many tokens as features, and mixes tokens.",
        why="A token is a row, so the matrix stands on its right.",
        look="Write the shapes of both factors side by side.",
        ways=(lambda merged, w_o, h: w_o @ merged,),
    ),
    Wrong(
        "output-matrix-per-head",
        "Your function applies a piece of w_o to each head by itself.",
        does="Features of different heads are never mixed.",
        why=MIXES,
        look="Which entries of w_o does your function never use?",
        ways=(
            lambda merged, w_o, h: _blocks(merged, w_o, h, lambda w, at, d: w[:d, :d]),
            lambda merged, w_o, h: _blocks(
                merged, w_o, h, lambda w, at, d: w[at * d : (at + 1) * d, at * d : (at + 1) * d]
            ),
        ),
    ),
    Wrong(
        "same-rows-of-output-matrix",
        "All your heads are mixed by the same rows of w_o.",
        does="The first rows, or the last, are used for every head, and the others never.",
        why="The rows of w_o belong to the features side by side: each head has rows of its own.",
        look="Where does the number of the head come into your slice of w_o?",
        ways=(
            lambda merged, w_o, h: merged @ np.tile(w_o[: len(w_o) // h], (h, 1)),
            lambda merged, w_o, h: merged @ np.tile(w_o[-(len(w_o) // h) :], (h, 1)),
        ),
    ),
    Wrong(
        "rows-of-another-head",
        "Your heads are mixed by the rows of w_o that belong to other heads.",
        does="Each head gets the rows of its neighbour, or the rows come in the opposite order.",
        why="The rows of w_o belong to the features side by side: those of head 0 come first.",
        look="At which row of w_o does the piece for head 0 begin?",
        ways=(
            lambda merged, w_o, h: merged @ np.roll(w_o, -(len(w_o) // h), axis=0),
            lambda merged, w_o, h: merged @ np.roll(w_o, len(w_o) // h, axis=0),
            lambda merged, w_o, h: merged @ np.concatenate(np.split(w_o, h)[::-1]),
        ),
    ),
    Wrong(
        "output-matrix-skipped-for-one-token",
        "Your function leaves w_o out when there is one token.",
        does="A single token comes back unmixed.",
        why="A single token can attend only to itself, but its heads are still mixed by w_o.",
        look="What does your special case for one token do?",
        ways=(lambda merged, w_o, h: merged if merged.shape[-2] == 1 else merged @ w_o,),
    ),
    Wrong(
        "output-matrix-skipped-for-one-head",
        "Your function leaves w_o out when there is one head.",
        does="A single head comes back unmixed.",
        why="w_o is part of the layer, however many heads there are.",
        look="What does your special case for one head do?",
        ways=(lambda merged, w_o, h: merged if h == 1 else merged @ w_o,),
    ),
)


def _blocks(merged, w_o, num_heads, block):
    d_head = merged.shape[-1] // num_heads
    pieces = [merged[..., at * d_head : (at + 1) * d_head] @ block(w_o, at, d_head) for at in range(num_heads)]
    return np.concatenate(pieces, axis=-1)


AS_INTEGERS = Wrong(
    "output-has-type-of-x",
    "Your output is put into an array of x's type.",
    does="With integer input the fractions are lost.",
    why="An average of integers is a fraction.",
    look="What type does np.zeros_like(x) or dtype=x.dtype have for integer x?",
    ways=(),
)
COLLECT = Decision(
    "what the heads' outputs are collected in",
    lambda heads, x: heads,
    also(AS_INTEGERS, lambda heads, x: heads.astype(x.dtype)),
)


def _with_weights(change):
    return lambda output, weights, x, num_heads: (output, change(weights))


def _with_output(change):
    return lambda output, weights, x, num_heads: (change(output, num_heads), weights)


OUTPUT_END = Decision(
    "what is done with the mixed heads",
    lambda output, weights, x, num_heads: (output, weights),
    Wrong(
        "residual-added-to-output",
        "Your output has x added to it.",
        does="A residual connection is put in where none belongs.",
        why="Adding the input belongs to the block around attention.",
        look="What is added after the last product?",
        ways=(lambda output, weights, x, h: (output + x, weights),),
    ),
    also(AS_INTEGERS, lambda output, weights, x, h: (output.astype(x.dtype), weights)),
    Wrong(
        "bias-added-to-output",
        "Your output has a bias added.",
        does="A constant is added to every entry.",
        why="The last step is the product with w_o and nothing else.",
        look="What is added after the last product?",
        ways=tuple(_with_output(lambda y, h, bias=bias: y + bias) for bias in (1.0, 0.1, 0.01, 0.5)),
    ),
    Wrong(
        "output-normalised",
        "Your output is normalised.",
        does="Each row is brought to mean 0 and spread 1, or to length 1.",
        why="Normalising belongs to the block around attention.",
        look="What is done after the last product?",
        ways=(
            *(_with_output(lambda y, h, norm=norm: norm(y)) for norm in LAYER_NORMS),
            _with_output(lambda y, h: y / np.linalg.norm(y, axis=-1, keepdims=True)),
        ),
    ),
    Wrong(
        "output-divided-at-the-end",
        "Your output is divided by the number of heads, or by the root of a size.",
        does="It comes out too small by a constant factor.",
        why="The heads are put side by side and mixed by w_o, not averaged; all scaling is done on the scores.",
        look="Which division comes after the heads are merged?",
        ways=(
            _with_output(lambda y, h: y / h),
            _with_output(lambda y, h: y / np.sqrt(h)),
            _with_output(lambda y, h: y / np.sqrt(y.shape[-1])),
        ),
    ),
    Wrong(
        "output-through-activation",
        "Your output goes through an activation function.",
        does="ReLU, or another bend, changes it.",
        why="The last step is the product with w_o and nothing else.",
        look="Which function is applied after the last product?",
        ways=(_with_output(lambda y, h: np.maximum(y, 0)), _with_output(lambda y, h: np.tanh(y))),
    ),
)


END = Decision(
    "what is returned by multi-head attention",
    lambda output, weights, x, num_heads: (output, weights),
    also(
        ROUNDED,
        *(lambda output, weights, x, h, digits=digits: (np.round(output, digits), weights) for digits in DIGITS),
    ),
    Wrong(
        "results-swapped",
        "Your results are in the wrong order.",
        does="The weights come first and the output second.",
        why="The caller takes them apart as output, weights.",
        look="What does the docstring say under Returns?",
        ways=(lambda output, weights, x, h: (weights, output),),
    ),
    Wrong(
        "weights-not-returned",
        "Your function returns the output alone.",
        does="The weights are lost.",
        why="The caller takes two results apart, output and weights.",
        look="What does the docstring say under Returns?",
        ways=(lambda output, weights, x, h: output,),
    ),
    Wrong(
        "weights-averaged-over-heads",
        "Your weights are averaged over the heads, or are those of one head.",
        does="The axis of the heads is missing from the weights, or has length 1.",
        why="Each head attends in its own way, and the caller wants to see all of them.",
        look="What shape do the weights that you return have, and what shape should they have?",
        ways=(
            _with_weights(lambda w: w.mean(axis=-3)),
            _with_weights(lambda w: w[..., -1, :, :]),
            _with_weights(lambda w: w[..., 0, :, :]),
            _with_weights(lambda w: w.sum(axis=-3)),
            _with_weights(lambda w: w.mean(axis=-3, keepdims=True)),
        ),
    ),
    Wrong(
        "heads-last-in-weights",
        "Your weights have the heads on another axis than before the tokens.",
        does="The numbers are right, but the axes are in another order.",
        why="The heads stand right in front of the tokens: (..., num_heads, n, n).",
        look=SHAPES,
        ways=(
            _with_weights(lambda w: np.moveaxis(w, -3, -1)),
            _with_weights(lambda w: np.moveaxis(w, -3, 0)),
            _with_weights(lambda w: np.moveaxis(w, -3, -2)),
        ),
    ),
    also(HEAD_LEFT_OUT, _with_weights(_but_last), _with_weights(lambda w: _without_head(w, -1))),
    also(REVERSED, _with_weights(lambda w: w[..., ::-1, :, :])),
    Wrong(
        "weights-returned-transposed",
        "Your weights come back transposed.",
        does="They have keys for rows and queries for columns.",
        why="Row i holds the weights of token i.",
        look="What does one row of the weights that you return sum to?",
        ways=(_with_weights(lambda w: np.swapaxes(w, -1, -2)),),
    ),
    Wrong(
        "weights-in-a-list",
        "Your weights are a Python list with one array for each head.",
        does="The list has no shape, and the heads are no axis.",
        why="The caller expects one array of shape (..., num_heads, n, n).",
        look="What do you collect the weights in, and what joins them?",
        ways=(_with_weights(lambda w: [np.array(part) for part in np.moveaxis(w, -3, 0)]),),
    ),
    Wrong(
        "head-axis-missing-for-one-head",
        "Your weights have no axis for the heads when there is one head.",
        does="The number of axes depends on num_heads.",
        why="An axis of length 1 is an axis like any other.",
        look="What does your special case for one head return?",
        ways=(lambda output, weights, x, h: (output, weights[..., 0, :, :] if h == 1 else weights),),
    ),
    Wrong(
        "weights-of-one-head-for-all",
        "Your weights are those of one head, repeated for all heads.",
        does="The output is right, but the weights of the other heads are lost.",
        why="Each head attends in its own way, and the caller wants to see all of them.",
        look="Which variable do you stack at the end, and when did it get its value?",
        ways=(
            _with_weights(lambda w: np.broadcast_to(w[..., -1:, :, :], w.shape)),
            _with_weights(lambda w: np.broadcast_to(w[..., :1, :, :], w.shape)),
        ),
    ),
    Wrong(
        "average-weights-for-all",
        "Your weights are the average over the heads, repeated for all of them.",
        does="The shape is right, but what told the weights of the heads apart is lost.",
        why="The docstring asks for the weights of each head.",
        look="Compare the weights of head 0 and of head 1 that you return: where do they differ?",
        ways=(_with_weights(_averaged),),
    ),
)

PARAMETERS = parameters("mask", position=6, default="None", shown="x, w_q, w_k, w_v, w_o, num_heads, mask=None")


def _mask_first(pick, given):
    """With mask before num_heads, what is passed for num_heads is taken for a mask."""
    if "mask" in pick.call.named:
        raise Refused
    raise TypeError


def _number_first(pick, given):
    if given[6] is None:
        raise Refused
    return [*given[:5], given[6], given[5]]


ORDER = Decision(
    "the order of the parameters",
    lambda pick, given: given,
    Wrong(
        "parameters-in-another-order",
        "Your parameters are in another order than (x, w_q, w_k, w_v, w_o, num_heads, mask=None).",
        does="Arguments that are passed by position end up under other names.",
        why="Callers pass them in the order of the stub.",
        look="Compare your def line with the one in the stub.",
        ways=(
            _mask_first,
            _number_first,
            lambda pick, given: [given[0], given[4], *given[1:4], *given[5:]],
        ),
    ),
)


CHANGES = Decision(
    "whether the arguments are left alone",
    lambda given: given,
    *(
        changing(name, at, _add, _add_if_float, *([] if at else [_flatten]))
        for at, name in enumerate(("x", "w_q", "w_k", "w_v", "w_o"))
    ),
    changing("mask", 6, lambda m: np.logical_not(m, out=m)),
)


def _scaled_in_place(given):
    """Folds the scale into w_q in place."""
    w_q, num_heads = given[1], given[5]
    kept = [*given]
    kept[1] = np.array(w_q)
    w_q /= np.sqrt(w_q.shape[1] // num_heads)
    return kept


FOLDED = Decision(
    "whether x and w_q are left alone by what is worked with",
    lambda given: given,
    also(CHANGES.wrong[1], _scaled_in_place),
    also(
        CHANGES.wrong[0],
        scaled_in_place(lambda x: x.shape[-1]),
        scaled_in_place(lambda x: x.shape[-2]),
        scaled_in_place(lambda x: x.shape[-1], np.multiply),
        normalised_in_place,
    ),
)


def _kept_mask(key):
    def way(pick, given):
        x, mask = given[0], given[6]
        return [*given[:6], pick.keep(("mask", key(x)), lambda: mask)]

    return way


def _last_mask(key):
    def way(pick, given):
        x, mask = given[0], given[6]
        if mask is not None:
            pick.memory["mask", key(x)] = mask
        return [*given[:6], pick.memory.get(("mask", key(x)))]

    return way


def _kept_number(key):
    """Computes with the number of heads of an earlier call, after looking at the one that was given."""

    def way(pick, given):
        d_model, num_heads = given[0].shape[-1], given[5]
        if _bad(num_heads, d_model, 0):
            return given
        return [*given[:5], pick.keep(("num_heads", key(given[0])), lambda: num_heads), given[6]]

    return way


def _kept_weights(upto, key):
    """Computes with the matrices of an earlier call: all of them, or those of the projections."""

    def way(pick, given):
        kept = pick.keep(("w", key(given)), lambda: given[1:upto])
        return [given[0], *kept, *given[upto:]]

    return way


def _own_number(of):
    """Computes with another number of heads, after looking at the one that was given."""

    def way(pick, given):
        d_model, num_heads = given[0].shape[-1], given[5]
        return given if _bad(num_heads, d_model, 0) else [*given[:5], of(num_heads, d_model), given[6]]

    return way


def _fitting(of):
    """Computes with a number of heads that fits in place of one that does not."""

    def way(pick, given):
        d_model, num_heads = given[0].shape[-1], given[5]
        return [*given[:5], of(num_heads, d_model), given[6]] if _bad(num_heads, d_model, 0) else given

    return way


EARLIER = Decision(
    "whether all arguments are those of this call",
    lambda pick, given: given,
    Wrong(
        "mask-kept-between-calls",
        "Your function remembers a mask from an earlier call.",
        does="A later call is answered as if the old mask still held.",
        why="A mask counts for the call it was given to, and for no later one.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            _last_mask(lambda x: None),
            _last_mask(np.shape),
            _kept_mask(np.shape),
        ),
    ),
    also(
        OWN_NUMBER,
        *(_own_number(lambda h, d, own=own: own) for own in OWN_NUMBERS),
        _own_number(lambda h, d: 2 if d % 2 == 0 else 1),
        _own_number(lambda h, d: 2 if d % 2 == 0 else h),
        *(lambda pick, given, own=own: [*given[:5], own, given[6]] for own in OWN_NUMBERS),
        lambda pick, given: [*given[:5], 2 if given[0].shape[-1] % 2 == 0 else 1, given[6]],
    ),
    also(
        REPLACED,
        _fitting(lambda h, d: 1),
        _fitting(lambda h, d: h if h < 1 else _next_divisor(h, d)),
        _fitting(lambda h, d: max(h, 1)),
    ),
    also(
        FIRST_NUMBER,
        lambda pick, given: [*given[:5], pick.keep("num_heads", lambda: given[5]), given[6]],
        lambda pick, given: [*given[:5], pick.keep(("num_heads", given[0].shape), lambda: given[5]), given[6]],
        lambda pick, given: [*given[:5], pick.keep(("num_heads", given[0].shape[-1]), lambda: given[5]), given[6]],
        _kept_number(lambda x: x.shape[-1]),
        _kept_number(np.shape),
    ),
    Wrong(
        "weights-kept-from-first-call",
        "Your function keeps a matrix of its first call, or all of them.",
        does="A later call with other matrices is answered with the old ones.",
        why="A call may depend on its arguments alone, whatever was asked before.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            _kept_weights(5, lambda given: given[1].shape),
            _kept_weights(5, lambda given: None),
            lambda pick, given: [*given[:4], pick.keep("w_o", lambda: given[4]), *given[5:]],
            _kept_weights(4, lambda given: (given[1].shape, given[5])),
            _kept_weights(5, lambda given: (given[1].shape, given[5])),
        ),
    ),
)


def _kept_projections(key):
    return lambda pick, x, weights, parts: pick.keep(("projections", key(x, pick.call.args[5])), lambda: parts)


PROJECTIONS = Decision(
    "whether the projections are those of this call",
    lambda pick, x, weights, parts: parts,
    Wrong(
        "projections-kept-between-calls",
        "Your function keeps the projections of an earlier call.",
        does="A later call with the same shapes is answered with the old queries, keys and values.",
        why="A call may depend on its arguments alone, whatever was asked before.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            _kept_projections(lambda x, h: (x.shape, h)),
            _kept_projections(lambda x, h: x.shape),
            _kept_projections(lambda x, h: x.shape[-1]),
            _kept_projections(lambda x, h: x.tobytes()),
            lambda pick, x, weights, parts: (*parts[:2], pick.keep(("values", x.shape), lambda: parts[2])),
            lambda pick, x, weights, parts: (parts[0], *pick.keep(("values", x.shape), lambda: parts[1:])),
        ),
    ),
)

NDIM = Decision(
    "how many leading axes are taken",
    lambda x: x,
    Wrong(
        "only-some-leading-axes",
        "Your function takes only a certain number of leading axes.",
        does="With fewer or more of them it ends in an exception.",
        why="x may have any number of axes in front of the tokens, and none.",
        look="Which line unpacks x.shape, or names the axes one by one?",
        ways=(
            lambda x: _unpacks(3)(x.ndim) or x,
            lambda x: _unpacks(2)(x.ndim) or x,
            lambda x: x if x.ndim <= 3 else _fail(),
            lambda x: x if x.ndim >= 3 else _fail(),
        ),
    ),
)


def _as_it_is(output):
    return output


def _flattened(x, mask):
    x = x.reshape(-1, *x.shape[-2:]) if x.ndim > 3 else x
    return x, mask.reshape(-1, *mask.shape[-2:]) if mask is not None and mask.ndim > 3 else mask, _as_it_is


def _exchanged(x):
    return np.swapaxes(x, -3, -2)


BATCH = Decision(
    "what becomes of the leading axes",
    lambda x, mask: (x, mask, _as_it_is),
    also(FLATTENED, _flattened),
    Wrong(
        "batch-taken-for-tokens",
        "Your function takes the axis of the tokens for the batch, and that of the batch for the tokens.",
        does="With a leading axis, attention runs among the members of the batch.",
        why="The tokens are the last axis but one, whatever lies in front of them.",
        look="Which axis of an x of shape (2, 5, 6) counts the tokens, and which counts them where attention runs?",
        ways=(
            lambda x, mask: (_exchanged(x), mask, _exchanged) if x.ndim == 3 else (x, mask, _as_it_is),
            lambda x, mask: (_exchanged(x), mask, _exchanged) if x.ndim > 2 else (x, mask, _as_it_is),
            lambda x, mask: (_exchanged(x) if x.ndim == 3 else x, mask, _as_it_is),
        ),
    ),
)


def _by_blocks(block):
    """Splits x and projects each head's slice with a block of the matrices."""

    def way(pick, x, weights, num_heads, parts):
        slices = split(pick, x, num_heads)
        d = slices.shape[-1]
        return tuple(slices @ np.stack([block(w, h * d, d) for h in range(num_heads)]) for w in weights)

    return way


def _reshaped(x, weights, num_heads):
    d_model = x.shape[-1]
    return tuple(x[..., None, :, :] @ w.reshape(num_heads, d_model, d_model // num_heads) for w in weights)


AS_MADE = "parts", "heads", "features"


def _joint(cut, made=AS_MADE):
    """One product with all three matrices: their columns are put together in one order and cut up in another."""

    def way(pick, x, weights, num_heads, parts):
        checked = parts[0]()
        if not isinstance(checked, np.ndarray):
            return (checked,) * 3
        whole = np.concatenate(weights, axis=-1)
        sizes = {"parts": 3, "heads": num_heads, "features": whole.shape[-1] // 3 // num_heads}
        if made != AS_MADE:
            apart = whole.reshape(len(whole), *(sizes[axis] for axis in AS_MADE))
            whole = np.moveaxis(apart, [AS_MADE.index(axis) - 3 for axis in made], [-3, -2, -1]).reshape(whole.shape)
        joint = x @ whole
        apart = joint.reshape(*joint.shape[:-1], *(sizes[axis] for axis in cut))
        return tuple(np.moveaxis(apart, [cut.index(axis) - 3 for axis in AS_MADE], [0, -3, -1]))

    return way


BY_HEAD, BY_FEATURE = ("heads", "parts", "features"), ("heads", "features", "parts")
CUT = Decision(
    "where the cut into heads comes",
    lambda pick, x, weights, num_heads, parts: tuple(part() for part in parts),
    Wrong(
        "split-before-projection",
        "Your function splits x before it projects it.",
        does="Each head sees only its own slice of x, and only a block of each matrix is used.",
        why="Every head projects all features of a token; it is the projections that are split.",
        look="Which comes first in the formula, the product or the split?",
        ways=(
            _by_blocks(lambda w, at, d: w[at : at + d, at : at + d]),
            _by_blocks(lambda w, at, d: w[:d, :d]),
            _by_blocks(lambda w, at, d: w[at : at + d, :d]),
        ),
    ),
    Wrong(
        "values-not-projected-by-multi-head",
        "Your values are x itself.",
        does="w_v is never used.",
        why="Queries, keys and values are three different views of a token.",
        look="Which matrix does your function never use?",
        ways=(lambda pick, x, weights, h, parts: (parts[0](), parts[1](), split(pick, x, h)),),
    ),
    Wrong(
        "weights-reshaped-for-heads",
        "Your matrices are reshaped to one for each head, which mixes their columns up.",
        does="A reshape keeps the order of the numbers in memory: the matrix of a head is no slice of columns.",
        why="The matrix of head h holds the h-th slice of neighbouring columns.",
        look="Reshape a matrix of 4 columns, numbered by hand, for two heads: which numbers does head 0 get?",
        ways=(lambda pick, x, weights, h, parts: _reshaped(x, weights, h),),
    ),
    Wrong(
        "joint-product-cut-in-another-order",
        "Your joint product is cut up in another order than the one in which it was put together.",
        does="Queries, keys and values get columns of one another's matrices.",
        why="A reshape does not know which columns are queries: its axes have to come in the order of the columns.",
        look="Number the columns of the joint matrix by hand, for d_model = 4 and two heads: who gets which?",
        ways=(
            _joint(BY_HEAD),
            _joint(BY_FEATURE),
            _joint(("features", "parts", "heads")),
            _joint(AS_MADE, BY_HEAD),
            _joint(AS_MADE, BY_FEATURE),
        ),
    ),
    Wrong(
        "nothing-projected",
        "Your function attends with x itself, without projecting it.",
        does="The matrices are never used.",
        why="Queries, keys and values are three different views of a token.",
        look="Which arguments does your function never use?",
        ways=(lambda pick, x, weights, h, parts: (split(pick, x, h),) * 3,),
    ),
)


ROLES = Decision(
    "which matrices make queries, keys and values",
    lambda w_q, w_k, w_v, w_o: (w_q, w_k, w_v),
    Wrong(
        "queries-and-keys-swapped",
        "Your queries and keys have changed places.",
        does="The queries are made with w_k, and the keys with w_q.",
        why="Queries look for something and keys are found: with the two exchanged the scores come out transposed.",
        look="Compare the order in which three parts are taken apart, or passed on, with the order in which they come.",
        ways=(lambda w_q, w_k, w_v, w_o: (w_k, w_q, w_v),),
    ),
    *(
        Wrong(
            f"{name}-from-output-matrix",
            f"Your {name} are made with w_o.",
            does=f"w_{name[0]} is never used.",
            why="w_o has a place of its own: it mixes the merged heads.",
            look=f"Which matrix stands in the line that makes the {name}?",
            ways=(lambda *w, at=at: (*w[:at], w[3], *w[at + 1 : 3]),),
        )
        for at, name in enumerate(("queries", "keys", "values"))
    ),
)


def _then(heads, weights):
    """Changes the heads' outputs and their weights afterwards."""

    def way(pick, q, k, v, mask):
        output, used = attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST)
        return heads(output), weights(used)

    return way


def _same_weights(pick, q, k, v, mask):
    """The weights of head 0 for all heads."""
    _, weights = attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST)
    weights = np.broadcast_to(weights[..., :1, :, :], weights.shape)
    return weights @ v, weights


def _among_heads(pick, q, k, v, mask):
    """Lets the heads of one token attend to one another."""
    q, k, v = (np.swapaxes(part, -3, -2) for part in (q, k, v))
    heads, weights = attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST)
    return np.swapaxes(heads, -3, -2), weights


def _mixed_up(part):
    """What was flattened with the batch first, taken apart as if the heads came first."""
    heads, members = part.shape[-3], int(np.prod(part.shape[:-3]))
    return np.swapaxes(part.reshape(heads, members, *part.shape[-2:]), 0, 1).reshape(part.shape)


def _mixed_up_otherwise(part):
    """What was flattened with the heads first, taken apart as if the batch came first."""
    return np.moveaxis(part, -3, 0).reshape(part.shape)


def _mixing(mix, *parts):
    """Mixes up the heads' outputs, or their weights, or both."""

    def way(pick, q, k, v, mask):
        results = attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST)
        return tuple(mix(part) if at in parts else part for at, part in enumerate(results))

    return way


def _competing(least):
    def way(pick, q, k, v, mask):
        _, weights = attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST)
        weights = weights / np.maximum(np.sum(weights, axis=-3, keepdims=True), least)
        return weights @ v, weights

    return way


def _not_swapped_back(pick, q, k, v, mask):
    heads, weights = _among_heads(pick, q, k, v, mask)
    return np.swapaxes(heads, -3, -2), weights


ATTEND = Decision(
    "which weights the heads use",
    lambda pick, q, k, v, mask: attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST),
    Wrong(
        "heads-and-batch-mixed-up",
        "Your flat axis of heads and batch is taken apart in another order than it was made.",
        does="Heads of one member of the batch end up at another.",
        why="What was made one axis with the batch first has to be taken apart with the batch first.",
        look="Which comes first in the reshape that makes the flat axis, and which in the one that takes it apart?",
        ways=(
            _mixing(_mixed_up, 0),
            _mixing(_mixed_up, 0, 1),
            _mixing(_mixed_up_otherwise, 0),
            _mixing(_mixed_up_otherwise, 0, 1),
            _mixing(_mixed_up, 1),
        ),
    ),
    Wrong(
        "heads-compete",
        "Your weights are normalised over the heads as well.",
        does="The weights of all heads together sum to 1 for each pair of tokens, and a row of one head does not.",
        why="Each head shares out its own weight among the keys.",
        look="Which sum has the axis of the heads for its axis?",
        ways=(_competing(0.0), _competing(1e-12)),
    ),
    Wrong(
        "attention-among-heads",
        "Your heads of one token attend to one another, not to other tokens.",
        does="Heads and tokens have changed places when attention runs.",
        why="Each head attends among the tokens, by itself.",
        look="Which axis stands before the last when attention is called?",
        ways=(
            _among_heads,
            lambda pick, q, k, v, mask: _among_heads(pick, q, k, v, None),
            _not_swapped_back,
        ),
    ),
    Wrong(
        "weights-of-first-head-for-all",
        "All your heads use the weights of the first one.",
        does="The heads attend to the same tokens.",
        why="Each head is free to attend in its own way.",
        look="Where does the number of the head come into the weights?",
        ways=(_same_weights,),
    ),
    also(
        HEAD_LEFT_OUT,
        _then(lambda heads: _without_head(heads, -1), lambda weights: _without_head(weights, -1)),
        _then(lambda heads: _without_head(heads, 0), lambda weights: _without_head(weights, 0)),
    ),
    also(LAST_FOR_ALL, _then(lambda heads: _copies(heads, -1), lambda weights: _copies(weights, -1))),
)


def _heads_between(ends_of):
    """Attends in slices of the features that begin and end somewhere, whatever the number of heads."""

    def way(pick, parts, num_heads, w_o, mask, rest):
        ends = ends_of(parts[0].shape[-1], num_heads)
        slices = [tuple(part[..., begin:end] for part in parts) for begin, end in pairwise(ends)]
        results = [attend(pick, q, k, v, mask, HEAD_AXIS, most=MOST) for q, k, v in slices]
        return np.concatenate([output for output, _ in results], -1) @ w_o, np.stack([used for _, used in results], -3)

    return way


def _whole_slices(pick, parts, num_heads, w_o, mask, rest):
    """Attends in slices of equal width, as many as there should be heads; the features left over are lost."""
    d_head = parts[0].shape[-1] // num_heads
    used = num_heads * d_head
    way = _heads_between(lambda d, h: range(0, used + 1, d_head))
    return way(pick, parts, num_heads, w_o[:used], mask, rest)


def _ends_of_parts(d_model, num_heads):
    """As np.array_split has them: the first parts are larger by one."""
    sizes = [part.size for part in np.array_split(np.zeros(d_model), num_heads)]
    return [0, *np.cumsum(sizes)]


UNFIT = Decision(
    "what multi_head_attention makes of a number of heads that does not fit, where split_heads is left out",
    lambda pick, parts, num_heads, w_o, mask, rest: rest(),
    also(
        NO_CHECK,
        _heads_between(_ends_of_parts),
        _heads_between(lambda d, h: [*range(0, d, d // h), d]),
        _heads_between(lambda d, h: [at * d // h for at in range(h + 1)]),
        _heads_between(lambda d, h: np.linspace(0, d, h + 1).astype(int)),
        _whole_slices,
    ),
)


UNSPLIT = Decision(
    "what becomes of what split_heads returns in place of heads",
    lambda part: part.shape,
    also(RETURNING, lambda part: part @ part, lambda part: np.swapaxes(part, -1, -2), lambda part: part),
)
STOPPED = Decision(
    "whether multi_head_attention raises an exception by itself",
    lambda rest: rest(),
    also(RETURNING, lambda rest: None, lambda rest: ValueError(), lambda rest: TEXT, lambda rest: (None, None)),
)


def multi_head_attention(pick, x, w_q, w_k, w_v, w_o, num_heads, *mask_given, **mask_named):
    """Let several heads attend to the same tokens, each in its own way."""
    pick(PARAMETERS)(pick)
    mask = next(iter((*mask_given, *mask_named.values())), None)
    given = [x, w_q, w_k, w_v, w_o, num_heads, mask]

    def work():
        changed = pick(FOLDED)(pick(CHANGES)(pick(ORDER)(pick, given)))

        def rest():
            return pick(RETURNED)(_multi_head(pick, *pick(EARLIER)(pick, pick(PRECISION)(changed))))

        return pick(STOPPED)(rest) if _bad(num_heads, x.shape[-1], 0) else rest()

    return pick(KEEPING)(pick, given, work)


def _multi_head(pick, x, w_q, w_k, w_v, w_o, num_heads, mask):
    tokens, mask, back = pick(BATCH)(pick(NDIM)(x), mask)
    w_q, w_k, w_v = pick(ROLES)(w_q, w_k, w_v, w_o)
    projected = pick(PROJECTIONS)(pick, tokens, (w_q, w_k, w_v), project_as_usual(pick, tokens, w_q, w_k, w_v))

    def rest():
        return _of_heads(pick, tokens, projected, (w_q, w_k, w_v, w_o), num_heads, mask, back)

    return pick(UNFIT)(pick, projected, num_heads, w_o, mask, rest) if _bad(num_heads, x.shape[-1], 0) else rest()


def _of_heads(pick, tokens, projected, weights, num_heads, mask, back):
    cuts = [lambda part=part: split(pick, part, num_heads) for part in projected]
    share = pick(HEADS)
    parts = pick(CUT)(pick, tokens, weights[:3], num_heads, cuts)
    if not all(isinstance(part, np.ndarray) for part in parts):
        return pick(UNSPLIT)(parts[0])
    q, k, v = share(parts)
    q = pick(HEAD_SCALE)(q, num_heads)
    laid = pick(MASK_AXIS)(mask, num_heads) if mask is not None else None
    heads, used = pick(ATTEND)(pick, q, k, v, laid)
    output = pick(MIX)(pick(MERGE)(pick(COLLECT)(heads, tokens)), weights[3], num_heads)
    output, used = pick(OUTPUT_END)(output, used, tokens, num_heads)
    return pick(END)(back(output), used, tokens, num_heads)


def _inputs(rng, *leading, n, num_heads, d_head):
    d_model = num_heads * d_head
    matrices = rng.normal(size=(4, d_model, d_model)) / np.sqrt(d_model)
    return (rng.normal(size=(*leading, n, d_model)), *matrices, num_heads)


def probes(rng, sizes):
    """The calls to compare on."""
    yield from _split_probes(rng, *sizes)
    yield from _merge_probes(rng, *sizes)
    yield from _attention_probes(rng, *sizes)


def _split_probes(rng, a, b, c, d):
    name = "split_heads"
    x = rng.normal(size=(b, a * c))
    yield ask(name, x, a)
    yield ask(name, x, c)
    yield ask(name, rng.normal(size=(c, d)), d)
    yield ask(name, rng.normal(size=(a, b)), 1)
    yield ask(name, rng.normal(size=(a, a * a)), a)
    yield ask(name, rng.normal(size=(1, c * c)), c)
    yield ask(name, rng.normal(size=(c, b, a * d)), a)
    yield ask(name, rng.normal(size=(a, a, a * a)), a)
    yield ask(name, rng.normal(size=(a, c, b, c * d)), d)
    yield ask(name, rng.normal(size=(b, a * c)), a)
    yield ask(name, rng.normal(size=(b, a)), a)
    yield edge(name, rng.normal(size=(b, 6)), 5)
    yield edge(name, rng.normal(size=(b, 10)), 4)
    yield edge(name, rng.normal(size=(b, 3)), 6)
    yield edge(name, rng.normal(size=(c, b, 7)), 3)
    for number in (0, -1, -2, -5):
        yield edge(name, rng.normal(size=(b, 6)), number)
    yield edge(name, rng.integers(1, 9, size=(b, a * c)), a)
    yield edge(name, rng.normal(size=(b, a * c)).astype(np.float32), a)
    yield edge(name, rng.normal(size=(b, a * c)), a)
    yield edge(name, rng.normal(size=(10, 10)), 4)  # what numpy says of shapes that do not fit names both numbers


def _merge_probes(rng, a, b, c, d):
    name = "merge_heads"
    yield ask(name, rng.normal(size=(a, b, c)))
    yield ask(name, rng.normal(size=(1, c, d)))
    yield ask(name, rng.normal(size=(b, 1, c)))
    yield ask(name, rng.normal(size=(d, c, 1)))
    yield ask(name, rng.normal(size=(a, a, a)))
    yield ask(name, rng.normal(size=(c, a, b, d)))
    yield ask(name, rng.normal(size=(c, c, c, c)))
    yield ask(name, rng.normal(size=(c, a, b, c, d)))
    yield ask(name, rng.normal(size=(a, b, c)))
    yield edge(name, rng.integers(1, 9, size=(a, b, c)))
    yield edge(name, rng.normal(size=(a, b, c)).astype(np.float32))
    yield edge(name, rng.normal(size=(a, b, c)))


def _attention_probes(rng, a, b, c, d):
    name = "multi_head_attention"
    one = _inputs(rng, n=b, num_heads=c, d_head=a)
    yield ask(name, *one)
    yield ask(name, *_inputs(rng, n=c, num_heads=a, d_head=b))
    yield ask(name, *_inputs(rng, n=a, num_heads=a, d_head=a))
    yield ask(name, *one, mask=some_mask(rng, b, b))
    yield ask(name, *one, some_mask(rng, b, b))
    yield ask(name, *one)
    gap = np.ones((b, b), dtype=bool)
    gap[b - 1, 1] = False
    yield ask(name, *one, mask=gap)
    yield ask(name, *_inputs(rng, n=a, num_heads=a, d_head=c), mask=some_mask(rng, a, a))
    yield ask(name, *_inputs(rng, n=a, num_heads=1, d_head=b))
    yield ask(name, *_inputs(rng, n=a, num_heads=b, d_head=1))
    alone = _inputs(rng, n=1, num_heads=c, d_head=a)
    yield ask(name, *alone)
    yield ask(name, *alone, mask=np.array([[True]]))  # a test of its truth value works for this mask alone
    batch = _inputs(rng, a, n=b, num_heads=c, d_head=d)
    yield ask(name, *batch)
    yield ask(name, *batch, mask=some_mask(rng, b, b))
    yield ask(name, *batch, mask=some_mask(rng, a, b, b))
    yield ask(name, *_inputs(rng, c, n=b, num_heads=c, d_head=a), mask=some_mask(rng, c, b, b))
    two = _inputs(rng, c, a, n=b, num_heads=d, d_head=c)
    yield ask(name, *two)
    yield ask(name, *two, mask=some_mask(rng, b, b))
    yield ask(name, *two, mask=some_mask(rng, c, a, b, b))
    yield ask(name, *_inputs(rng, a, n=a, num_heads=a, d_head=a), mask=some_mask(rng, a, a, a))
    yield ask(name, *_inputs(rng, n=b, num_heads=c, d_head=a))
    yield ask(name, one[0], *_inputs(rng, n=b, num_heads=c, d_head=a)[1:])
    yield ask(name, *one[:-1], a)
    yield ask(name, *_inputs(rng, b, n=a * c, num_heads=c, d_head=a))  # as many tokens as features
    x, w_q, w_k, w_v, w_o, num_heads = one
    yield edge(name, 90 * x, 10 * w_q, w_k, w_v, w_o, num_heads)
    yield edge(name, 90 * x, w_q, 10 * w_k, w_v, w_o, num_heads, mask=some_mask(rng, b, b))
    yield edge(name, x, 9 * w_q, w_k, w_v, w_o, num_heads)
    yield edge(name, 9 * x, w_q, 9 * w_k, w_v, w_o, num_heads, mask=some_mask(rng, b, b))
    # With all scores low, one maximum for all does no harm, but one that starts at 0 does.
    yield edge(name, 1 + 1e-3 * x, w_q, -3_000 * w_q, w_v, w_o, 1)
    for number in (4 if a * c != 4 else 5, 0, -1, -c):
        yield edge(name, *_inputs(rng, n=b, num_heads=c, d_head=a)[:-1], number)
    whole = [rng.integers(1, 3, size=shape) for shape in ((a, 4), *[(4, 4)] * 4)]
    yield edge(name, *whole, 2)
    yield edge(name, rng.integers(1, 3, size=(a, c * a)), *one[1:])
    yield edge(name, *(part.astype(np.float32) for part in one[:-1]), num_heads)
    yield edge(name, *_inputs(rng, n=b, num_heads=c, d_head=a))
    yield refilled(name, *(_inputs(rng, n=b, num_heads=c, d_head=a) for _ in range(3)))
    yield refilled(name, *((*one, some_mask(rng, b, b)) for _ in range(3)))
