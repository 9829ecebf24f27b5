"""The projections with their decision points open."""

from dataclasses import replace

import numpy as np

from grader.expect.habits import FLATTENED, KEEPING, PRECISION, RETURNED, changing
from grader.expect.mistakes import Decision, Refused, Wrong, also, ask, edge, refilled, usual

from .softmax import whole_blocks

OWN = "Queries, keys and values are three different views of a token, so each has a matrix of its own."
EQUAL = "With all sizes equal a mix-up no longer shows in the shapes; try it with three different matrices."
LINEAR = "A projection is one product with a matrix and nothing else."
LEADING = "x may have any number of axes in front of the tokens, and none."
PRODUCT_SHAPES = "Write the shapes of both factors side by side: which axes meet in the product?"


def _part(name, line, *others):
    """Which matrix makes one of the parts, given its own one and all three."""
    return Decision(
        f"which matrix makes the {name}",
        lambda own, w_q, w_k, w_v: own,
        *(
            Wrong(
                f"{name}-from-{other}-weights",
                f"Your {name} are made with {matrix}.",
                does=does,
                why=OWN,
                look=f"Which matrix stands in the line that makes {line}, and is it {line} that you go on with?",
                ways=ways,
            )
            for other, matrix, does, ways in others
        ),
    )


FOR_QUERIES = _part(
    "queries",
    "q",
    ("key", "w_k", "w_q is not used for them.", (lambda own, w_q, w_k, w_v: w_k,)),
    ("value", "w_v", "w_q is not used for them.", (lambda own, w_q, w_k, w_v: w_v,)),
)
FOR_KEYS = _part(
    "keys",
    "k",
    ("query", "w_q", "w_k is not used for them.", (lambda own, w_q, w_k, w_v: w_q,)),
    ("value", "w_v", "w_k is not used for them.", (lambda own, w_q, w_k, w_v: w_v,)),
)
FOR_VALUES = _part(
    "values",
    "v",
    (
        "key",
        "w_k",
        "w_v is not used for them.",
        (
            lambda own, w_q, w_k, w_v: w_k,
            lambda own, w_q, w_k, w_v: w_k if w_k.shape == w_v.shape else w_v,
        ),
    ),
    ("query", "w_q", "w_v is not used for them.", (lambda own, w_q, w_k, w_v: w_q,)),
)


def _each_by_itself(pick, w_q, w_k, w_v):
    return (
        pick(FOR_QUERIES)(w_q, w_q, w_k, w_v),
        pick(FOR_KEYS)(w_k, w_q, w_k, w_v),
        pick(FOR_VALUES)(w_v, w_q, w_k, w_v),
    )


def _cut_beside(first, second):
    """Cuts the product that many columns away from the right places."""

    def way(pick, w_q, w_k, w_v):
        d_k = w_k.shape[1]
        return tuple(np.split(np.concatenate([w_q, w_k, w_v], axis=1), [d_k + first, 2 * d_k + second], axis=1))

    return way


