"""Scaled dot-product attention with its decision points open; multi-head attention asks about the inner ones too."""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from grader.expect.habits import KEEPING, PRECISION, RETURNED, ROUNDED, changing, parameters
from grader.expect.mistakes import Decision, Wrong, also, ask, edge, refilled, usually

from . import softmax  # its decisions would be taken for this model's own
from .projections import LAYER_NORMS
from .softmax import LARGE_BLOCK, along, whole_blocks

SHARES = "Each query shares out one unit of weight among the keys."
SPREAD = "The spread of a sum of d_k products grows with the root of d_k, and that is what has to be evened out."
WHICH_SIZE = "How many products does one score add up, and which function of that number stands in the formula?"
LAST_TWO = "Only the last two axes of k change places; whatever lies in front of them is a batch."
PRINT_SHAPES = "Print the shapes of q, of k and of the scores, with one and with two leading axes."
MASK_MEANS = "True means that the query may attend to the key."
EXACTLY = "A masked position has to have weight exactly 0, and the rest of the row still sums to 1."
BEFORE = "What has to stand in place of a masked score, so that its exponential is exactly 0 whatever the others are?"
BROADCAST = "A mask may have any shape that broadcasts to (..., n_q, n_k); numpy lines axes up from the last one."
LOW = -1e9
TRY_MASKS = "Try masks of shape (n_k,), (1, n_k), (n_q, n_k) and one with leading axes."
OF_EACH_MEMBER = "A mask with leading axes holds one of its own for each member of the batch."
CONDITION = "What comes out of your condition where the mask is True? ~1 is -2, which counts as true."


def mistake_of(decision, name):
    """A mistake of another model's decision by its id."""
    return next(wrong for wrong in decision.wrong if wrong.id == name)


def _transposed(k):
    return np.swapaxes(k, -1, -2)


def _fail(*_):
    raise ValueError


def _if(test, way):
    """A way that works for some arguments only."""
    return lambda *given: way(*given) if test(*given) else _fail()


def _scores(q, k):
    return q @ _transposed(k)


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def _unit_or_less(rows):
    return rows / (np.linalg.norm(rows, axis=-1, keepdims=True) + 1e-8)


def _distances(q, k):
    return np.sqrt(np.sum((q[..., :, None, :] - k[..., None, :, :]) ** 2, axis=-1))


DOT_PAIRS = Wrong(
    "dot-pairs-everything",
    "Your product pairs every member of the batch with every other one.",
    does="np.dot and np.tensordot treat leading axes as further rows, so the result gets axes too many.",
    why="Each member of a batch attends within itself; @ and np.matmul work that way.",
    look=PRINT_SHAPES,
    ways=(),
)
FIRST_FOR_ALL = Wrong(
    "first-weights-for-all",
    "Your function uses the scores, or weights, of the first member of the batch for all of them.",
    does="All members of a batch get the same weights.",
    why="Each member of a batch has queries and keys of its own.",
    look="Where do you index q, k, the scores or the weights with 0?",
    ways=(),
)


def _normalised(name, scores):
    """Brings the queries alone, or the keys alone, to length 1."""
    return Wrong(
        f"{name}-normalised",
        f"Your {name} are brought to length 1.",
        does="How long they are no longer counts, only where they point.",
        why="The score is the plain dot product.",
        look=f"What is done to the {name} before the product?",
        ways=tuple(lambda q, k, v, unit=unit: scores(q, k, unit) for unit in (_unit, _unit_or_less)),
    )


def _of_the_first(sizes, rest=0.0):
    """Scores of the first keys; those of the others stay as they were made."""

    def way(q, k, v):
        whole, count = _scores(q, k) * 1.0, sizes(q, k)
        if count > whole.shape[-1]:
            _fail()
        whole[..., count:] = rest
        return whole

    return way


def _square_scores(q, k, v):
    """Scores of the first keys alone, as many as there are queries."""
    return _scores(q, k)[..., : q.shape[-2]] if q.shape[-2] <= k.shape[-2] else _fail()


def _of_the_first_queries(rest):
    """Scores of as many queries as there are keys; those of the others stay as they were made."""

    def way(q, k, v):
        whole, count = _scores(q, k) * 1.0, k.shape[-2]
        if count > whole.shape[-2]:
            _fail()
        whole[..., count:, :] = rest
        return whole

    return way


def _without(left_out, axis):
    """Scores that stay 0 for a key, or for a query."""

    def way(q, k, v):
        whole = _scores(q, k)
        np.moveaxis(whole, axis, 0)[left_out] = 0
        return whole

    return way


def _in_whole_tiles(k, size, least):
    """How many keys are in tiles that are full, given the least number of tiles that there are."""
    n_k = k.shape[-2]
    return min(max(n_k // size, least) * size, n_k)


ENDS = "Check the ends of your ranges and slices."
LOOP_OF_QUERIES = Wrong(
    "keys-counted-by-queries",
    "Your loop over the keys runs to the number of queries.",
    does="With more keys than queries the last keys are left out, or fit nothing; with fewer it ends in an exception.",
    why="How many keys there are has nothing to do with how many queries there are.",
    look="Which shape do you take the end of that loop from?",
    ways=(),
)
LOOP_OF_KEYS = Wrong(
    "queries-counted-by-keys",
    "Your loop over the queries runs to the number of keys.",
    does="With more queries than keys the last rows stay as they were made; with fewer it ends in an exception.",
    why="How many queries there are has nothing to do with how many keys there are.",
    look="Which shape do you take the end of that loop from?",
    ways=(),
)
KEY_LEFT_OUT = Wrong(
    "key-left-out",
    "Your loop over the keys leaves one of them out.",
    does="The first or the last key counts for nothing, or keeps a score of 0.",
    why="Every query is compared with all keys, and gets some of all values.",
    look=ENDS,
    ways=(),
)
QUERY_LEFT_OUT = Wrong(
    "query-left-out",
    "Your loop over the queries leaves one of them out.",
    does="The row of the first or the last query stays as it was made.",
    why="Every query gets a row of weights and one of the output.",
    look=ENDS,
    ways=(),
)

NOT_RESET = Wrong(
    "sum-not-started-anew",
    "Your sum is made once before a loop, and not started anew inside it.",
    does="Each result also holds those that were computed before it.",
    why="Every sum starts from 0.",
    look="Inside which of your loops does the line stand that sets the sum to 0, and inside which should it?",
    ways=(),
    rare=2,
)


def _run_on(array, axes):
    """Sums that run on over the last axes, from one row to the next."""
    rows = array.reshape(*array.shape[:-axes], -1) if axes < array.ndim else array.reshape(-1)
    return np.cumsum(rows, axis=-1).reshape(array.shape)


SCORES = Decision(
    "how queries and keys make scores",
    lambda q, k, v: _scores(q, k),
    Wrong(
        "keys-transposed-altogether",
        "Your keys are transposed with k.T, which turns all axes round.",
        does="For matrices that is right; with leading axes the shapes no longer fit, or the wrong numbers meet.",
        why=LAST_TWO,
        look=PRINT_SHAPES,
        ways=(
            lambda q, k, v: q @ k.T,
            lambda q, k, v: np.dot(q, k.T),
        ),
    ),
    Wrong(
        "keys-transposed-by-number",
        "Your scores are made in a way that fits only some numbers of leading axes.",
        does="With fewer or more of them it ends in an exception, or exchanges the wrong axes.",
        why=LAST_TWO,
        look="Which line names axes by number, or takes a shape apart? " + PRINT_SHAPES,
        ways=(
            lambda q, k, v: q @ k.transpose(0, 2, 1),
            lambda q, k, v: q @ np.swapaxes(k, 0, 1),
            lambda q, k, v: q @ np.swapaxes(k, 1, 2),
            lambda q, k, v: q @ np.swapaxes(k, 0, -1),
            _if(lambda q, k, v: q.ndim <= 3, lambda q, k, v: _scores(q, k)),
            _if(lambda q, k, v: q.ndim == 2, lambda q, k, v: _scores(q, k)),
            _if(lambda q, k, v: q.ndim == 3, lambda q, k, v: _scores(q, k)),
            _if(lambda q, k, v: q.ndim in (3, 4), lambda q, k, v: _scores(q, k)),
            lambda q, k, v: q @ k.transpose(0, 1, 3, 2),
        ),
    ),
    Wrong(
        "keys-not-transposed",
        "Your queries are multiplied with the keys as they are, not transposed.",
        does="q @ k fits only if there are as many keys as features, and then multiplies the wrong numbers.",
        why="A score is the dot product of a row of q and a row of k.",
        look="Write the shapes of q and k side by side: which axes have to meet?",
        ways=(lambda q, k, v: q @ k, lambda q, k, v: q @ k if k.shape[-1] == k.shape[-2] else _scores(q, k)),
    ),
    Wrong(
        "keys-reshaped-not-transposed",
        "Your keys are reshaped where they should be transposed.",
        does="The shape is right, but the numbers keep their order, so features of different keys are mixed.",
        why="Reshaping does not exchange axes.",
        look="Reshape [[1, 2, 3], [4, 5, 6]] to (3, 2) and compare with its transpose.",
        ways=(lambda q, k, v: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),),
    ),
    Wrong(
        "scores-transposed",
        "Your scores have keys for rows and queries for columns.",
        does="k @ q.T swaps the two, so each key shares out its weight among the queries.",
        why=SHARES,
        look="Which shape should the scores have, for 3 queries and 5 keys?",
        ways=(
            lambda q, k, v: k @ _transposed(q),
            lambda q, k, v: _transposed(_scores(q, k)),
            lambda q, k, v: k @ q.T,
            lambda q, k, v: _transposed(q) @ k,
        ),
    ),
    also(DOT_PAIRS, lambda q, k, v: np.dot(q, _transposed(k)), lambda q, k, v: np.tensordot(q, k, axes=(-1, -1))),
    Wrong(
        "queries-and-keys-normalised",
        "Your queries and keys are brought to length 1.",
        does="The scores become cosines: the lengths of q and k no longer count.",
        why="The score is the plain dot product.",
        look="What is done to q and k before they are multiplied?",
        ways=(
            lambda q, k, v: _scores(_unit(q), _unit(k)),
            lambda q, k, v: _scores(
                q / (np.linalg.norm(q, axis=-1, keepdims=True) + 1e-9),
                k / (np.linalg.norm(k, axis=-1, keepdims=True) + 1e-9),
            ),
        ),
    ),
    _normalised("queries", lambda q, k, unit: _scores(unit(q), k)),
    _normalised("keys", lambda q, k, unit: _scores(q, unit(k))),
    Wrong(
        "distance-for-score",
        "Your scores are distances, not dot products.",
        does="A key counts by how far it is from the query.",
        why="The score of a query and a key is their dot product.",
        look="Which operation joins q and k in the formula?",
        ways=(
            lambda q, k, v: -_distances(q, k),
            lambda q, k, v: _distances(q, k),
            lambda q, k, v: -(_distances(q, k) ** 2),
        ),
    ),
    Wrong(
        "queries-against-queries",
        "Your scores compare the queries with themselves, or the keys with themselves.",
        does="One of q and k is never used.",
        why="A score says how well a key matches a query.",
        look="Which of q and k never comes up in your product?",
        ways=(lambda q, k, v: _scores(q, q), lambda q, k, v: _scores(k, k)),
    ),
    Wrong(
        "queries-against-values",
        "Your scores compare the queries with the values, not with the keys.",
        does="k is not used for them, at least where keys and values are equally wide.",
        why="Keys are what a query finds a token by; values are what it then gets.",
        look="Which arrays meet in the product that makes the scores?",
        ways=(
            lambda q, k, v: _scores(q, v),
            lambda q, k, v: np.einsum("...id,...jd->...ij", q, v),
            lambda q, k, v: _scores(q, v if v.shape[-1] == k.shape[-1] else k),
        ),
    ),
    also(
        LOOP_OF_QUERIES,
        _of_the_first(lambda q, k: q.shape[-2]),
        _of_the_first(lambda q, k: min(q.shape[-2], k.shape[-2])),
        _of_the_first(lambda q, k: q.shape[-2], -np.inf),
        _of_the_first(lambda q, k: q.shape[-2], LOW),
        _square_scores,
        _if(lambda q, k, v: q.shape[-2] == k.shape[-2], lambda q, k, v: _scores(q, k)),
    ),
    also(LOOP_OF_KEYS, _of_the_first_queries(0.0), _of_the_first_queries(-np.inf)),
    Wrong(
        "feature-left-out-of-scores",
        "Your scores leave out a feature.",
        does="The first or the last product of each sum is missing.",
        why="A score is a sum of d_k products.",
        look=ENDS,
        ways=(
            lambda q, k, v: _scores(q[..., :-1], k[..., :-1]),
            lambda q, k, v: _scores(q[..., 1:], k[..., 1:]),
        ),
    ),
    also(KEY_LEFT_OUT, _without(-1, -1), _without(0, -1)),
    also(QUERY_LEFT_OUT, _without(-1, -2), _without(0, -2)),
    Wrong(
        "last-tile-left-out",
        "Your tiles leave out the keys that do not fill a whole one.",
        does="The number of tiles is rounded down, so the last keys count for nothing unless they fill a tile.",
        why="Every query is compared with all keys; the last tile may be a smaller one.",
        look="How many tiles does your loop make of 5 keys, and which keys does the last of them hold?",
        ways=tuple(
            _of_the_first(lambda q, k, size=size, least=least: _in_whole_tiles(k, size, least), -np.inf)
            for size, least in ((2, 1), (4, 1), (3, 1), (2, 0), (4, 0), (3, 0), (LARGE_BLOCK, 1), (LARGE_BLOCK, 0))
        ),
        rare=2,
    ),
    also(
        FIRST_FOR_ALL,
        lambda q, k, v: np.broadcast_to(_scores(q, k)[:1], _scores(q, k).shape) if q.ndim > 2 else _scores(q, k),
        lambda q, k, v: np.broadcast_to(_scores(q, k)[(0,) * (q.ndim - 2)], _scores(q, k).shape),
        lambda q, k, v: _scores(q, k)[0] if q.ndim > 2 else _scores(q, k),
    ),
    also(NOT_RESET, lambda q, k, v: np.cumsum(_scores(q, k), axis=-1), lambda q, k, v: _run_on(_scores(q, k), 2)),
    Wrong(
        "scores-summed-wrongly",
        "Your scores multiply queries and keys entry by entry.",
        does="* needs shapes that broadcast, and sums nothing.",
        why="A score is a sum of d_k products.",
        look="Which operator is the product of matrices?",
        ways=(lambda q, k, v: q * k,),
    ),
    Wrong(
        "scores-absolute",
        "Your scores have lost their sign.",
        does="A key that points away from the query counts as much as one that points along.",
        why="A negative score is a poor match.",
        look="Where does np.abs, or a square, touch the scores?",
        ways=(lambda q, k, v: np.abs(_scores(q, k)), lambda q, k, v: _scores(q, k) ** 2),
    ),
    Wrong(
        "scores-negated",
        "Your scores have the wrong sign.",
        does="The best match gets the smallest weight.",
        why="A larger dot product is a better match.",
        look="Where does a minus come in?",
        ways=(lambda q, k, v: -_scores(q, k),),
    ),
)


def _kept_scores(key):
    return lambda pick, q, k, work: (pick.keep(("scores", key(q, k)), work), q)


SCORES_KEPT = Decision(
    "whether the scores are those of this call, and the queries whose width scales them",
    lambda pick, q, k, work: (work(), q),
    Wrong(
        "scores-kept-between-calls",
        "Your function keeps the scores of an earlier call.",
        does="A later call with the same shapes is answered with the old scores.",
        why="A call may depend on its arguments alone, whatever was asked before.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            _kept_scores(lambda q, k: (q.shape, k.shape)),
            _kept_scores(lambda q, k: q.shape),
            _kept_scores(lambda q, k: (*q.shape[:-1], k.shape[-2])),
            _kept_scores(lambda q, k: None),
        ),
    ),
    Wrong(
        "scale-kept-between-calls",
        "Your function keeps the scale of an earlier call.",
        does="A later call with another d_k is scaled by the root of the old one.",
        why="A call may depend on its arguments alone, whatever was asked before.",
        look="Where is the root of d_k computed, and how often does that line run?",
        ways=(lambda pick, q, k, work: (work(), pick.keep("q", lambda: q)),),
        rare=1,
    ),
)


def _size_scale(identity, words, *sizes, why=SPREAD):
    """Dividing by the root of some size that is not d_k."""
    return Wrong(
        identity,
        f"Your scores are divided by the root of {words}.",
        does=f"How even the weights are depends on {words}.",
        why=why,
        look=WHICH_SIZE,
        ways=tuple(lambda s, q, k, v, size=size: s / np.sqrt(size(s, q, k, v)) for size in sizes),
    )


ZERO_MASKED = Wrong(
    "scores-of-zero-masked",
    "Your function takes a score of 0 for a masked one.",
    does="Every 0 among the scores becomes very low, also one that is a real score.",
    why="A score of 0 is a score like any other; only the mask says what is masked.",
    look="What happens to a query and a key whose dot product is 0?",
    ways=(),
)


PAIRS = partial(np.einsum, "...id,...jd->...ij")  # it adds up in another order, which shows where digits are few


def _in_float32(q, k, product=_scores):
    return product(q.astype(np.float32), k.astype(np.float32))


def _capped(s, cap):
    return cap * np.tanh(s / cap)


SCALE = Decision(
    "how the scores are scaled",
    lambda s, q, k, v: s / np.sqrt(q.shape[-1]),
    Wrong(
        "scores-not-scaled",
        "Your scores are not scaled.",
        does="They grow with d_k, and the weights gather on a single key.",
        why=SPREAD,
        look="Which part of the formula has no line in your code?",
        ways=(lambda s, q, k, v: s,),
    ),
    Wrong(
        "scaled-after-softmax",
        "Your scale comes after the softmax, not before it.",
        does="The scores are as large as they were, and the rows of the weights no longer sum to 1.",
        why="The scale is there to keep the scores small, so it has to come before the softmax sees them.",
        look="What do the rows of your weights sum to?",
        ways=(
            lambda s, q, k, v: (s, lambda w: w / np.sqrt(q.shape[-1])),
            lambda s, q, k, v: (s, lambda w: w / q.shape[-1]),
        ),
    ),
    Wrong(
        "scale-by-dk",
        "Your scores are divided by d_k in all, not by its square root.",
        does="They become so small that all weights come out nearly the same.",
        why=SPREAD,
        look="Go from q to the weights: what are the scores divided by, and in how many places?",
        ways=(lambda s, q, k, v: s / q.shape[-1],),
    ),
    Wrong(
        "multiplied-by-root",
        "Your scores are multiplied by d_k, or by its root, not divided.",
        does="They become even larger, and the weights gather on a single key.",
        why=SPREAD,
        look="On which side of the fraction line does the root stand?",
        ways=(lambda s, q, k, v: s * np.sqrt(q.shape[-1]), lambda s, q, k, v: s * q.shape[-1]),
    ),
    _size_scale("scale-by-dv", "d_v, the width of the values", lambda s, q, k, v: v.shape[-1]),
    _size_scale("scale-by-nk", "the number of keys", lambda s, q, k, v: k.shape[-2], lambda s, q, k, v: s.shape[-1]),
    _size_scale("scale-by-nq", "the number of queries", lambda s, q, k, v: q.shape[-2]),
    _size_scale(
        "scale-by-leading-axis",
        "a size counted from the front of a shape",
        lambda s, q, k, v: q.shape[1],
        lambda s, q, k, v: q.shape[0],
        lambda s, q, k, v: k.shape[1],
        lambda s, q, k, v: k.shape[0],
        lambda s, q, k, v: len(q),
        why="d_k is the last size, however many axes lie in front.",
    ),
    Wrong(
        "scaled-twice",
        "Your scores are divided by d_k and by its root as well.",
        does="They become so small that all weights come out nearly the same.",
        why="One division by the root brings the spread to 1; what follows it is too much.",
        look="How many divisions are there on the way from q and k to the weights?",
        ways=(lambda s, q, k, v: s / q.shape[-1] ** 1.5,),
    ),
    Wrong(
        "other-root",
        "Your scores are divided by something else than the square root of d_k.",
        does="Another size, another root or a fixed number takes out too little or too much.",
        why=SPREAD,
        look=WHICH_SIZE,
        ways=(
            lambda s, q, k, v: s / q.shape[-1] ** 0.25,
            lambda s, q, k, v: s / (q.shape[-1] / 2),
            lambda s, q, k, v: s / q.shape[-1] ** 2,
            lambda s, q, k, v: s / np.log(q.shape[-1]),
            lambda s, q, k, v: s / (np.sqrt(q.shape[-1]) + 1.0),
            lambda s, q, k, v: s / np.sqrt(q.shape[-1] + 1.0),
            lambda s, q, k, v: s / np.sqrt(q.shape[-1] - 1.0),
            lambda s, q, k, v: s / 8.0,
            lambda s, q, k, v: s / np.sqrt(64),
            lambda s, q, k, v: s / np.sqrt(512),
            lambda s, q, k, v: s / np.sqrt(2 * q.shape[-1]),
            lambda s, q, k, v: s / (2 * np.sqrt(q.shape[-1])),
            lambda s, q, k, v: s / (2 * q.shape[-1]),
            lambda s, q, k, v: s / q.shape[-1] ** (1 / 3),
            lambda s, q, k, v: s / np.sqrt(q.size),
        ),
    ),
    Wrong(
        "root-cut-to-integer",
        "Your root of d_k is made a whole number.",
        does="The scale is right only where d_k is a square.",
        why="Most roots are no whole numbers.",
        look="Is there an int(...), a //, a round or a np.ceil around the root?",
        ways=(
            lambda s, q, k, v: s / int(np.sqrt(q.shape[-1])),
            lambda s, q, k, v: s / round(np.sqrt(q.shape[-1])),
            lambda s, q, k, v: s / np.ceil(np.sqrt(q.shape[-1])),
        ),
    ),
    Wrong(
        "scores-cut-to-integers",
        "Your scores lose their fractions.",
        does="A // or an array of integers cuts them down to whole numbers.",
        why="Scores are any real numbers, also for integer input.",
        look="Which division is //, and which array has the type of q?",
        ways=(
            lambda s, q, k, v: s // np.sqrt(q.shape[-1]),
            lambda s, q, k, v: (s / np.sqrt(q.shape[-1])).astype(q.dtype),
            lambda s, q, k, v: s // int(np.sqrt(q.shape[-1])),
        ),
    ),
    Wrong(
        "scores-clipped-in-attention",
        "Your scores are clipped to a range.",
        does="All scores beyond the limit become equal, and so do their weights.",
        why="Softmax copes with scores of any size once the largest is taken away.",
        look="What is np.clip, or np.minimum, there for?",
        ways=tuple(
            lambda s, q, k, v, limit=limit: np.clip(s / np.sqrt(q.shape[-1]), -limit, limit)
            for limit in (50, 10, 100, 20, 500, 700, 30, 5, 88)
        ),
    ),
    Wrong(
        "scores-squashed",
        "Your scores go through an activation before the softmax.",
        does="tanh, a sigmoid or ReLU bends them.",
        why="Between the scaling and the softmax there is only the mask.",
        look="Which function touches the scores that is not in the formula?",
        ways=(
            lambda s, q, k, v: np.tanh(s / np.sqrt(q.shape[-1])),
            lambda s, q, k, v: np.maximum(s / np.sqrt(q.shape[-1]), 0),
            lambda s, q, k, v: 1 / (1 + np.exp(-s / np.sqrt(q.shape[-1]))),
        ),
    ),
    also(
        ZERO_MASKED,
        lambda s, q, k, v: np.where(s == 0, -np.inf, s / np.sqrt(q.shape[-1])),
    ),
    Wrong(
        "scores-softly-capped",
        "Your scores are bent by a soft cap before the softmax.",
        does="cap * tanh(scores / cap) leaves small scores nearly as they are and brings larger ones closer together.",
        why="Between the scaling and the softmax there is only the mask.",
        look="Which function touches the scores that is not in the formula?",
        ways=(
            *(
                lambda s, q, k, v, cap=cap: _capped(s / np.sqrt(q.shape[-1]), cap)
                for cap in (50.0, 30.0, 20.0, 10.0, 5.0)
            ),
            *(lambda s, q, k, v, cap=cap: _capped(s, cap) / np.sqrt(q.shape[-1]) for cap in (50.0, 30.0)),
        ),
        rare=2,
    ),
    # The scores alone, or the products that make them: the values stay as precise as they are.
    also(
        replace(mistake_of(PRECISION, "computed-in-float32"), rare=1),
        lambda s, q, k, v: (s / np.sqrt(q.shape[-1])).astype(np.float32),
        lambda s, q, k, v: s.astype(np.float32) / np.float32(np.sqrt(q.shape[-1])),
        lambda s, q, k, v: s.astype(np.float32) * np.float32(q.shape[-1] ** -0.5),
        lambda s, q, k, v: s.astype(np.float32) / np.sqrt(q.shape[-1]),
        lambda s, q, k, v: _in_float32(q, k) / np.float32(np.sqrt(q.shape[-1])),
        lambda s, q, k, v: _in_float32(q, k) * np.float32(q.shape[-1] ** -0.5),
        lambda s, q, k, v: _in_float32(q / np.sqrt(q.shape[-1]), k),
        lambda s, q, k, v: _in_float32(q, k, PAIRS) / np.float32(np.sqrt(q.shape[-1])),
        lambda s, q, k, v: (s / np.sqrt(q.shape[-1])).astype(np.float32).astype(np.float64),
    ),
    Wrong(
        "scores-in-float16",
        "Your scores are computed in float16.",
        does="Only about three digits are left.",
        why="The result has to be as precise as the input.",
        look="Where does astype or dtype= fix the type?",
        ways=(
            lambda s, q, k, v: (s / np.sqrt(q.shape[-1])).astype(np.float16).astype(np.float64),
            lambda s, q, k, v: (
                q.astype(np.float16) @ _transposed(k.astype(np.float16)) / np.float16(np.sqrt(q.shape[-1]))
            ).astype(np.float64),
            lambda s, q, k, v: (s / np.sqrt(q.shape[-1])).astype(np.float16),
        ),
        grid=np.float16,
    ),
    # No call can tell it from a function of which only q and k are so.
    also(
        mistake_of(PRECISION, "computed-in-float16"),
        lambda s, q, k, v: (q.astype(np.float16) @ _transposed(k.astype(np.float16)) / np.sqrt(q.shape[-1])).astype(
            np.float64
        ),
    ),
)