MATRICES = Decision(
    "which matrix makes which part",
    _each_by_itself,
    Wrong(
        "one-matrix-for-all",
        "Your queries, keys and values are all made with the same matrix.",
        does="All three are the same array.",
        why=OWN,
        look="Which matrices does your function never use?",
        ways=(
            lambda pick, w_q, w_k, w_v: (w_q, w_q, w_q),
            lambda pick, w_q, w_k, w_v: (w_v, w_v, w_v),
            lambda pick, w_q, w_k, w_v: (w_k, w_k, w_k),
        ),
    ),
    Wrong(
        "keys-and-values-swapped",
        "Your keys and values have changed places.",
        does="What comes second is made with w_v, and what comes third with w_k.",
        why=OWN,
        look="Go through keys and values: matrix, product, place in the tuple.",
        ways=(lambda pick, w_q, w_k, w_v: (w_q, w_v, w_k),),
    ),
    Wrong(
        "queries-and-keys-swapped",
        "Your queries and keys have changed places.",
        does="What comes first is made with w_k, and what comes second with w_q.",
        why=OWN,
        look="Go through queries and keys: matrix, product, place in the tuple.",
        ways=(lambda pick, w_q, w_k, w_v: (w_k, w_q, w_v),),
    ),
    Wrong(
        "parts-in-another-order",
        "Your three parts are in another order than (q, k, v).",
        does="Each part is right by itself, but stands in another's place.",
        why="The caller takes them apart by their order.",
        look=EQUAL,
        ways=(
            lambda pick, w_q, w_k, w_v: (w_v, w_k, w_q),
            lambda pick, w_q, w_k, w_v: (w_k, w_v, w_q),
            lambda pick, w_q, w_k, w_v: (w_v, w_q, w_k),
        ),
    ),
    Wrong(
        "weights-kept-from-first-call",
        "Your function keeps a matrix of its first call, or all of them.",
        does="A later call with other matrices is answered with the old ones.",
        why="A call may depend on its arguments alone, whatever was asked before.",
        look="Is there a global, or a mutable default, that outlives the call?",
        ways=(
            lambda pick, w_q, w_k, w_v: pick.keep("weights", lambda: (w_q, w_k, w_v)),
            lambda pick, w_q, w_k, w_v: pick.keep(("weights", w_q.shape), lambda: (w_q, w_k, w_v)),
            lambda pick, w_q, w_k, w_v: pick.keep_while(
                "weights", (w_q.shape, w_k.shape, w_v.shape), lambda: (w_q, w_k, w_v)
            ),
            lambda pick, w_q, w_k, w_v: tuple(
                pick.keep((at, w.shape), lambda w=w: w) for at, w in enumerate((w_q, w_k, w_v))
            ),
            lambda pick, w_q, w_k, w_v: pick.keep(("weights", w_q.shape, w_v.shape), lambda: (w_q, w_k, w_v)),
            lambda pick, w_q, w_k, w_v: (pick.keep("weights", lambda: w_q), w_k, w_v),
            lambda pick, w_q, w_k, w_v: (w_q, pick.keep("weights", lambda: w_k), w_v),
            lambda pick, w_q, w_k, w_v: (w_q, w_k, pick.keep("weights", lambda: w_v)),
        ),
    ),
    Wrong(
        "weights-cut",
        "Your three parts are cut from one product at the wrong places.",
        does="Columns of one part end up in another, unless all widths are the same.",
        why="w_q and w_k are d_k wide and w_v is d_v wide.",
        look="At which columns do queries, keys and values begin, if d_k = 2 and d_v = 5?",
        ways=(
            lambda pick, w_q, w_k, w_v: _cut(w_q, w_k, w_v, w_v.shape[1]),
            lambda pick, w_q, w_k, w_v: tuple(np.split(_whole(w_q, w_k, w_v), 3, axis=1)),
            lambda pick, w_q, w_k, w_v: (w_q, w_k, w_v[:, : w_k.shape[1]]),
            lambda pick, w_q, w_k, w_v: _thirds(w_q, w_k, w_v),
            lambda pick, w_q, w_k, w_v: _thirds(w_q, w_k, w_v, rest=True),
            lambda pick, w_q, w_k, w_v: _even_thirds(w_q, w_k, w_v),
            lambda pick, w_q, w_k, w_v: tuple(np.array_split(_whole(w_q, w_k, w_v), 3, axis=1)),
            lambda pick, w_q, w_k, w_v: _cut(w_q, w_k, w_v, -(-_whole(w_q, w_k, w_v).shape[1] // 3)),
            lambda pick, w_q, w_k, w_v: _cut(w_q, w_k, w_v, round(_whole(w_q, w_k, w_v).shape[1] / 3)),
            lambda pick, w_q, w_k, w_v: (w_q, w_k, np.hstack((w_k, w_v))[:, : w_v.shape[1]]),
            lambda pick, w_q, w_k, w_v: (w_q, np.hstack((w_q, w_k))[:, w_v.shape[1] :][:, : w_k.shape[1]], w_v),
            *(_cut_beside(*off) for off in ((0, -1), (-1, 0), (0, 1), (1, 0))),
        ),
    ),
    Wrong(
        "columns-interleaved",
        "Your one product for all three is taken apart column by column in turn.",
        does="Every third column goes to the queries, the next ones to the keys and to the values.",
        why="Matrices put side by side stay in one piece each: all columns of w_q come first, then those of w_k.",
        look="Number the columns of the three matrices side by side: which numbers does your q get?",
        ways=(
            lambda pick, w_q, w_k, w_v: _in_turn(w_q, w_k, w_v) if w_q.shape == w_v.shape else (w_q, w_k, w_v),
            lambda pick, w_q, w_k, w_v: _in_turn(w_q, w_k, w_v),
            lambda pick, w_q, w_k, w_v: (
                _in_turn(w_q, w_k, w_v) if _whole(w_q, w_k, w_v).shape[1] % 3 == 0 else _refuse(w_q)
            ),
        ),
    ),
)


def _whole(w_q, w_k, w_v):
    return np.concatenate([w_q, w_k, w_v], axis=1)


def _in_turn(w_q, w_k, w_v):
    whole = _whole(w_q, w_k, w_v)
    return whole[:, ::3], whole[:, 1::3], whole[:, 2::3]


def _cut(w_q, w_k, w_v, width):
    whole = _whole(w_q, w_k, w_v)
    return whole[:, :width], whole[:, width : 2 * width], whole[:, 2 * width :]


def _thirds(w_q, w_k, w_v, *, rest=False):
    whole = _whole(w_q, w_k, w_v)
    width = whole.shape[1] // 3
    return whole[:, :width], whole[:, width : 2 * width], whole[:, 2 * width :][:, : None if rest else width]


def _even_thirds(w_q, w_k, w_v):
    """Thirds, or some complaint that there are none."""
    return _thirds(w_q, w_k, w_v) if (2 * w_q.shape[1] + w_v.shape[1]) % 3 == 0 else _refuse(w_q)


def _each(change):
    return lambda weights: tuple(change(w) for w in weights)


ORIENTATION = Decision(
    "which way round the matrices are used",
    lambda weights: weights,
    Wrong(
        "weights-transposed",
        "Your function transposes a matrix, or all three, before it multiplies.",
        does="w.T fits only if the matrix is square, and then mixes other features.",
        why="The matrices are (d_model, d_k): rows for features that come in, columns for those that go out.",
        look=PRODUCT_SHAPES,
        ways=(
            _each(lambda w: w.T),
            lambda weights: (weights[0].T, weights[1], weights[2]),
            lambda weights: (weights[0], weights[1].T, weights[2]),
            lambda weights: (weights[0], weights[1], weights[2].T),
            _each(lambda w: w.T if w.shape[0] == w.shape[1] else w),
        ),
    ),
    Wrong(
        "weights-normalised",
        "Your function normalises the matrices first.",
        does="Columns, rows or whole matrices are brought to length 1, or to sum 1.",
        why=LINEAR,
        look="What is done to w_q before the product?",
        ways=(
            _each(lambda w: w / np.linalg.norm(w, axis=0)),
            _each(lambda w: w / np.linalg.norm(w, axis=0, keepdims=True)),
            _each(lambda w: w / np.linalg.norm(w, axis=1, keepdims=True)),
            _each(lambda w: w / np.linalg.norm(w)),
            _each(lambda w: w / np.sum(w, axis=0, keepdims=True)),
            _each(lambda w: w / np.sum(np.abs(w), axis=0, keepdims=True)),
            _each(lambda w: w / (np.linalg.norm(w, axis=0) + 1e-8)),
            _each(lambda w: w / (np.linalg.norm(w, axis=0) + 1e-12)),
        ),
    ),
)


def _reordered(x, change):
    return change(np.asarray(x))


def _layer_norm(inside, outside=0.0):
    """Brings rows to mean 0 and spread 1, with a small number below the root or beside it."""

    def change(x):
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / (np.sqrt(x.var(axis=-1, keepdims=True) + inside) + outside)

    return change


LAYER_NORMS = tuple(
    _layer_norm(*small)
    for small in ((0.0,), (1e-5,), (0.0, 1e-5), (1e-6,), (0.0, 1e-6), (0.0, 1e-8), (1e-8,), (1e-12,), (1e-3,))
)

POSITIONS = Wrong(
    "positions-added",
    "Your function adds something to x that stands for positions.",
    does="Equal tokens at different places get different results.",
    why=LINEAR,
    look="What is done to x before the product?",
    ways=(),
)
INPUT = Decision(
    "what is done with x before the products",
    lambda x: x,
    Wrong(
        "input-centred",
        "Your function takes the mean of x away first.",
        does="The embeddings are shifted, so all three parts are.",
        why=LINEAR,
        look="What is done to x before the product?",
        ways=(
            lambda x: x - x.mean(axis=-1, keepdims=True),
            lambda x: x - x.mean(),
            lambda x: x - x.mean(axis=0),
            lambda x: x - x.mean(axis=-2, keepdims=True),
        ),
    ),
    Wrong(
        "input-normalised",
        "Your function normalises x first.",
        does="The embeddings are brought to one length or spread.",
        why=LINEAR,
        look="What is done to x before the product?",
        ways=(
            lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
            *LAYER_NORMS,
        ),
    ),
    Wrong(
        "input-scaled",
        "Your queries, keys and values all come out multiplied by the root of a size.",
        does="All three are too large, whether it was x that was multiplied or the product.",
        why=LINEAR,
        look="Which factor in your function is not in the formula?",
        ways=(lambda x: x * np.sqrt(x.shape[-1]),),
    ),
    Wrong(
        "input-reshaped-not-transposed",
        "Your function reshapes x where it should transpose it, or not touch it at all.",
        does="The numbers of one token end up in another: a reshape keeps their order in memory.",
        why="Reshaping does not exchange axes.",
        look="Reshape [[1, 2, 3], [4, 5, 6]] to (3, 2) and compare with its transpose.",
        ways=(
            lambda x: np.swapaxes(x, -1, -2).reshape(x.shape),
            lambda x: x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2]).swapaxes(-1, -2),
            lambda x: x.T.reshape(x.shape),
        ),
    ),
    Wrong(
        "first-of-batch-for-all",
        "Your function uses the first member of the batch for all of them.",
        does="All members of a batch get the same result.",
        why=LEADING,
        look="Where do you index x with 0?",
        ways=(
            lambda x: np.broadcast_to(x[:1], x.shape) if x.ndim > 2 else x,
            lambda x: np.broadcast_to(x[(0,) * (x.ndim - 2)], x.shape) if x.ndim > 2 else x,
        ),
    ),
    Wrong(
        "only-first-of-batch",
        "Your function computes only the first member of the batch.",
        does="The result has lost the leading axis.",
        why=LEADING,
        look="Where do you index x with 0?",
        ways=(
            lambda x: x[0] if x.ndim > 2 else x,
            lambda x: x[(0,) * (x.ndim - 2)],
        ),
    ),
    also(POSITIONS, lambda x: x + np.arange(x.shape[-2])[:, None]),
)