def softmax_along(axis, most=None):
    """Softmax along an axis, perhaps with the usual ways of each of its mistakes only."""
    return lambda pick, s, plain: along(pick, s, axis(s) if callable(axis) else axis, most)


def _filled(way):
    """The same where masked scores are a very low number: a slice of nothing else then has weights, and no nan."""
    return lambda pick, s, plain: way(pick, np.where(np.isneginf(s), LOW, s), plain)


def _lowered(way):
    """The same where a very low number was added to the masked scores."""
    return lambda pick, s, plain: way(pick, np.where(np.isneginf(s), plain + LOW, s), plain)


def _shared_along(s, axis):
    """The maximum along the keys, but the sum along another axis."""
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax_on(axis, most=None):
    """The ways of softmax along a wrong axis, which meets whatever stands for masked scores."""
    way = softmax_along(axis, most)
    return way, _filled(way), _lowered(way)


def softmax_axes(most=None):
    """The mistakes about the axis of softmax."""

    def on(axis):
        return softmax_on(axis, most)

    return (
        Wrong(
            "softmax-over-queries",
            "Your weights sum to 1 along the queries, not along the keys.",
            does="Each key shares itself out among the queries, and a row of weights sums to anything.",
            why=SHARES,
            look="What does one row of your weights sum to, and what should it?",
            ways=(*on(-2), lambda pick, s, plain: _shared_along(s, -2)),
        ),
        Wrong(
            "softmax-over-fixed-axis",
            "Your softmax runs along an axis counted from the front.",
            does="Which axis that is depends on how many leading axes there are.",
            why="The keys are the last axis, however many lie in front.",
            look="Print the sums of the weights along each axis, with and without a batch.",
            ways=(*on(0), *on(1), *on(lambda s: min(1, s.ndim - 1)), *on(lambda s: min(2, s.ndim - 1))),
        ),
        Wrong(
            "softmax-over-everything",
            "Your softmax shares one unit of weight among all queries and keys together.",
            does="All rows together sum to 1, not each by itself.",
            why=SHARES,
            look="What do np.max and np.sum do without axis?",
            ways=tuple(softmax_along(axis, most) for axis in (None, (-2, -1), lambda s: tuple(range(1, s.ndim)))),
        ),
    )


TWICE = Wrong(
    "softmax-twice",
    "Your scores go through softmax twice.",
    does="The weights come out nearly the same.",
    why="Softmax of weights, which lie between 0 and 1, evens them out.",
    look="Which functions that you call apply a softmax already?",
    ways=(),
)


def _masked_twice(pick, s, plain):
    """Softmax of the weights, which are masked once more."""
    return along(pick, np.where(np.isneginf(s), -np.inf, along(pick, s, -1)), -1)


def _masked_between(pick, s, plain):
    """Softmax of the weights, of which those that are masked only now have what stands for masked scores."""
    return along(pick, np.where(s == plain, along(pick, plain, -1), s), -1)


def _padded(size, *, if_masked=True):
    """Keys of zeros at the end, up to a multiple of some size, whose scores of 0 take part."""

    def way(pick, s, plain):
        count = s.shape[-1]
        extra = -count % size if if_masked or s is plain else 0
        return along(pick, np.concatenate([s, np.zeros((*s.shape[:-1], extra))], axis=-1), -1)[..., :count]

    return way


def _tiled(size, shown, *, guarded=True):
    """Exponentials of which each is relative to the largest score up to its tile, divided by one sum.

    Args:
        size: how many keys are in a tile.
        shown: what is returned as weights, given what meets the values and the right weights.
        guarded: whether a row that begins with a tile of nothing but masked keys is without nan.
    """

    def way(pick, s, plain):
        right = along(pick, s, -1)
        highest = np.maximum.accumulate(s, axis=-1)
        ends = np.minimum(np.arange(s.shape[-1]) // size * size + size - 1, s.shape[-1] - 1)
        sofar = highest[..., ends]
        powers = np.exp(s - np.where(np.isneginf(sofar) & guarded, 0.0, sofar))
        total = np.sum(np.exp(s - highest[..., -1:]), axis=-1, keepdims=True)
        return shown(powers, total, right)

    return way


def _output_alone(powers, total, right):
    return powers / total, right


def _output_and_sum(powers, total, right):
    return powers / np.sum(powers, axis=-1, keepdims=True), right


def _sum_too(powers, total, right):
    return powers / np.sum(powers, axis=-1, keepdims=True)


def _sum_alone(powers, total, right):
    return right * total / np.sum(powers, axis=-1, keepdims=True)


def _weights_too(powers, total, right):
    return powers / total


def _output_and_sum_too(powers, total, right):
    return _output_and_sum(powers, total, right)[0], _sum_alone(powers, total, right)


def _sum_of_output_alone(powers, total, right):
    return _sum_alone(powers, total, right), right


def _powers_times_mask(least):
    """Exponentials of all scores, infinite ones as well, of which those of masked keys are multiplied by 0."""

    def way(pick, s, plain):
        powers = np.exp(plain) * ~np.isneginf(s)
        return powers / (np.sum(powers, axis=-1, keepdims=True) + least)

    return way


def _shares_of_allowed(above, below):
    """Shares of the scores themselves, among which those of masked keys are 0."""

    def way(pick, s, plain):
        kept = np.where(np.isneginf(s), 0.0, s)
        return above(kept) / np.sum(below(kept), axis=-1, keepdims=True)

    return way


NO_MAXIMUM = mistake_of(softmax.SHIFT, "no-maximum-subtracted")
NO_EXPONENTIAL = mistake_of(softmax.RULE, "no-exponential")
POWERS_TIMES_MASK = also(replace(NO_MAXIMUM, rare=1), _powers_times_mask(0.0), _powers_times_mask(1e-9))
TILES = Wrong(
    "tiles-not-rescaled",
    "Your running sums are not all rescaled when the running maximum grows.",
    does="Tiles from before a new maximum were taken relative to the old one, and count too much.",
    why="All terms of a sum have to be relative to the same maximum, those of earlier tiles too.",
    look="Which of your running sums change when a later tile holds a larger score, and which do not?",
    ways=(),
    rare=2,
)


SOFTMAX_AXIS = Decision(
    "which axis the weights sum to 1 along",
    softmax_along(-1),
    *softmax_axes(),
    also(replace(TWICE, rare=2), _masked_twice, _masked_between),
    Wrong(
        "padding-gets-weight",
        "Your padding takes part in the softmax.",
        does="Keys of zeros are put behind the real ones, and their scores of 0 get some of the weight.",
        why="The keys that were passed share the whole weight among themselves; padding has to get none of it.",
        look="What is the exponential of the score that a key of zeros gets?",
        ways=(*map(_padded, (4, 8, 16, 32)), *(_padded(size, if_masked=False) for size in (4, 8, 16))),
        rare=2,
    ),
    also(
        TILES,
        *(
            _tiled(size, shown)
            for shown in (_output_alone, _sum_too, _weights_too, _output_and_sum, _sum_alone)
            for size in (2, 4, 1)
            if size > 1 or shown is not _sum_alone  # softmax's running sum does this
        ),
    ),
    also(
        replace(TILES, rare=3),
        *(
            _tiled(size, shown)
            for size in (8, 16, 32, 64, 128)
            for shown in (_output_alone, _output_and_sum, _output_and_sum_too, _sum_too, _weights_too)
        ),
    ),
    also(
        TILES,
        *(_tiled(size, _output_and_sum_too) for size in (2, 1, 4, 3)),
        *(
            _filled(_tiled(size, shown))
            for shown in (_output_and_sum_too, _output_alone, _output_and_sum)
            for size in (2, 1, 4)
            if size < 4 or shown is _output_alone
        ),
        *(_tiled(size, _output_and_sum_too, guarded=False) for size in (2, 1)),
        *(_tiled(size, _sum_of_output_alone) for size in (2, 1)),
    ),
    POWERS_TIMES_MASK,
    also(
        replace(NO_EXPONENTIAL, rare=1),
        _shares_of_allowed(lambda x: x, lambda x: x),
        _shares_of_allowed(lambda x: x, np.abs),
        _shares_of_allowed(np.abs, np.abs),
    ),
)


def _fill(value):
    """Puts a number where the mask forbids, before the softmax."""
    return lambda s, m, soft: soft(np.where(m, s, value))


def _add(low):
    return lambda s, m, soft: soft(s + np.where(m, 0.0, low))


def _with_epsilon(epsilon):
    return lambda s, m, soft: soft(s + np.log(m + epsilon))


def _after(s, m, soft):
    return soft(s) * m


def _renormalised(w):
    return w / np.sum(w, axis=-1, keepdims=True)


def _inverted(s, m, soft):
    return soft(np.where(m, -np.inf, s))


def _causal(s, diagonal=0):
    return np.tril(np.ones(s.shape[-2:], dtype=bool), diagonal)


def _causal_to_the_end(s):
    """A causal mask whose last query sees all keys, however many more of them there are."""
    return _causal(s, max(s.shape[-1] - s.shape[-2], 0))


def _low_beyond(causal, mask):
    """What is added to the scores: a very low number beyond a causal mask, -inf where a mask was given as well."""
    return np.where(True if mask is None else mask, np.where(causal, 0.0, LOW), -np.inf)


def _causal_as_well(s, m, soft, rest):
    """A causal mask besides the one that is given, with something of its own where the two leave nothing."""
    both = _causal(s) & m
    return soft(np.where(both, s, np.where(both.any(axis=-1, keepdims=True), -np.inf, rest(s))))


def _first_key_at_zero(s):
    return np.where(np.arange(s.shape[-1]) == 0, 0.0, -np.inf)


def _indexed(m, s):
    marked = np.zeros(s.shape, dtype=bool)
    marked[~m] = True
    return ~marked


def _without_masked(s, m, soft, removed):
    weights = soft(np.where(m, s, -np.inf))
    return (weights, soft(s[..., m])) if removed else weights


def _zeroed(kept, *, keys_alone=False):
    """Keys of zeros, and values of zeros beside them, in the place of masked ones; the weights are of all."""

    def way(s, m, soft):
        left = kept(m, s)
        weights = soft(np.where(left, s, 0.0))
        return weights if keys_alone else (weights * left, weights)

    return way


def _seen_by_any(m, s):
    """Which keys some query may attend to."""
    return np.broadcast_to(m, s.shape).any(axis=-2, keepdims=True)


def _seen_by_all(m, s):
    return np.broadcast_to(m, s.shape).all(axis=-2, keepdims=True)


INDEXES = Wrong(
    "mask-indexes-scores",
    "Your mask is used as an index, which does not broadcast.",
    does="scores[~mask] = ... needs a mask with the first axes of the scores, in full.",
    why=BROADCAST,
    look=TRY_MASKS,
    ways=(),
)


EMPTY_ROW = Wrong(
    "row-taken-for-empty",
    "Your function treats rows of the mask as empty that are not.",
    does="A row with its first key hidden, its last, or any, is left without a mask, or gets no weights at all.",
    why="Only a row that hides all of its keys is empty; in every other one the keys that are left share the weight.",
    look="Which keys of a row does your test look at, and what does it decide?",
    ways=(),
)


EPSILONS = (1e-9, 1e-8, 1e-12, 1e-10, 1e-6, 1e-7, 1e-5, 2.0**-52, 1e-4, 1e-3, 1e-30, 1e-20, 1e-16, 1e-15, 1e-45)


class _LowMask(np.ndarray):
    """A mask that puts a very low number in the place of scores: a row of nothing else has weights, and no nan."""


def as_low(mask):
    """The same mask, with a very low number in the place of masked scores."""
    return mask.view(_LowMask)


def _low(way):
    def low(m, s):
        laid = way(m, s)
        return laid if laid is None or laid is m else as_low(laid)

    return low


def masked(s, m, soft):
    """Puts -inf in the place of masked scores; what is no mask of truth values was made to be added to them."""
    return soft(s + m if m.dtype.kind == "f" else np.where(m, s, LOW if isinstance(m, _LowMask) else -np.inf))


MASKING = Decision(
    "what the mask does",
    masked,
    Wrong(
        "mask-ignored",
        "Your mask changes nothing.",
        does="Every query attends to every key.",
        why=MASK_MEANS + " False means that it may not.",
        look="Where does mask appear in the body of your function, and what does it do to the scores there?",
        ways=(lambda s, m, soft: soft(s),),
    ),
    Wrong(
        "mask-inverted",
        "Your mask is read the other way round.",
        does="Where it is True the query is kept from the key, and where it is False it may attend.",
        why=MASK_MEANS,
        look="Which of the two branches of your np.where does True choose?",
        ways=(
            _inverted,
            lambda s, m, soft: soft(s + m * -1e9),
            lambda s, m, soft: soft(np.where(m, -1e9, s)),
            lambda s, m, soft: soft(s) * ~m,
            lambda s, m, soft: _renormalised(soft(s) * ~m),
            lambda s, m, soft: soft(np.where(m, -1e4, s)),
        ),
    ),
    Wrong(
        "mask-with-finite-number",
        "Your masked scores get a finite number that is not low enough.",
        does="Where other scores are low too, masked keys get weight.",
        why=EXACTLY,
        look=BEFORE,
        ways=(
            *map(_fill, (-1e4, -100.0, -1e3)),
            _add(-1e4),
            *map(_fill, (-10.0, -5e3, -50.0, -30.0, -20.0, -5.0, -500.0, -999.0, -9999.0)),
            *map(_add, (-100.0, -1e3, -10.0, -50.0, -30.0, -20.0, -500.0, -5e3)),
            lambda s, m, soft: soft(np.where(m, s, np.min(s))),
            lambda s, m, soft: soft(np.where(m, s, np.min(s, axis=-1, keepdims=True))),
            *map(_add, (-2e4, -5.0, -1.5e4, -2e3, -200.0)),
            *map(_fill, (-1.0, -2e3)),
        ),
    ),
    Wrong(
        "mask-with-epsilon",
        "Your mask counts a masked key as a small number, not as 0.",
        does="A masked key keeps some weight, and much of it where its score is far above the others.",
        why=EXACTLY,
        look="Which number stands where your mask is False, and what is its logarithm?",
        ways=tuple(_with_epsilon(epsilon) for epsilon in EPSILONS),
        rare=1,
    ),
    Wrong(
        "mask-hides-everything",
        "Your function hides every key as soon as it gets a mask.",
        does="All scores become the same low number, so the weights of a row are all the same.",
        why=MASK_MEANS,
        look=CONDITION,
        ways=(lambda s, m, soft: soft(np.full(s.shape, LOW)),),
        rare=2,  # after what comes to the same and is more usual
    ),
    also(
        replace(NO_MAXIMUM, rare=1),
        lambda s, m, soft: _renormalised(np.exp(s) * m),
        lambda s, m, soft: _renormalised(np.where(m, np.exp(s), 0.0)),
    ),
    Wrong(
        "mask-with-tiny-positive",
        "Your masked scores get a number near 0, not a very low one.",
        does="A score of 0 is a middling match, so masked keys get as much weight as others.",
        why=EXACTLY,
        look="Is that number large and negative, or small? What is its exponential?",
        ways=(
            _fill(0.0),
            _fill(1e-9),
            _fill(np.finfo(float).tiny),
            _fill(-1e-9),
            lambda s, m, soft: soft(s * m),
            _fill(1e-4),
        ),
    ),
    Wrong(
        "mask-with-high-number",
        "Your masked scores get a very high number, not a very low one.",
        does="All the weight goes to the masked keys.",
        why=EXACTLY,
        look="What is the sign of the number that stands for masked scores?",
        ways=(_fill(1e9), _add(1e9), _fill(1e4)),
    ),
    also(INDEXES, lambda s, m, soft: soft(np.where(_indexed(m, s), s, -1e9))),
    Wrong(
        "mask-with-nan",
        "Your masked scores become nan, or +inf.",
        does="One nan makes the whole row nan, and so does one +inf, since inf - inf is nan.",
        why=EXACTLY,
        look=BEFORE,
        ways=(_fill(np.nan), _fill(np.inf)),
    ),
    also(
        ZERO_MASKED,
        lambda s, m, soft: soft(np.where(s * m == 0, -np.inf, s)),
        lambda s, m, soft: soft(np.where(s * m == 0, -1e9, s)),
    ),
    Wrong(
        "mask-added-as-it-is",
        "Your boolean mask is added to the scores, or taken from them, as if it held numbers.",
        does="Masked scores move by 1 against the others, and keep most of their weight.",
        why="An additive mask has 0 where the query may attend and a very low number elsewhere, not True and False.",
        look="What is True as a number?",
        ways=(
            lambda s, m, soft: soft(s + m),
            lambda s, m, soft: soft(s - m),
            lambda s, m, soft: soft(s - (1 - m)),
            lambda s, m, soft: soft(s - ~m),
        ),
    ),
    Wrong(
        "mask-after-softmax",
        "Your mask comes after the softmax, and the rows no longer sum to 1.",
        does="Masked weights are set to 0, or to some low number, and the others stay too small.",
        why=EXACTLY,
        look="What do the rows of your weights sum to when something is masked?",
        ways=(_after, lambda s, m, soft: np.where(m, soft(s), -np.inf), lambda s, m, soft: np.where(m, soft(s), -1e9)),
    ),
    Wrong(
        "mask-after-softmax-renormalised",
        "Your mask comes after the softmax, and the rows are brought to sum 1 again.",
        does="That is right until a masked score is far above the others: then nothing is left to bring to 1.",
        why="A masked score must not take part in the maximum, or the others underflow.",
        look=BEFORE,
        ways=(
            lambda s, m, soft: _renormalised(_after(s, m, soft)),
            lambda s, m, soft: (soft(s) * m) / (np.sum(soft(s) * m, axis=-1, keepdims=True) + 1e-9),
            lambda s, m, soft: (soft(s) * m) / (np.sum(soft(s) * m, axis=-1, keepdims=True) + 1e-12),
            lambda s, m, soft: (soft(s) * m) / np.maximum(np.sum(soft(s) * m, axis=-1, keepdims=True), 1e-12),
            lambda s, m, soft: (soft(s) * m) / (np.sum(soft(s) * m, axis=-1, keepdims=True) + 1e-8),
            lambda s, m, soft: np.nan_to_num(_renormalised(_after(s, m, soft))),
        ),
    ),
    also(TWICE, lambda s, m, soft: soft(np.where(m, soft(s), -np.inf))),
    Wrong(
        "mask-zeroes-with-softmax-again",
        "Your weights are set to 0 where masked, and go through softmax again.",
        does="That gives a 0 some weight again, since exp(0) is 1.",
        why=EXACTLY,
        look=BEFORE,
        ways=(lambda s, m, soft: soft(np.where(m, soft(s), 0.0)),),
    ),
    Wrong(
        "mask-makes-all-nan",
        "Your weights are all nan as soon as there is a mask.",
        does="Every row then holds nothing but -inf, or a nan such as 0 * -inf, and softmax has no weights for it.",
        why="Where the mask is True the score has to stay as it was.",
        look="Print the scores after your mask. " + CONDITION,
        ways=(
            lambda s, m, soft: soft(s + (1 - m) * -np.inf),
            lambda s, m, soft: soft(s + m * -np.inf),
            lambda s, m, soft: soft(np.full(s.shape, -np.inf)),
        ),
    ),
    Wrong(
        "mask-times-large",
        "Your mask multiplies the scores by a large number, or by infinity.",
        does="Masked scores of one sign get very low, and those of the other very high.",
        why=EXACTLY,
        look="What becomes of a masked score that is positive, and of one that is negative?",
        ways=(
            lambda s, m, soft: soft(np.where(m, s, s * -1e9)),
            lambda s, m, soft: soft(np.where(m, s, s * 1e9)),
            lambda s, m, soft: soft(s * np.where(m, 1.0, -np.inf)),
        ),
    ),
    Wrong(
        "causal-instead-of-mask",
        "Your function puts a causal mask on, whatever the mask says.",
        does="Each query sees at most the keys up to its own place, or those after it.",
        why="Which keys a query may see stands in the mask; causal is one of many.",
        look="What does np.tril or np.triu do in your function?",
        ways=(
            lambda s, m, soft: soft(np.where(_causal(s), s, -np.inf)),
            lambda s, m, soft: soft(np.where(_causal(s) & m, s, -np.inf)),
            lambda s, m, soft: soft(np.where(_causal(s), -np.inf, s)),
            lambda s, m, soft: soft(np.where(np.tril(np.broadcast_to(m, s.shape)), s, -np.inf)),
            *(
                lambda s, m, soft, rest=rest: _causal_as_well(s, m, soft, rest)
                for rest in (lambda s: LOW, lambda s: s + LOW, _first_key_at_zero)
            ),
            lambda s, m, soft: np.nan_to_num(soft(np.where(_causal(s) & m, s, -np.inf))),
        ),
    ),
    Wrong(
        "values-masked-only",
        "Your mask drops the masked values but leaves their weights.",
        does="The weights returned are those without a mask.",
        why=EXACTLY,
        look="Which array do you apply the mask to?",
        ways=(
            lambda s, m, soft: (_renormalised(soft(s) * m), soft(s)),
            lambda s, m, soft: (soft(s) * m, soft(s)),
            lambda s, m, soft: (soft(s) * _seen_by_any(m, s), soft(s)),
        ),
    ),
    Wrong(
        "masked-keys-removed",
        "Your weights have no columns for masked keys.",
        does="Keys that may not be attended to are taken out, and the weights have fewer columns than there are keys.",
        why="The weights have a column for every key; a masked one holds 0.",
        look="Where is the mask an index into k and v?",
        ways=(lambda s, m, soft: _without_masked(s, m, soft, m.ndim == 1 and not m.all()),),
    ),
    also(
        EMPTY_ROW,
        *(
            lambda s, m, soft, seen=seen: soft(np.where(m, s, LOW if isinstance(m, _LowMask) else -np.inf)) * seen(m)
            for seen in (lambda m: m[..., :1], lambda m: m[..., -1:], lambda m: m.all(axis=-1, keepdims=True))
        ),
    ),
    Wrong(
        "weights-before-mask",
        "Your output is right, but the weights you return are those before the mask.",
        does="The weights were computed twice, with and without the mask, and the wrong ones are returned.",
        why="The weights returned are the ones that the output was made with.",
        look="Which variable do you return as the weights, and was it masked?",
        ways=(lambda s, m, soft: (soft(np.where(m, s, -np.inf)), soft(s)),),
    ),
    Wrong(
        "output-before-mask",
        "Your weights are masked, but your output is made with those before the mask.",
        does="What is hidden has weight 0 in the weights you return, and is in the output all the same.",
        why="The output is the average of the values by the very weights that are returned.",
        look="Which comes first in your function, the line that makes the output or the one that puts the mask on?",
        ways=(
            lambda s, m, soft: (soft(s), soft(np.where(m, s, -np.inf))),
            lambda s, m, soft: (soft(s), soft(s) * m),
            lambda s, m, soft: (soft(s), _renormalised(soft(s) * m)),
        ),
        rare=1,
    ),
    Wrong(
        "masked-keys-zeroed",
        "Your masked keys become rows of zeros, which softmax still gives weight.",
        does="A key of zeros has a score of 0, and that is a middling match.",
        why=EXACTLY,
        look="What is the score of a key of zeros, and what is its exponential?",
        ways=(
            _zeroed(lambda m, s: m),
            _zeroed(_seen_by_any),
            _zeroed(_seen_by_all),
            _zeroed(_seen_by_any, keys_alone=True),
            _zeroed(_seen_by_all, keys_alone=True),
            lambda s, m, soft: (masked if m.ndim > 1 else _zeroed(lambda m, s: m))(s, m, soft),
            lambda s, m, soft: (masked if m.shape[-2:-1] > (1,) else _zeroed(lambda m, s: m))(s, m, soft),
        ),
        rare=1,
    ),
)


def _shape_rule(name, title, does, look, *ways, low=(), why=BROADCAST):
    return Wrong(name, title, does=does, why=why, look=look, ways=(*ways, *map(_low, low)))


def _unless(test):
    """The mask only where a test of it and the scores holds; else none."""
    return lambda m, s: m if test(m, s) else None


def _refused(test):
    return lambda m, s: m if test(m, s) else _fail()


def _true_for_all(m, s):
    return np.broadcast_to(m, s.shape)


def _over_flat_batch(again):
    """Leading axes made one, and the mask's own repeated as often as that one needs, in the order of some function."""

    def way(m, s):
        flat = np.broadcast_to(m, (*m.shape[:-2], *s.shape[-2:])).reshape(-1, *s.shape[-2:])
        count, left = divmod(math.prod(s.shape[:-2]), len(flat))
        if left:
            _fail()
        times = np.arange(len(flat))
        return flat[again(times, count)].reshape(s.shape)

    return way


def _first_chunk(axis, size):
    """The first rows of the mask, or its first columns, again and again."""
    return lambda m, s: np.take(_true_for_all(m, s), np.arange(s.shape[axis]) % size, axis=axis)


MASK_SHAPE = Decision(
    "how the mask is laid over the scores",
    lambda m, s: m,
    _shape_rule(
        "mask-transposed",
        "Your mask is transposed.",
        "Rows stand for keys and columns for queries, which fits only for as many queries as keys.",
        "Which axis of the mask lies along the queries?",
        lambda m, s: np.swapaxes(m, -1, -2),
        lambda m, s: m.T,
        lambda m, s: np.swapaxes(m, -1, -2) if m.ndim > 1 else m,
        lambda m, s: np.swapaxes(_true_for_all(m, s), -1, -2),
        lambda m, s: np.swapaxes(_true_for_all(m, s), -1, -2) if s.shape[-1] == s.shape[-2] else m,
        lambda m, s: np.swapaxes(m, -1, -2) if m.ndim > 1 and m.shape[-1] == m.shape[-2] else m,
        low=(
            lambda m, s: np.swapaxes(m, -1, -2),
            lambda m, s: m.T,
            lambda m, s: np.swapaxes(m, -1, -2) if m.ndim > 1 else m,
            lambda m, s: np.swapaxes(m, -1, -2) if m.ndim > 1 and m.shape[-1] == m.shape[-2] else m,
        ),
        why="The mask lies over the scores as it is: a row for each query, a column for each key.",
    ),
    _shape_rule(
        "mask-of-one-axis-ignored",
        "Your function ignores a mask that has only one axis.",
        "A mask over the keys, of shape (n_k,), has no effect.",
        TRY_MASKS,
        _unless(lambda m, s: m.ndim > 1),
        _unless(lambda m, s: m.ndim == 2),
        _unless(lambda m, s: m.ndim == s.ndim),
        _unless(lambda m, s: m.shape == s.shape),
        _unless(lambda m, s: m.shape[-2:] == s.shape[-2:]),
    ),
    _shape_rule(
        "mask-of-same-shape-only",
        "Your function takes only a mask of the very shape of the scores.",
        "A mask that has to be broadcast ends in an exception.",
        TRY_MASKS,
        _refused(lambda m, s: m.shape == s.shape),
        _refused(lambda m, s: m.ndim == s.ndim and m.shape[-2:] == s.shape[-2:]),
        _refused(lambda m, s: m.ndim == s.ndim),
        _refused(lambda m, s: m.shape[-2:] == s.shape[-2:]),
        _refused(lambda m, s: m.shape == s.shape[: m.ndim]),
        _refused(
            lambda m, s: m.ndim == s.ndim and all(one in (1, two) for one, two in zip(m.shape, s.shape, strict=True))
        ),
    ),
    _shape_rule(
        "mask-without-batch-only",
        "Your function takes only a mask without leading axes.",
        "A mask of its own for each member of a batch ends in an exception, or is mixed up.",
        TRY_MASKS,
        lambda m, s: np.broadcast_to(m, s.shape[-2:]),
        _refused(lambda m, s: m.ndim == 2),
        _refused(lambda m, s: m.shape == s.shape[-2:]),
        _refused(lambda m, s: m.ndim <= 2),
    ),
    _shape_rule(
        "mask-over-queries",
        "Your mask with one axis is taken for a mask of queries.",
        "mask[:, None] puts it along the queries, though it belongs to the keys.",
        "Which axis of the scores does a mask of shape (n_k,) lie along?",
        lambda m, s: m[:, None] if m.ndim == 1 else m,
        lambda m, s: m[..., None] if m.ndim < s.ndim else m,
        lambda m, s: m[:, None] if m.ndim == 1 and len(m) == s.shape[-2] else m,
        low=(
            lambda m, s: m[:, None] if m.ndim == 1 else m,
            lambda m, s: m[..., None] if m.ndim < s.ndim else m,
            lambda m, s: m[:, None] if m.ndim == 1 and len(m) == s.shape[-2] else m,
        ),
    ),
    _shape_rule(
        "mask-with-leading-axes-ignored",
        "Your function ignores a mask that has leading axes.",
        "A mask of its own for each member of a batch has no effect.",
        TRY_MASKS,
        _unless(lambda m, s: m.ndim <= 2),
        _unless(lambda m, s: m.ndim <= 2 or m.shape == s.shape),
    ),
    _shape_rule(
        "mask-taken-for-square",
        "Your mask is reshaped as if there were as many keys as queries.",
        "With more keys than queries, or fewer, it ends in an exception.",
        "Which two sizes does your reshape give to the last two axes of the mask?",
        _refused(lambda m, s: s.size % s.shape[-2] ** 2 == 0),
        _refused(lambda m, s: s.size % s.shape[-1] ** 2 == 0),
        _refused(lambda m, s: s.shape[-1] == s.shape[-2]),
        why="How many keys there are has nothing to do with how many queries there are.",
    ),
    _shape_rule(
        "mask-of-first-for-all",
        "Your function uses the mask of the first member for all of the batch.",
        "The masks of the other members are never looked at.",
        "Where do you index the mask with 0?",
        lambda m, s: m[:1] if m.ndim > 2 else m,
        lambda m, s: m[0] if m.ndim > 2 else m,
        lambda m, s: m[(0,) * (m.ndim - 2)] if m.ndim > 2 else m,
        why=OF_EACH_MEMBER,
    ),
    _shape_rule(
        "mask-on-first-only",
        "Your mask is applied to the first member of the batch only.",
        "The others attend to everything.",
        "Where do you index the scores with 0?",
        lambda m, s: m if s.ndim < 3 else _first_only(m, s),
        why="A mask counts for every member of the batch: they share it, or each has one of its own.",
    ),
    _shape_rule(
        "first-row-of-mask-for-all",
        "Your function uses the first row of the mask for all queries.",
        "All queries are kept from the same keys.",
        "Where do you index the mask with 0?",
        lambda m, s: m[..., :1, :] if m.ndim > 1 else m,
        lambda m, s: m[0] if m.ndim > 1 else m,
        why="Each row of the mask says which keys one query may attend to.",
    ),
    _shape_rule(
        "mask-axis-too-many",
        "Your mask gets an axis that it should not have.",
        "np.newaxis or np.expand_dims is put in though there are no heads here: the batch is paired with itself.",
        TRY_MASKS,
        lambda m, s: np.expand_dims(m, -3) if m.ndim > 2 else m,
        lambda m, s: m[:, None] if m.ndim > 2 else m,
        lambda m, s: m[None] if m.ndim > 1 else m,
        lambda m, s: np.expand_dims(m, 1) if m.ndim > 1 else m,
        lambda m, s: np.expand_dims(m, -3) if m.ndim > 1 else m,
        lambda m, s: m[None],
        lambda m, s: m[..., None, :],
        lambda m, s: m[..., None, :] if m.ndim > 1 else m,
        lambda m, s: m[:, None, None, :],
        lambda m, s: m[..., None],
        lambda m, s: m[None, None],
        lambda m, s: m[:, None] if m.ndim == 3 else m,
        lambda m, s: m[:, None] if m.ndim == 2 else m,
        lambda m, s: m[:, None, None, :] if m.ndim == 2 else m,
    ),
    Wrong(
        "mask-truth-value",
        "Your function asks whether the mask is true as a whole.",
        does="`if mask:`, `not mask` or `mask == None` ask an array for one truth value, which it does not have.",
        why="Only whether there is a mask at all has to be asked, and that is no question about its entries.",
        look="How do you find out whether a mask was given?",
        ways=(lambda m, s: m if bool(m) else None,),
    ),
    Wrong(
        "mask-left-out-if-not-needed",
        "Your function leaves the mask out unless it looks needed.",
        does="A look at a part of the mask decides for all of it.",
        why="Every row of the mask counts for its own query.",
        look="Which rows of the mask does your test look at?",
        ways=(
            _unless(lambda m, s: not m[0].all() if m.ndim > 1 else not m.all()),
            _unless(lambda m, s: (~_true_for_all(m, s)).any(axis=-1).all()),
            _unless(lambda m, s: not np.atleast_2d(m)[0].all()),
        ),
    ),
    also(EMPTY_ROW, lambda m, s: m | ~m[..., :1], lambda m, s: m | ~m[..., -1:]),
    _shape_rule(
        "diagonal-masked",
        "Your function keeps each query from the key at its own place.",
        "The diagonal is masked as well.",
        "What does np.eye do in your function?",
        lambda m, s: m & _own_place(s),
        low=(lambda m, s: m & _own_place(s),),
        why="A query may attend to the key at its own place like to any other, if the mask says so.",
    ),
    _shape_rule(
        "mask-repeated-wrongly",
        "Your mask is repeated or reshaped, not broadcast.",
        "Its rows end up at other queries or other members of the batch.",
        TRY_MASKS,
        lambda m, s: np.resize(m, s.shape),
        _over_flat_batch(np.tile),
        _over_flat_batch(np.repeat),
    ),
    _shape_rule(
        "first-mask-chunk-for-all",
        "Your function works in chunks, and each chunk gets the part of the mask that belongs to the first.",
        "From the second chunk on, the mask of other queries, or of other keys, decides.",
        "Which slice of the mask do you take in the loop, and which slice of the queries or keys?",
        *(_first_chunk(-2, size) for size in (2, 4, 3)),
        *(_first_chunk(-1, size) for size in (2, 4, 3)),
        low=tuple(_first_chunk(-1, size) for size in (2, 4, 3)),  # rows may be empty
    ),
    _shape_rule(
        "mask-left-out-for-some-shapes",
        "Your function uses the mask for some shapes of q and k only.",
        "With others, such as a single query or a batch, masked keys get weight.",
        "Which calls with a mask get past the line that puts it on?",
        _unless(lambda m, s: s.shape[-2] > 1),
        _unless(lambda m, s: s.ndim == 2),
        _unless(lambda m, s: s.ndim > 2),
        _unless(lambda m, s: s.ndim == 3),
        _unless(lambda m, s: s.shape[-2] == s.shape[-1]),
        _unless(lambda m, s: s.ndim <= 3),
        why=MASK_MEANS + " That holds whatever the shapes are.",
    ),
    also(INDEXES, _indexed),
)


def _own_place(s):
    """Everything but the diagonal."""
    return np.eye(*s.shape[-2:]) == 0


def _but_own_place(test):
    """The mask without the diagonal, if a test of it and the scores holds."""

    def way(pick, mask, s):
        if not test(mask, s):
            return mask
        return _own_place(s) if mask is None else mask & _own_place(s)

    return way


def _low_without(way):
    """The same with a very low number in the place of masked scores."""

    def low(pick, mask, s):
        laid = way(pick, mask, s)
        return laid if laid is mask else as_low(laid)

    return low


def _first_only(m, s):
    whole = np.ones(s.shape, dtype=bool)
    whole[0] = np.broadcast_to(m, s.shape)[0]
    return whole


def _mask_kept(key):
    def way(pick, mask, s):
        if mask is not None:
            pick.memory["mask", key(s)] = mask
        return pick.memory.get(("mask", key(s)))

    return way


def _first_mask_kept(key):
    def way(pick, mask, s):
        if mask is not None:
            pick.memory.setdefault(("mask", key(s)), mask)
        return pick.memory.get(("mask", key(s)))

    return way


WITHOUT_MASK = Decision(
    "what happens when no mask is given",
    lambda pick, mask, s: mask,
    Wrong(
        "always-causal",
        "Your function is causal even without a mask.",
        does="Each query sees the keys up to its own place, counted from the start or from the end, and no others.",
        why="Without a mask every query may attend to every key.",
        look="What does np.tril or np.triu do in your function?",
        ways=(
            lambda pick, mask, s: _causal(s) if mask is None else mask & _causal(s),
            lambda pick, mask, s: _causal(s) if mask is None else mask,
            lambda pick, mask, s: _causal(s, s.shape[-1] - s.shape[-2]) if mask is None else mask,
            lambda pick, mask, s: _causal(s),
            lambda pick, mask, s: _causal(s) if mask is None and s.shape[-2] > 1 else mask,
            lambda pick, mask, s: _causal(s) if mask is None and s.shape[-2] == s.shape[-1] else mask,
            lambda pick, mask, s: _causal(s) if mask is None else (mask & _causal(s)).view(_LowMask),
            lambda pick, mask, s: (
                _causal(s, s.shape[-1] - s.shape[-2]).view(_LowMask) if mask is None else mask  # rows may be empty
            ),
            lambda pick, mask, s: _causal_to_the_end(s) if mask is None else mask & _causal_to_the_end(s),
            lambda pick, mask, s: _low_beyond(_causal_to_the_end(s), mask),
            lambda pick, mask, s: _low_beyond(_causal(s), mask),
        ),
    ),
    Wrong(
        "own-key-left-out",
        "Your function keeps each query from the key at its own place, even without a mask.",
        does="The diagonal of the weights is 0.",
        why="Without a mask every query may attend to every key.",
        look="What does np.eye or np.fill_diagonal do in your function?",
        ways=(
            _but_own_place(lambda mask, s: True),
            _low_without(_but_own_place(lambda mask, s: True)),
            _but_own_place(lambda mask, s: mask is None),
            _low_without(_but_own_place(lambda mask, s: mask is None)),
            _but_own_place(lambda mask, s: s.shape[-1] == s.shape[-2]),
            _low_without(_but_own_place(lambda mask, s: s.shape[-1] == s.shape[-2])),
            _but_own_place(lambda mask, s: s.shape[-1] > 1),
        ),
    ),
    Wrong(
        "mask-kept-between-calls",
        "Your function remembers a mask from an earlier call.",
        does="A call without a mask is answered as if the old mask still held.",
        why="A mask counts for the call it was given to, and for no later one.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            _mask_kept(lambda s: None),
            _mask_kept(lambda s: s.shape),
            lambda pick, mask, s: pick.keep(("mask", s.shape), lambda: mask),
            lambda pick, mask, s: pick.keep("mask", lambda: mask) if mask is not None else None,
            lambda pick, mask, s: pick.keep(("mask", mask.shape), lambda: mask) if mask is not None else None,
            _first_mask_kept(lambda s: s.shape),
            _first_mask_kept(lambda s: None),
        ),
    ),
)