def _refuse(x):
    raise ValueError


def _positions(x):
    return np.arange(x.shape[-2])[:, None]


def _waves(x, index):
    """An angle for each token and each number of a column, of which pairs or halves have one in common."""
    return _positions(x) / 10_000.0 ** (index(np.arange(x.shape[-1])) / x.shape[-1])


def _in_turn_waves(x, index=lambda at: at // 2 * 2):
    """Adds a sine to the even columns of x, and a cosine to the others."""
    angles = _waves(x, index)
    return x + np.where(np.arange(x.shape[-1]) % 2 == 0, np.sin(angles), np.cos(angles))


def _in_halves(x):
    """Adds sines to the first half of the columns of x, and cosines to the other."""
    half = -(-x.shape[-1] // 2)
    angles = _waves(x, lambda at: at * 2)[:, :half]
    return x + np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)[:, : x.shape[-1]]


def _if_even(change):
    """What the two halves of the columns, or every second of them, have to fit into."""
    return lambda x: change(x) if x.shape[-1] % 2 == 0 else _refuse(x)


TOKENS = Decision(
    "what else is done with x before the products",
    lambda x: x,
    also(
        POSITIONS,
        lambda x: x + _positions(x),
        _in_turn_waves,
        _if_even(_in_turn_waves),
        _in_halves,
        _if_even(_in_halves),
        lambda x: _in_turn_waves(x, lambda at: at * 2),
        lambda x: _in_turn_waves(x, lambda at: at),
        lambda x: x + _positions(x) / x.shape[-2],
        lambda x: x + _positions(x) + 1,
        lambda x: x + 0.1 * _positions(x),
        lambda x: x + 0.01 * _positions(x),
        lambda x: x + _positions(x) / max(x.shape[-2] - 1, 1),
    ),
    Wrong(
        "input-as-whole-numbers",
        "Your function makes whole numbers of x first.",
        does="The fractions of the embeddings are lost before the products.",
        why="x holds embeddings, which may be any real numbers; whole numbers would be the ids of tokens.",
        look="What type does x have after your astype, asarray or dtype=?",
        ways=(lambda x: x.astype(int), np.round, np.floor),
    ),
)


def _ndims(test):
    return lambda x, w: x @ w if test(x.ndim) else _refuse(x)


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def _softmax(rows):
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


BIASES = 1.0, 0.1, 0.01, 0.5, 1e-3, 0.02, 0.05, 0.2, 2.0, -0.1, -1.0
ACTIVATIONS = (
    lambda y: np.maximum(y, 0),
    np.tanh,
    lambda y: 1 / (1 + np.exp(-y)),
    np.abs,
    lambda y: np.where(y > 0, y, 0.01 * y),
    lambda y: 0.5 * y * (1 + np.tanh(np.sqrt(2 / np.pi) * (y + 0.044715 * y**3))),
    lambda y: y / (1 + np.exp(-y)),
)
ALL_SCALED = Wrong(
    "projections-scaled",
    "Your queries, keys and values all come out divided by a size, or by its root.",
    does="All three are too small, whether it was x that was divided, the matrices or the products.",
    why=LINEAR,
    look="Which division in your function is not in the formula?",
    ways=(),
)
NORMALISING = _unit, _softmax, _layer_norm(0.0), _layer_norm(1e-5)
NORMALISED = Wrong(
    "projections-normalised",
    "Your queries, keys or values are normalised.",
    does="The rows are brought to length 1, to sum 1, or to mean 0 and spread 1.",
    why=LINEAR,
    look="What is done with the product before it is returned?",
    ways=(),
)

MULTIPLY = Decision(
    "which product is taken",
    lambda x, w: x @ w,
    Wrong(
        "element-by-element",
        "Your function multiplies entry by entry, not as matrices.",
        does="* needs shapes that broadcast, and sums nothing.",
        why="Each entry of the result is a sum over all features.",
        look="Which operator is the product of matrices?",
        ways=(lambda x, w: x * w,),
    ),
    Wrong(
        "weights-from-the-left",
        "Your matrices are multiplied from the wrong side.",
        does="w @ x fits only for special sizes, and then mixes tokens, not features.",
        why="A token is a row of x, so the matrix stands on its right.",
        look=PRODUCT_SHAPES,
        ways=(
            lambda x, w: w @ x,
            lambda x, w: w.T @ x,
            lambda x, w: np.dot(w, x),
            lambda x, w: np.dot(w.T, x),
            lambda x, w: np.tensordot(w, x, axes=1),
        ),
    ),
    Wrong(
        "features-first",
        "Your parts come back with features first.",
        does="Each part is transposed: (d_k, n), not (n, d_k).",
        why="A token is a row, in what goes in and in what comes out.",
        look="Which axis of your result counts the tokens?",
        ways=(
            lambda x, w: np.swapaxes(x @ w, -1, -2),
            lambda x, w: (x @ w).T,
            lambda x, w: w.T @ x.T,
        ),
    ),
    Wrong(
        "only-matrices",
        "Your function takes only a matrix for x, without leading axes.",
        does="A batch ends in an exception.",
        why=LEADING,
        look="Which line assumes that x has two axes?",
        ways=(_ndims(lambda ndim: ndim == 2),),
    ),
    Wrong(
        "only-one-batch-axis",
        "Your function takes only a certain number of leading axes.",
        does="With fewer or more of them it ends in an exception.",
        why=LEADING,
        look="Which line names the axes of x one by one?",
        ways=(
            _ndims(lambda ndim: ndim == 3),
            _ndims(lambda ndim: ndim <= 3),
            _ndims(lambda ndim: ndim in (3, 4)),
        ),
    ),
    also(
        FLATTENED,
        lambda x, w: x.reshape(-1, x.shape[-1]) @ w,
        lambda x, w: _merged(x) @ w,
    ),
    Wrong(
        "leading-axes-in-two-orders",
        "Your leading axes are made one in one order and taken apart in another.",
        does="One of your two reshapes lets the first axis run fastest, so tokens end up in each other's places.",
        why="Each token has to stay where it was; numpy lets the last axis run fastest unless it is told otherwise.",
        look="Which order does each of your reshapes use? Follow the tokens of an x of shape (2, 3, 4).",
        ways=(
            lambda x, w: ((x.reshape(-1, x.shape[-1])) @ w).reshape((*x.shape[:-1], w.shape[1]), order="F"),
            lambda x, w: (x.reshape((-1, x.shape[-1]), order="F") @ w).reshape(*x.shape[:-1], w.shape[1]),
        ),
    ),
    Wrong(
        "bias-added",
        "Your function adds a bias.",
        does="A constant is added to every entry.",
        why=LINEAR,
        look="What is added to the product?",
        ways=tuple(lambda x, w, bias=bias: x @ w + bias for bias in BIASES),
    ),
    Wrong(
        "residual-added",
        "Your function adds x to the projections.",
        does="Where the shapes allow it, x itself is added.",
        why=LINEAR,
        look="What is added to the product?",
        ways=(
            lambda x, w: x @ w + x if (x @ w).shape == x.shape else x @ w,
            lambda x, w: x @ w + x,
        ),
    ),
    Wrong(
        "activation-applied",
        "Your projections go through an activation function.",
        does="ReLU, or another bend, changes the products.",
        why=LINEAR,
        look="Which function is applied to the product?",
        ways=tuple(lambda x, w, bend=bend: bend(x @ w) for bend in ACTIVATIONS),
    ),
    also(NORMALISED, *(lambda x, w, change=change: change(x @ w) for change in NORMALISING)),
    Wrong(
        "feature-left-out",
        "Your products leave out a feature.",
        does="The last feature, or the first, of every token counts for nothing.",
        why="Each entry of the result is a sum over all d_model features.",
        look="Check the ends of your ranges and slices.",
        ways=(
            lambda x, w: x[..., :-1] @ w[:-1],
            lambda x, w: x[..., 1:] @ w[1:],
        ),
    ),
    also(
        ALL_SCALED,
        lambda x, w: x @ w / np.sqrt(w.shape[1]),
        lambda x, w: x @ w / w.shape[1],
        lambda x, w: x @ w / np.sqrt(x.shape[-1]),
        lambda x, w: x @ w / np.sqrt(x.shape[-2]),
    ),
    Wrong(
        "integers-kept",
        "Your results, or the matrices, are put into arrays of x's type.",
        does="With integer x their fractions are lost.",
        why="The matrices need not hold integers, and neither need the results.",
        look="What type does np.zeros_like(x), np.empty_like(x) or astype(x.dtype) have for integer x?",
        ways=(lambda x, w: (x @ w).astype(x.dtype), lambda x, w: x @ w.astype(x.dtype)),
    ),
    Wrong(
        "results-as-integers",
        "Your results are cut down to whole numbers.",
        does="The products are put where only integers fit, and lose their fractions.",
        why="Sums of products may be any real numbers.",
        look="Which array of yours has an integer type, and what is written into it?",
        ways=(lambda x, w: np.trunc(x @ w), lambda x, w: (x @ w).astype(int), lambda x, w: np.round(x @ w)),
        rare=1,
    ),
)


def _merged(x):
    return x.reshape(-1, *x.shape[-2:]) if x.ndim > 3 else x


def _left_empty(*where):
    """Zeros where a loop has not been."""

    def way(multiply, x, w):
        result = np.array(multiply(x, w))
        result[where] = 0
        return result

    return way


def _left_away(tokens):
    """The rows of some tokens only, put together one by one, which fails without any."""
    return lambda multiply, x, w: multiply(x[..., tokens, :], w) if x.shape[-2] > 1 else _refuse(x)


LEFT_OUT = Wrong(
    "token-left-out",
    "Your function does not reach every token.",
    does="The first or the last along an axis is missing from the results, or has only zeros there.",
    why="Every token gets a row of its own in q, in k and in v.",
    look="Check the ends of your ranges and slices.",
    ways=(),
)
REACHED = Decision(
    "which rows and columns are reached",
    lambda multiply, x, w: multiply(x, w),
    also(
        LEFT_OUT,
        _left_empty(..., -1, slice(None)),
        _left_empty(..., 0, slice(None)),
        _left_away(slice(-1)),
        _left_away(slice(1, None)),
        lambda multiply, x, w: multiply(x[..., :-1, :], w),
        lambda multiply, x, w: multiply(x[..., 1:, :], w),
        _left_empty(-1),
        _left_empty(0),
    ),
    Wrong(
        "last-block-of-tokens-left-out",
        "Your blocks leave out the tokens that do not fill a whole one.",
        does="The number of blocks is rounded down: the last of very many tokens are missing, or get only zeros.",
        why="Every token gets a row of its own in q, in k and in v; the last block may be a smaller one.",
        look="How many blocks does your loop make of a sequence with one token more than a block holds?",
        ways=(
            lambda multiply, x, w: _left_empty(..., slice(whole_blocks(x.shape[-2]), None), slice(None))(
                multiply, x, w
            ),
            lambda multiply, x, w: multiply(x[..., : whole_blocks(x.shape[-2]), :], w),
        ),
        rare=3,
    ),
    Wrong(
        "column-left-empty",
        "Your function does not fill every column of its results.",
        does="The last column of each part, or the first, has only zeros.",
        why="Each column of a matrix makes one of the result.",
        look="Check the ends of your ranges and slices.",
        ways=(_left_empty(..., -1), _left_empty(..., 0)),
    ),
    Wrong(
        "all-axes-turned-round",
        "Your function turns arrays round with .T, which reverses all of their axes.",
        does="It exchanges rows and columns of a matrix, but moves the leading axes of a batch as well.",
        why=LEADING,
        look="What shape does x.T have, for an x of shape (2, 3, 4)?",
        ways=(
            lambda multiply, x, w: (w.T @ x.T).T,
            lambda multiply, x, w: (w.T @ np.swapaxes(x, -1, -2)).T,
            lambda multiply, x, w: np.dot(w.T, x.T).T,
            lambda multiply, x, w: np.swapaxes(w.T @ x.T, -1, -2),
            lambda multiply, x, w: np.dot(w.T, np.swapaxes(x, -1, -2)).T,
        ),
    ),
)


def _one(at, change):
    """Changes one part, given what it was, x and its matrix."""
    return lambda parts, x, weights: (*parts[:at], change(parts[at], x, weights[at]), *parts[at + 1 :])


def _bent(at, name):
    return Wrong(
        f"activation-applied-to-{name}",
        f"Your {name} go through an activation function.",
        does="ReLU, or another bend, changes the products.",
        why=LINEAR,
        look=f"Which function is applied to the {name} before they are returned?",
        ways=tuple(_one(at, lambda part, x, w, bend=bend: bend(part)) for bend in ACTIVATIONS),
    )


def _biased(at, name):
    return Wrong(
        f"bias-added-to-{name}",
        f"Your {name} have a bias added.",
        does="A constant is added to every entry of them.",
        why=LINEAR,
        look=f"What is added to the product that makes the {name}?",
        ways=tuple(_one(at, lambda part, x, w, bias=bias: part + bias) for bias in BIASES),
    )


def _scaled(at, name):
    """A part that is scaled; the queries are a mistake of their own, as they are also scaled with others."""
    return Wrong(
        f"{name}-scaled",
        f"Your {name} are scaled.",
        does="They are divided by a size, or by its root.",
        why="Scaling belongs to attention, where the scores are made; nothing else is scaled.",
        look=f"Which division in the line of the {name} is not in the formula?",
        ways=tuple(_one(at, change) for change in SCALES),
    )


SCALES = (
    lambda part, x, w: part / np.sqrt(part.shape[-1]),
    lambda part, x, w: part / np.sqrt(x.shape[-1]),
    lambda part, x, w: part / part.shape[-1],
    lambda part, x, w: part / np.sqrt(part.shape[-2]),
)


def _left_alone(at, name, matrix):
    return Wrong(
        f"{name}-not-projected",
        f"Your {name} are x itself.",
        does=f"{matrix} is never used.",
        why=OWN,
        look="Which matrix does your function never use?",
        ways=(_one(at, lambda part, x, w: x),),
    )


def _residual(at, name):
    return Wrong(
        f"residual-added-to-{name}",
        f"Your function adds x to the {name}.",
        does="Where the shapes allow it, x itself is added.",
        why=LINEAR,
        look="What is added to the product?",
        ways=(
            _one(at, lambda part, x, w: part + x if part.shape == x.shape else part),
            _one(at, lambda part, x, w: part + x),
        ),
    )


def _of_the_same_shape(part, x):
    return part if part.shape == x.shape else x


def _chained(onwards, *, until=3):
    """Each part from what comes of the one before it and x, as far as some part."""

    def way(multiply, x, weights):
        parts = [multiply(x, weights[0])]
        before = x
        for w in weights[1:until]:
            before = onwards(parts[-1], before)
            parts.append(multiply(before, w))
        return *parts, *(multiply(x, w) for w in weights[until:])

    return way


def _from_the_queries(multiply, x, weights, onwards):
    queries = multiply(x, weights[0])
    return queries, *(multiply(onwards(queries, x), w) for w in weights[1:])


CHAIN = Decision(
    "what each part is made from",
    lambda multiply, x, weights: tuple(multiply(x, w) for w in weights),
    Wrong(
        "projections-chained",
        "Your keys are projected from the queries, or your values from the keys.",
        does="One part is made from another, not from x.",
        why="All three are views of the same token x.",
        look="What stands on the left of each @?",
        ways=(
            _chained(lambda part, x: part),
            _chained(lambda part, x: part, until=2),
            lambda multiply, x, weights: (
                *(parts := [multiply(x, w) for w in weights[:2]]),
                multiply(parts[1], weights[2]),
            ),
            lambda multiply, x, weights: _from_the_queries(multiply, x, weights, lambda part, x: part),
            _chained(_of_the_same_shape),
            lambda multiply, x, weights: _from_the_queries(multiply, x, weights, _of_the_same_shape),
        ),
    ),
)


NAMES = "queries", "keys", "values"
TOGETHER = Decision(
    "what becomes of the three parts together",
    lambda parts, x, weights: parts,
    Wrong(
        "queries-scaled",
        "Your queries are already scaled here.",
        does="The scores will be scaled twice, once here and once in attention.",
        why="Scaling belongs to attention, where the scores are made.",
        look="Which division in your function is not in the formula?",
        ways=(
            *(_one(0, change) for change in SCALES),
            lambda parts, x, weights: (*(part / parts[0].shape[-1] ** 0.25 for part in parts[:2]), parts[2]),
            lambda parts, x, weights: (*(part / np.sqrt(part.shape[-1]) for part in parts[:2]), parts[2]),
        ),
    ),
    also(ALL_SCALED, lambda parts, x, weights: tuple(part / np.sqrt(parts[0].shape[-1]) for part in parts)),
    Wrong(
        "values-missing",
        "Your function returns only two of the three parts.",
        does="The tuple has two entries.",
        why="Attention needs queries, keys and values.",
        look="What does the docstring say under Returns?",
        ways=(lambda parts, x, weights: parts[:2], lambda parts, x, weights: parts[1:]),
    ),
    Wrong(
        "keys-transposed",
        "Your keys come back transposed.",
        does="k has the shape (d_k, n).",
        why="All three parts have a row for each token; attention transposes the keys by itself.",
        look="Which axis of k counts the tokens?",
        ways=(
            lambda parts, x, weights: (parts[0], np.swapaxes(parts[1], -1, -2), parts[2]),
            lambda parts, x, weights: (parts[0], parts[1].T, parts[2]),
        ),
    ),
    Wrong(
        "queries-and-keys-normalised",
        "Your queries and keys are brought to length 1.",
        does="Their dot products become cosines.",
        why=LINEAR,
        look="What is done with q and k before they are returned?",
        ways=(lambda parts, x, weights: (_unit(parts[0]), _unit(parts[1]), parts[2]),),
    ),
    Wrong(
        "feature-left-out-of-one-part",
        "One of your products leaves out a feature.",
        does="The last feature of every token, or the first, counts for nothing in one of the parts.",
        why="Each entry of the result is a sum over all d_model features.",
        look="Check the ends of your ranges and slices.",
        ways=(
            *(_one(at, lambda part, x, w: x[..., :-1] @ w[:-1]) for at in (2, 0, 1)),
            *(_one(at, lambda part, x, w: x[..., 1:] @ w[1:]) for at in (2, 0, 1)),
        ),
    ),
)


def _of_one(at, name):
    """The mistakes that are made with one part by itself."""
    return (
        *([_scaled(at, name)] if at else []),
        _bent(at, name),
        _biased(at, name),
        _left_alone(at, name, f"w_{name[0]}"),
        _residual(at, name),
        also(NORMALISED, *(_one(at, lambda part, x, w, change=change: change(part)) for change in NORMALISING)),
    )


ONE_BY_ONE = tuple(
    Decision(f"what becomes of the {name}", lambda parts, x, weights: parts, *_of_one(at, name))
    for at, name in enumerate(NAMES)
)
PARTS = Decision(
    "what becomes of the three parts",
    lambda parts, x, weights: parts,
    *TOGETHER.wrong,
    *(wrong for decision in ONE_BY_ONE for wrong in decision.wrong),
)


def _wide_enough_for_all(parts, x, weights):
    """Writes each part into the first columns of one array, as wide as the widest."""
    array = np.zeros((*parts[0].shape[:-1], max(part.shape[-1] for part in parts)))
    views = []
    for part in parts:
        views.append(array[..., : part.shape[-1]])
        views[-1][...] = part
    return tuple(views)


def _if_keys_and_values_are_alike(like, unlike):
    return lambda parts, x, weights: (like if parts[1].shape == parts[2].shape else unlike)(*parts)


def _of_one_empty(at, row):
    return _one(at, lambda part, x, w: _left_empty(..., row, slice(None))(lambda x, w: part, x, w))


ARRAYS = Decision(
    "which arrays the parts are written into",
    lambda parts, x, weights: parts,
    also(replace(LEFT_OUT, rare=1), *(_of_one_empty(at, row) for row in (-1, 0) for at in (2, 1, 0))),
    Wrong(
        "parts-in-one-array",
        "Your function writes two of its parts, or all three, into one array.",
        does="What is written last is found in each of them.",
        why="An array holds one part; names for it, and out=, make no second one.",
        look="Which of q, k and v is the same array as another? np.shares_memory can tell.",
        ways=(
            lambda parts, x, weights: (parts[1], parts[1], parts[2]),
            _if_keys_and_values_are_alike(lambda q, k, v: (v, v, v), lambda q, k, v: (k, k, v)),
            _if_keys_and_values_are_alike(lambda q, k, v: (v, v, v), lambda q, k, v: _refuse(q)),
            _if_keys_and_values_are_alike(lambda q, k, v: (q, v, v), lambda q, k, v: (q, k, v)),
            _if_keys_and_values_are_alike(lambda q, k, v: (q, v, v), lambda q, k, v: _refuse(q)),
            _wide_enough_for_all,
        ),
        rare=1,
    ),
)


def _no_joint(pick):
    raise Refused


PARAMETERS = Decision(
    "the parameters",
    lambda pick: None,
    Wrong(
        "other-parameters",
        "Your function has other parameters than (x, w_q, w_k, w_v).",
        does="The call is refused by Python before your code runs.",
        why="Callers pass x and three matrices, in this order.",
        look="Compare your def line with the one in the stub.",
        ways=(_no_joint,),
    ),
)
ORDER = Decision(
    "the order of the parameters",
    lambda x, w_q, w_k, w_v: (x, w_q, w_k, w_v),
    Wrong(
        "parameters-in-another-order",
        "Your parameters are in another order than (x, w_q, w_k, w_v).",
        does="Arguments that are passed by position end up under other names.",
        why="Callers pass them in the order of the stub.",
        look="Compare your def line with the one in the stub.",
        ways=(
            lambda x, w_q, w_k, w_v: (w_v, x, w_q, w_k),
            lambda x, w_q, w_k, w_v: (w_q, x, w_k, w_v),
        ),
    ),
)
CHANGES = Decision(
    "whether the arguments are left alone",
    lambda given: given,
    changing(
        "x",
        0,
        lambda x: np.add(x, 1, out=x, casting="unsafe"),
        lambda x: np.add(x, 1, out=x) if x.dtype.kind == "f" else None,
        lambda x: np.add(x, 1, out=x) if x.dtype == np.float64 else None,
        lambda x: setattr(x, "shape", (-1, x.shape[-1])) if x.ndim > 2 else None,
        lambda x: setattr(x, "shape", (-1, *x.shape[-2:])) if x.ndim > 3 else None,
        lambda x: np.subtract(x, x.mean() + 0.5, out=x),
    ),
    *(
        changing(
            name,
            at,
            lambda w: np.add(w, 1, out=w, casting="unsafe"),
            lambda w: np.add(w, 1, out=w) if w.dtype.kind == "f" else None,
        )
        for at, name in enumerate(("w_q", "w_k", "w_v"), 1)
    ),
)


def _centred_in_place(given):
    x = given[0]
    x -= x.mean(axis=-1, keepdims=True)
    return given


def scaled_in_place(size, change=np.divide):
    """Divides x, or what else comes first, by the root of a size in place, if it holds floats, and works with that."""

    def way(given):
        x = given[0]
        if x.dtype.kind == "f":
            change(x, x.dtype.type(np.sqrt(size(x))), out=x)
        return given

    return way


def normalised_in_place(given):
    """Brings the rows of x to mean 0 and spread 1 in place, and works with that."""
    x = given[0]
    if x.dtype.kind == "f":
        x[...] = LAYER_NORMS[0](x)
    return given


def _written_into_x(at):
    """Puts a part into x where it fits, once nothing else is made from x."""

    def way(given):
        x, w = given[0], given[at]
        if w.shape[0] != w.shape[1]:
            return given
        kept = [np.array(x), *given[1:]]
        np.copyto(x, x @ w, casting="unsafe")
        return kept

    return way


def _written_into_weights(at):
    """Puts a part into its own matrix where it fits."""

    def way(given):
        x, w = given[0], given[at]
        if x.shape != w.shape or w.shape[0] != w.shape[1]:
            return given
        kept = [*given[:at], np.array(w), *given[at + 1 :]]
        np.copyto(w, x @ w, casting="unsafe")
        return kept

    return way


IN_PLACE = Decision(
    "whether the arguments are worked on in place",
    lambda given: given,
    also(
        CHANGES.wrong[0],
        _centred_in_place,
        scaled_in_place(lambda x: x.shape[-1]),
        scaled_in_place(lambda x: x.shape[-2]),
        scaled_in_place(lambda x: x.shape[-1], np.multiply),
        normalised_in_place,
        _written_into_x(3),
        _written_into_x(1),
    ),
    *(also(CHANGES.wrong[at], _written_into_weights(at)) for at in (1, 2, 3)),
)


def project(pick, x, w_q, w_k, w_v):
    """The projections themselves."""

    def tokens_of(x):
        return pick(TOKENS)(pick(INPUT)(x))

    def multiply(x, w):
        return pick(REACHED)(pick(MULTIPLY), x, w)

    afterwards = TOGETHER, *ONE_BY_ONE, ARRAYS
    return _project(pick, x, (w_q, w_k, w_v), MATRICES, ORIENTATION, tokens_of, multiply, CHAIN, *afterwards)


def project_as_usual(pick, x, w_q, w_k, w_v):
    """What multi-head attention needs of them: the mistakes in the ways in which they are usually written."""
    which, orientation, before, product, *afterwards = USUAL
    return _project(pick, x, (w_q, w_k, w_v), which, orientation, pick(before), pick(product), *afterwards)


USUAL = (
    usual(MATRICES, 2),
    usual(ORIENTATION, 4),
    usual(INPUT, 6),
    usual(MULTIPLY, 2),
    usual(CHAIN, 1),
    usual(PARTS, 1),
)


def _project(pick, x, matrices, which, orientation, before, multiply, chain, *afterwards):
    weights = pick(orientation)(pick(which)(pick, *matrices))
    tokens = before(x)
    parts = pick(chain)(multiply, tokens, weights)
    for after in afterwards:
        parts = pick(after)(parts, tokens, weights)
    return parts


def project_qkv(pick, x, w_q, w_k, w_v):
    """Project embeddings to queries, keys and values."""
    pick(PARAMETERS)(pick)
    given = pick(ORDER)(x, w_q, w_k, w_v)

    def work():
        changed = pick(IN_PLACE)(pick(CHANGES)([*given]))
        return pick(RETURNED)(project(pick, *pick(PRECISION)(changed)))

    return pick(KEEPING)(pick, given, work)


def _inputs(rng, *shape, d_k, d_v):
    d_model = shape[-1]
    return [rng.normal(size=shape), *(rng.normal(size=(d_model, width)) for width in (d_k, d_k, d_v))]


def probes(rng, sizes):
    """The calls to compare on."""
    a, b, c, d = sizes
    yield ask("project_qkv", *_inputs(rng, a, b, d_k=c, d_v=d))
    yield ask("project_qkv", *_inputs(rng, a, a, d_k=a, d_v=a))
    yield ask("project_qkv", *_inputs(rng, b, a, d_k=c, d_v=c))
    yield ask("project_qkv", *_inputs(rng, c, b, d_k=b, d_v=a))
    yield ask("project_qkv", *_inputs(rng, 1, a, d_k=c, d_v=b))
    yield ask("project_qkv", *_inputs(rng, c, a, b, d_k=d, d_v=c))
    yield ask("project_qkv", *_inputs(rng, a, a, a, d_k=a, d_v=a))
    yield ask("project_qkv", *_inputs(rng, c, b, a, d_k=a, d_v=d))
    yield ask("project_qkv", *_inputs(rng, c, a, b, d, d_k=c, d_v=a))
    yield ask("project_qkv", *_inputs(rng, c, c, c, c, d_k=c, d_v=c))
    x, *weights = _inputs(rng, a, b, d_k=c, d_v=d)
    yield ask("project_qkv", x, *weights)
    yield ask("project_qkv", rng.normal(size=(a, b)), *weights)
    yield ask("project_qkv", x, *_inputs(rng, a, b, d_k=c, d_v=d)[1:])
    yield ask("project_qkv", *_inputs(rng, a, 2 * c, d_k=c, d_v=b))
    yield ask("project_qkv", *_inputs(rng, 131, c, d_k=a, d_v=b))
    yield edge("project_qkv", rng.integers(1, 5, size=(a, b)), *(_inputs(rng, a, b, d_k=c, d_v=d)[1:]))
    yield edge("project_qkv", *(rng.integers(1, 5, size=shape) for shape in ((a, b), (b, c), (b, c), (b, d))))
    yield edge("project_qkv", *(part.astype(np.float32) for part in _inputs(rng, a, b, d_k=c, d_v=d)))
    yield edge("project_qkv", *_inputs(rng, a, b, d_k=c, d_v=d))
    yield refilled("project_qkv", *(_inputs(rng, a, b, d_k=c, d_v=d) for _ in range(3)))