def _hard(w):
    return (w == np.max(w, axis=-1, keepdims=True)).astype(float)


def _scaled_weights(power):
    """Scales after the softmax, in place of before it."""
    return lambda w, q: w / q.shape[-1] ** power


RATES = 0.1, 0.5, 0.2, 0.3
DROPOUT = Wrong(
    "dropout-scale-left-in",
    "Your weights still carry the scale of a dropout.",
    does="Nothing is dropped, yet all are divided by 1 - p, or multiplied by it, and no row counts for 1.",
    why="That factor makes up for what dropout takes away in training; here nothing is taken away.",
    look="What do the rows of your weights sum to before they meet the values, and where does that number come from?",
    ways=(),
    rare=2,
)
WEIGHTS = Decision(
    "what is done with the weights",
    lambda w, q: w,
    also(ROUNDED, *(lambda w, q, digits=digits: np.round(w, digits) for digits in (4, 3, 6, 2, 5, 7, 1))),
    Wrong(
        "weights-scaled",
        "Your weights are scaled after the softmax.",
        does="The rows no longer sum to 1.",
        why="Scaling belongs to the scores; after the softmax it only spoils the shares.",
        look="What do the rows of your weights sum to?",
        ways=(_scaled_weights(0.5), _scaled_weights(1), _scaled_weights(-0.5)),
    ),
    also(DROPOUT, *(lambda w, q, p=p: w / (1 - p) for p in RATES), lambda w, q: w * 0.9),
    Wrong(
        "best-key-takes-all",
        "Your function takes the best key only.",
        does="Its weight is 1 and all others are 0.",
        why="Attention is a soft look-up: every key counts by how well it matches.",
        look="What does np.argmax do in your function?",
        ways=(lambda w, q: _hard(w),),
    ),
    also(TWICE, lambda w, q: _plain_softmax(w)),
    Wrong(
        "weights-in-float32",
        "Your weights are computed in float32.",
        does="float64 input loses half of its digits.",
        why="The result has to be as precise as the input.",
        look="Where does astype or dtype= fix the type?",
        ways=(lambda w, q: w.astype(np.float32), lambda w, q: w.astype(np.float32).astype(np.float64)),
        grid=np.float32,
    ),
    Wrong(
        "weights-as-integers-in-attention",
        "Your weights are put into an array of the input's type.",
        does="Integer input makes integers of the weights, and nearly all of them 0.",
        why="Weights are fractions, whatever the input is.",
        look="What type does np.zeros_like(...) or astype(q.dtype) have for integer q?",
        ways=(lambda w, q: w.astype(q.dtype),),
    ),
    also(
        FIRST_FOR_ALL,
        lambda w, q: _first_weights(w),
        lambda w, q: np.broadcast_to(w[:1], w.shape) if w.ndim > 2 else w,
    ),
    also(LOOP_OF_KEYS, lambda w, q: _first_rows(w, w.shape[-1])),
    Wrong(
        "last-queries-left-out",
        "Your tiles leave out the queries that do not fill a whole one.",
        does="The number of tiles is rounded down, so the last of very many queries get rows of zeros.",
        why="Every query gets a row of weights and one of the output; the last tile may be a smaller one.",
        look="How many tiles does your loop make of one query more than a tile holds?",
        ways=(lambda w, q: _first_rows(w, whole_blocks(w.shape[-2])),),
        rare=3,
    ),
)


def _first_rows(whole, count):
    """The first rows, as many as there are keys; the others stay 0."""
    if count > whole.shape[-2]:
        _fail()
    kept = np.array(whole)
    kept[..., count:, :] = 0
    return kept


def _plain_softmax(w):
    e = np.exp(w - np.max(w, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def _first_weights(w):
    return np.broadcast_to(w[(0,) * (w.ndim - 2)], w.shape)


OUTPUT = Decision(
    "how weights and values make the output",
    lambda w, q, k, v: w @ v,
    Wrong(
        "attention-weights-transposed",
        "Your weights are transposed when they meet the values.",
        does="Each value is handed out by the weights of another query.",
        why="Row i of the output is the sum over j of weight (i, j) times value j.",
        look="Which axis of the weights has to meet the rows of v?",
        ways=(
            lambda w, q, k, v: np.swapaxes(w, -1, -2) @ v,
            lambda w, q, k, v: np.einsum("...ji,...jd->...id", w, v),
            lambda w, q, k, v: w.T @ v,
            lambda w, q, k, v: np.swapaxes(w, -1, -2) @ v if w.shape[-1] == w.shape[-2] else w @ v,
        ),
    ),
    Wrong(
        "keys-for-values",
        "Your output averages the keys, not the values.",
        does="v is never used.",
        why="Keys are what a token is found by; what it hands over are its values.",
        look="Which argument does your function never use?",
        ways=(lambda w, q, k, v: w @ k,),
    ),
    Wrong(
        "queries-for-values",
        "Your output averages the queries, not the values.",
        does="v is never used.",
        why="What a token hands over when it is found are its values.",
        look="Which argument does your function never use?",
        ways=(lambda w, q, k, v: w @ q,),
    ),
    Wrong(
        "values-element-by-element",
        "Your weights and values are multiplied entry by entry.",
        does="* needs shapes that broadcast, and sums nothing.",
        why="The output is a sum over all keys.",
        look="Which operator is the product of matrices?",
        ways=(lambda w, q, k, v: w * v,),
    ),
    Wrong(
        "values-from-the-left",
        "Your values stand on the wrong side of the weights, or are transposed.",
        does="The product fits only for special sizes, and then adds up the wrong numbers.",
        why="Row i of the output is the sum over j of weight (i, j) times value j.",
        look="Write the shapes of weights and v side by side: which axes have to meet?",
        ways=(
            lambda w, q, k, v: v @ w,
            lambda w, q, k, v: np.swapaxes(v, -1, -2) @ w,
            lambda w, q, k, v: w @ np.swapaxes(v, -1, -2),
        ),
    ),
    Wrong(
        "output-transposed",
        "Your output is transposed.",
        does="It has features for rows and queries for columns.",
        why="The output has a row for each query.",
        look="Which axis of the output counts the queries?",
        ways=(lambda w, q, k, v: np.swapaxes(w @ v, -1, -2),),
    ),
    also(DOT_PAIRS, lambda w, q, k, v: np.dot(w, v)),
    Wrong(
        "best-value-only",
        "Your output is the value of the best key only.",
        does="The weights are right, but only the largest is used.",
        why="The output is the average of all values.",
        look="What does np.argmax do in your function?",
        ways=(lambda w, q, k, v: _hard(w) @ v,),
    ),
    Wrong(
        "output-divided",
        "Your output is divided or multiplied by something at the end.",
        does="A mean over the keys, or another factor, makes it too small or too large.",
        why="The weights sum to 1 already, so their product with the values is the average.",
        look="Which division or factor comes after the softmax?",
        ways=(
            lambda w, q, k, v: w @ v / w.shape[-1],
            lambda w, q, k, v: w @ v / np.sqrt(q.shape[-1]),
            lambda w, q, k, v: w @ v / np.sqrt(v.shape[-1]),
            lambda w, q, k, v: w @ v * np.sqrt(q.shape[-1]),
            lambda w, q, k, v: w @ v / q.shape[-1] ** 0.25,
            lambda w, q, k, v: w @ v / q.shape[-1],
            lambda w, q, k, v: w @ v / v.shape[-1],
        ),
    ),
    Wrong(
        "output-summed",
        "Your output is summed over an axis too many.",
        does="The queries, or the batch, are added up.",
        why="The output has a row for each query.",
        look="What shape does your output have, and what shape should it have?",
        ways=(
            lambda w, q, k, v: (w @ v).sum(axis=-2),
            lambda w, q, k, v: (w @ v).mean(axis=-2),
            lambda w, q, k, v: (w @ v).sum(axis=0),
        ),
    ),
    Wrong(
        "queries-added-to-output",
        "Your output has the queries, or the values, added to it.",
        does="A residual connection is put in where none belongs.",
        why="Adding the input belongs to the block around attention.",
        look="What is added after the last product?",
        ways=(
            lambda w, q, k, v: w @ v + q,
            lambda w, q, k, v: w @ v + q if (w @ v).shape == q.shape else w @ v,
            lambda w, q, k, v: w @ v + v,
            lambda w, q, k, v: w @ v + v if (w @ v).shape == v.shape else w @ v,
        ),
    ),
    Wrong(
        "output-as-integers",
        "Your output is put into an array of the values' type.",
        does="With integer values the fractions are lost.",
        why="An average of integers is a fraction.",
        look="What type does np.zeros_like(v) or dtype=v.dtype have for integer v?",
        ways=(
            lambda w, q, k, v: (w @ v).astype(v.dtype),
            lambda w, q, k, v: (w @ v).astype(q.dtype),
        ),
    ),
    also(FIRST_FOR_ALL, lambda w, q, k, v: _first_weights(w) @ v),
    Wrong(
        "output-shaped-like-queries",
        "Your output is put into an array with the shape of the queries.",
        does="It fits only where the values are as wide as the queries.",
        why="The output has a row for each query, and the width of the values.",
        look="Which sizes does the array have that your output is collected in?",
        ways=(
            lambda w, q, k, v: _into(np.zeros(q.shape), w @ v),
            lambda w, q, k, v: _into(np.zeros_like(q), w @ v),
            lambda w, q, k, v: _added_into(np.zeros_like(q), w @ v),
            lambda w, q, k, v: _into(np.zeros(q.shape), (w @ v)[..., : q.shape[-1]]),
        ),
    ),
    also(
        LOOP_OF_QUERIES,
        lambda w, q, k, v: w[..., : q.shape[-2]] @ v[..., : q.shape[-2], :] if q.shape[-2] <= v.shape[-2] else _fail(),
        lambda w, q, k, v: w[..., : q.shape[-2]] @ v[..., : q.shape[-2], :],
    ),
    also(
        KEY_LEFT_OUT,
        lambda w, q, k, v: w[..., :-1] @ v[..., :-1, :],
        lambda w, q, k, v: w[..., 1:] @ v[..., 1:, :],
    ),
    also(LOOP_OF_KEYS, lambda w, q, k, v: _first_rows(w @ v, w.shape[-1])),
    also(QUERY_LEFT_OUT, lambda w, q, k, v: _but_one(w @ v, -1), lambda w, q, k, v: _but_one(w @ v, 0)),
    also(
        NOT_RESET,
        lambda w, q, k, v: np.cumsum(w @ v, axis=-2),
        lambda w, q, k, v: np.cumsum(w @ v, axis=-1),
        lambda w, q, k, v: np.cumsum((w @ v).reshape(-1, v.shape[-1]), axis=0).reshape(*w.shape[:-1], v.shape[-1]),
        lambda w, q, k, v: _run_on(w @ v, 2),
    ),
    also(DROPOUT, *(lambda w, q, k, v, p=p: w @ v / (1 - p) for p in (0.1, 0.5, 0.2))),
)


def _into(array, output):
    array[...] = output
    return array


def _added_into(array, output):
    array += output
    return array


def _but_one(output, left_out):
    output[..., left_out, :] = 0
    return output


def _second(part):
    """Returns something else in place of the weights."""
    return lambda output, weights, seen: (output, part(weights, seen))


def _exponentials(weights, seen):
    """Without a maximum that is taken away first."""
    powers = np.exp(seen["scaled"])
    return powers if seen["mask"] is None else np.where(seen["mask"], powers, 0.0)


DIGITS = (4, 5, 3, 6, 2, 7, 1)
RESULT = Decision(
    "what is returned",
    lambda output, weights, seen: (output, weights),
    also(
        ROUNDED,
        *(lambda output, weights, seen, digits=digits: (np.round(output, digits), weights) for digits in DIGITS),
        *(lambda output, weights, seen, digits=digits: (output, np.round(weights, digits)) for digits in DIGITS),
    ),
    Wrong(
        "results-swapped",
        "Your results are in the wrong order.",
        does="The weights come first and the output second.",
        why="The caller takes them apart as output, weights.",
        look="What does the docstring say under Returns?",
        ways=(lambda output, weights, seen: (weights, output),),
    ),
    Wrong(
        "weights-not-returned",
        "Your function returns the output alone.",
        does="The weights are lost.",
        why="The caller takes two results apart, output and weights.",
        look="What does the docstring say under Returns?",
        ways=(lambda output, weights, seen: output,),
    ),
    Wrong(
        "output-not-returned",
        "Your function returns the weights alone.",
        does="The output is missing.",
        why="The caller takes two results apart, output and weights.",
        look="What does the docstring say under Returns?",
        ways=(lambda output, weights, seen: weights,),
    ),
    Wrong(
        "scores-returned-as-weights",
        "Your function returns the scores in place of the weights.",
        does="The second part does not sum to 1 along the keys.",
        why="Weights are what the softmax made of the scores.",
        look="Which variable do you return second, and from which line is it?",
        ways=(
            _second(lambda w, seen: seen["scaled"]),
            _second(lambda w, seen: seen["scores"]),
            _second(
                lambda w, seen: (
                    seen["scaled"] if seen["mask"] is None else np.where(seen["mask"], seen["scaled"], -np.inf)
                )
            ),
            _second(
                lambda w, seen: seen["scaled"] if seen["mask"] is None else np.where(seen["mask"], seen["scaled"], -1e9)
            ),
        ),
    ),
    Wrong(
        "exponentials-returned-as-weights",
        "Your function returns the exponentials, not their shares, as the weights.",
        does="The output is right, but a row of the weights does not sum to 1.",
        why="Weights are the exponentials divided by their sum.",
        look="Which variable do you return second, and was it divided by its sum?",
        ways=(_second(lambda w, seen: w / np.max(w, axis=-1, keepdims=True)), _second(_exponentials)),
    ),
    Wrong(
        "weights-returned-transposed",
        "Your weights come back transposed.",
        does="They have keys for rows and queries for columns.",
        why="Row i holds the weights of query i.",
        look="What does one row of the weights that you return sum to?",
        ways=(_second(lambda w, seen: np.swapaxes(w, -1, -2)), _second(lambda w, seen: w.T)),
    ),
    Wrong(
        "constant-added-to-output",
        "Your output has a constant added to it.",
        does="The sum over the keys starts from ones, or a bias is put in.",
        why="The output is the average of the values and nothing else.",
        look="Which numbers does the array hold that your sum starts from?",
        ways=(
            lambda output, weights, seen: (output + 1.0, weights),
            lambda output, weights, seen: (output + 0.1, weights),
        ),
    ),
    Wrong(
        "output-normalised",
        "Your output is normalised.",
        does="Each row is brought to mean 0 and spread 1.",
        why="Normalising belongs to the block around attention.",
        look="What is done after the last product?",
        ways=tuple(lambda output, weights, seen, norm=norm: (norm(output), weights) for norm in LAYER_NORMS[:6]),
    ),
    Wrong(
        "weights-averaged",
        "Your weights are averaged over an axis before they are returned, or cut down to its first entry.",
        does="An axis is missing.",
        why="The caller wants to see the weights as they were used.",
        look="What shape do the weights that you return have, and what shape should they have?",
        ways=(
            _second(lambda w, seen: w.mean(axis=0)),
            _second(lambda w, seen: w.mean(axis=-2)),
            _second(lambda w, seen: w[0]),
        ),
    ),
)

PARAMETERS = parameters("mask", position=3, default="None", shown="q, k, v, mask=None")
ORDER = Decision(
    "the order of the parameters",
    lambda q, k, v: (q, k, v),
    Wrong(
        "parameters-in-another-order",
        "Your parameters are in another order than (q, k, v).",
        does="Arguments that are passed by position end up under other names.",
        why="Callers pass them in the order of the stub.",
        look="Compare your def line with the one in the stub.",
        ways=(
            lambda q, k, v: (q, v, k),
            lambda q, k, v: (v, k, q),
            lambda q, k, v: (k, v, q),
            lambda q, k, v: (v, q, k),
        ),
    ),
)


def _float64(change):
    return lambda a: change(a) if a.dtype == np.float64 else None


def _float(change):
    return lambda a: change(a) if a.dtype.kind == "f" else None


def _root(a):
    a /= np.sqrt(a.shape[-1])


def _halve(a):
    np.multiply(a, 0.5, out=a, casting="unsafe")


def _halve_or_fail(a):
    np.multiply(a, 0.5, out=a)


def _flip(m):
    np.logical_not(m, out=m)


CHANGES = Decision(
    "whether the arguments are left alone",
    lambda given: given,
    changing("q", 0, _root, _float64(_root), _float(_root), _halve_or_fail, _float64(_halve), _float(_halve), _halve),
    changing("k", 1, _root, _float64(_root), _halve_or_fail, _float64(_halve), _float(_halve), _halve),
    changing("v", 2, _halve_or_fail, _float64(_halve), _float(_halve), _halve),
    changing("mask", 3, _flip),
)


def _unseen_zeroed(given):
    q, k, v, mask = given
    if mask is not None:
        nobody = ~np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2])).any(axis=-2)
        v[nobody] = 0
    return given


def _divided_in_place(size):
    """Divides the queries in place by the root of a size that is not theirs; the scale is a mistake of its own."""

    def way(given):
        q = given[0]
        if q.dtype.kind != "f":
            return given
        kept = [np.array(q), *given[1:]]
        q /= np.sqrt(size(*given[:3]))
        return kept

    return way


UNSEEN = Decision(
    "whether the arguments are left alone for what is in others",
    lambda given: given,
    also(CHANGES.wrong[2], _unseen_zeroed),
    also(CHANGES.wrong[0], _divided_in_place(lambda q, k, v: v.shape[-1]), _divided_in_place(lambda q, k, v: len(k))),
)


def _grown(pick, q, k, v):
    """Keys and values of all calls so far, of the same shapes."""
    earlier = pick.keep(("keys and values", k.shape, v.shape), list)
    earlier.append((k, v))
    return q, *(np.concatenate(parts, axis=-2) for parts in zip(*earlier, strict=True))


def _grown_of_any_shape(pick, q, k, v):
    earlier = pick.keep("keys and values", list)
    earlier.append((k, v))
    return q, *(np.concatenate(parts, axis=-2) for parts in zip(*earlier, strict=True))


def _as_many_as_queries(pick, q, k, v):
    """Keys and values as far as a loop to the number of queries comes."""
    count = q.shape[-2]
    return (q, k[..., :count, :], v[..., :count, :]) if count <= k.shape[-2] else _fail()


def _of_member(names, at):
    """The queries, keys or values of one member of the batch for all of them."""

    def way(pick, q, k, v):
        return [
            np.broadcast_to(one[at(one)], one.shape) if name in names and one.ndim > 2 else one
            for name, one in zip("qkv", (q, k, v), strict=True)
        ]

    return way


EARLIER = Decision(
    "which queries, keys and values are worked with",
    lambda pick, q, k, v: (q, k, v),
    Wrong(
        "keys-and-values-piled-up",
        "Your function adds the keys and values of each call to those of earlier ones.",
        does="From the second call on there are more keys than were passed.",
        why="A call may depend on its arguments alone; a cache is a later exercise.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(_grown, _grown_of_any_shape),
    ),
    also(LOOP_OF_QUERIES, _as_many_as_queries),
    Wrong(
        "one-member-for-all",
        "Your function uses the queries, keys or values of one member of the batch for all of them.",
        does="Every other member is worked out with numbers that are not its own.",
        why="Each member of a batch has queries, keys and values of its own.",
        look="Which of q, k and v do you index with a fixed number, or outside the loop over the batch?",
        ways=tuple(
            _of_member(names, at)
            for at in (
                lambda one: (0,) * (one.ndim - 2),
                lambda one: 0,
                lambda one: (-1,) * (one.ndim - 2),
                lambda one: -1,
            )
            for names in ("k", "v", "kv", "q")
        ),
        rare=1,
    ),
)


PRODUCT = Decision(
    "which product joins queries and keys, and weights and values",
    np.matmul,
    also(DOT_PAIRS, np.dot, lambda one, other: np.tensordot(one, other, axes=(-1, -2))),
)


def attend(pick, q, k, v, mask, axis=SOFTMAX_AXIS, most=None):
    """Attention itself: what multi-head attention needs of it, perhaps with the usual ways of each mistake only."""
    ways = usually(most)
    product = pick(PRODUCT)
    plain = product is PRODUCT.right
    scores = (lambda: pick(ways[SCORES])(q, k, v)) if plain else (lambda: product(q, _transposed(k)))
    seen = {}
    seen["scores"], wide = pick(ways[SCORES_KEPT])(pick, q, k, scores)
    scaled = pick(ways[SCALE])(seen["scores"], wide, k, v)
    scaled, finish = scaled if isinstance(scaled, tuple) else (scaled, lambda w: w)
    seen["scaled"] = scaled
    given = pick(ways[WITHOUT_MASK])(pick, mask, scaled)
    laid = pick(ways[MASK_SHAPE])(given, scaled) if given is not None else None
    seen["mask"] = laid

    def soft(s):
        return pick(axis)(pick, s, scaled)

    weights = soft(scaled) if laid is None else pick(ways[MASKING])(scaled, laid, soft)
    used, shown = weights if isinstance(weights, tuple) else (weights, None)
    used = finish(pick(ways[WEIGHTS])(used, q))
    output = pick(ways[OUTPUT])(used, q, k, v) if plain else product(used, v)
    return pick(ways[RESULT])(output, used if shown is None else shown, seen)


def scaled_dot_product_attention(pick, q, k, v, *mask_given, **mask_named):
    """Average the values, weighted by how well each key matches the query."""
    pick(PARAMETERS)(pick)
    mask = next(iter((*mask_given, *mask_named.values())), None)
    q, k, v = pick(ORDER)(q, k, v)

    def work():
        given = pick(PRECISION)(pick(UNSEEN)(pick(CHANGES)([q, k, v, mask])))
        queries, keys, values = pick(EARLIER)(pick, *given[:3])
        return pick(RETURNED)(attend(pick, queries, keys, values, given[3]))

    return pick(KEEPING)(pick, (q, k, v, mask), work)


def inputs(rng, *leading, n_q, n_k, d_k, d_v):
    """Queries, keys and values of order 1."""
    return (
        rng.normal(size=(*leading, n_q, d_k)),
        rng.normal(size=(*leading, n_k, d_k)),
        rng.normal(size=(*leading, n_k, d_v)),
    )


def some_mask(rng, *shape):
    """A mask in which every row has a True and, if it can, a False."""
    mask = rng.random(size=shape) < 0.5
    mask[..., 0] = True
    if shape[-1] > 1:
        mask[..., -1] = False
    return rng.permuted(mask, axis=-1)


def probes(rng, sizes):
    """The calls to compare on."""
    a, b, c, d = sizes
    name = "scaled_dot_product_attention"
    one = inputs(rng, n_q=a, n_k=b, d_k=c, d_v=d)
    yield ask(name, *one)
    yield ask(name, *inputs(rng, n_q=a, n_k=a, d_k=a, d_v=a))
    yield ask(name, *inputs(rng, n_q=b, n_k=c, d_k=d, d_v=a))
    yield ask(name, *one, mask=some_mask(rng, a, b))
    yield ask(name, *one, some_mask(rng, a, b))
    gap = np.ones((a, b), dtype=bool)
    gap[a - 1, 1] = False
    yield ask(name, *one, mask=gap)
    yield ask(name, *one, mask=some_mask(rng, b))
    yield ask(name, *one)
    yield ask(name, *inputs(rng, n_q=a, n_k=a, d_k=b, d_v=c), mask=some_mask(rng, a, a))
    yield ask(name, *inputs(rng, n_q=a, n_k=a, d_k=c, d_v=b), mask=some_mask(rng, a))
    yield ask(name, *inputs(rng, n_q=b, n_k=b, d_k=b, d_v=b), mask=np.tri(b, dtype=bool))
    yield ask(name, *one, mask=some_mask(rng, 1, b))
    alone = inputs(rng, n_q=1, n_k=b, d_k=c, d_v=1)
    yield ask(name, *alone)
    yield ask(name, *alone, mask=np.arange(b)[None] % 3 > 0)
    yield ask(name, *inputs(rng, n_q=a, n_k=1, d_k=1, d_v=c))
    batch = inputs(rng, c, n_q=a, n_k=b, d_k=d, d_v=a)
    yield ask(name, *batch)
    yield ask(name, *batch, mask=some_mask(rng, a, b))
    yield ask(name, *batch, mask=some_mask(rng, c, a, b))
    yield ask(name, *batch, mask=some_mask(rng, c, 1, b))
    yield ask(name, *batch, mask=some_mask(rng, b))
    two = inputs(rng, c, a, n_q=b, n_k=d, d_k=a, d_v=c)
    yield ask(name, *two)
    yield ask(name, *two, mask=some_mask(rng, c, a, b, d))
    yield ask(name, *two, mask=some_mask(rng, a, 1, d))
    yield ask(name, *two, mask=np.arange(d) % c != np.arange(c)[:, None, None, None])
    yield ask(name, *two, mask=some_mask(rng, b, d))
    yield ask(name, *inputs(rng, a, n_q=a, n_k=a, d_k=a, d_v=a), mask=some_mask(rng, a, a, a))
    yield ask(name, *inputs(rng, c, c, n_q=c, n_k=c, d_k=c, d_v=c))
    yield ask(name, *inputs(rng, n_q=a, n_k=b, d_k=c, d_v=d))
    q, k, v = inputs(rng, n_q=a, n_k=b, d_k=c, d_v=d)
    yield ask(name, one[0], k, one[2])
    yield ask(name, q, k, v)
    yield ask(name, 12 * q, 2 * k, v, mask=~np.eye(a, b, dtype=bool))
    q, k, v = inputs(rng, n_q=a, n_k=131, d_k=c, d_v=1)
    q[:, 0], k[:, 0] = np.linspace(-2.0, 2.0, a), np.linspace(-3.0, 3.0, 131)  # largest in the first tile, or the last
    yield ask(name, q, k, v)
    yield ask(name, *inputs(rng, n_q=131, n_k=a, d_k=1, d_v=c))
    yield edge(name, 7 * q, k, v)
    steep = 4 * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])  # beyond 10,000 whatever divides them
    low = np.array([[10_000.0, 2.0], [-10_000.0, 1.0], [-9_999.0, 3.0], [9_999.0, -10_000.0], [1.0, -9_999.5]])
    yield edge(name, steep, low, rng.normal(size=(5, d)), mask=np.array([False, True, True, False, True]))
    yield edge(name, steep, low, rng.normal(size=(5, d)), mask=np.eye(3, 5, k=1, dtype=bool))
    yield edge(name, 60 * q, 60 * k, v)
    yield edge(name, 100 * q, 90 * k, v)
    yield edge(name, *(100 * part for part in batch[:2]), batch[2], mask=some_mask(rng, c, a, b))
    levels = np.array([[10_000.0], [-10_000.0], [3.0]])
    yield edge(
        name,
        np.concatenate([rng.normal(size=(3, c)), levels], axis=1),
        np.concatenate([rng.normal(size=(b, c)), np.ones((b, 1))], axis=1),
        rng.normal(size=(b, a)),
    )
    # With all scores low, one maximum for all does no harm, but one that starts at 0 does.
    lower = np.full((a, 1), -10_000.0), np.ones((b, 1))
    yield edge(name, *(np.concatenate(parts, axis=1) for parts in zip(one[:2], lower, strict=True)), one[2])
    whole = [rng.integers(-1, 3, size=shape) for shape in ((a, c), (b, c), (b, d))]
    whole[0][:, 0] = whole[1][:, 0] = 1  # a row of zeros has no direction: whoever normalises guards against it or not
    yield edge(name, *whole)
    yield edge(name, *whole, mask=some_mask(rng, a, b))
    yield edge(name, *one[:2], whole[2])
    at_right_angles = np.array([[1.0, 1.0], [1.0, -1.0], [2.0, 1.0]]), np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 2.0]])
    yield edge(name, *at_right_angles, v[:3], mask=~np.eye(3, k=1, dtype=bool))
    yield edge(name, *(part.astype(np.float32) for part in one))
    yield edge(name, *(part.astype(np.float32) for part in batch), mask=some_mask(rng, a, b))
    yield edge(name, *inputs(rng, n_q=a, n_k=b, d_k=c, d_v=d))
    yield refilled(name, *(inputs(rng, n_q=a, n_k=b, d_k=c, d_v=d) for _ in range(3)))
    yield refilled(name, *((*one, some_mask(rng, a, b)) for _ in range(3)))
