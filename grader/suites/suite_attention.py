"""Hidden checks of scaled_dot_product_attention, from the smallest telling input to the largest."""

import numpy as np

from grader.expect import check, part, same, single_gaps, some_mask, unchanged

F64 = 1e-8
F32 = 1e-5
NAMES = ("output", "weights")
OUTPUT, WEIGHTS = 0, 1


def inputs(rng, *leading, n_q=3, n_k=5, d_k=2, d_v=7):
    """Queries, keys and values with entries of order 1: so are the scaled scores, and softmax is not saturated."""
    return (
        rng.normal(size=(*leading, n_q, d_k)),
        rng.normal(size=(*leading, n_k, d_k)),
        rng.normal(size=(*leading, n_k, d_v)),
    )


def agree(learner, reference, *given, **named):
    """Both parts are those of the reference, and masked weights are exactly 0."""
    returned = learner.scaled_dot_product_attention(*given, **named)
    expected = reference.scaled_dot_product_attention(*given, **named)
    part(returned, WEIGHTS, expected[WEIGHTS], atol=F64, names=NAMES, exact_zeros=True)
    part(returned, OUTPUT, expected[OUTPUT], atol=F64, names=NAMES)


@check(
    points=1,
    hint="Scores are dot products, scaled as the formula says; each row of them goes through softmax.",
)
def test_weights(learner, reference, rng):
    """Weighs the keys for each query"""
    q, k, v = np.array([[1.0, 2.0]]), np.array([[0.5, 0.0], [0.0, 0.5], [1.0, -0.5]]), rng.normal(size=(3, 5))
    for given in ((q, k, v), inputs(rng)):
        expected = reference.scaled_dot_product_attention(*given)[WEIGHTS]
        part(learner.scaled_dot_product_attention(*given), WEIGHTS, expected, atol=F64, names=NAMES)


@check(
    points=1,
    hint="The output is the average of the values, weighted: which product of weights and v is that?",
)
def test_output(learner, reference, rng):
    """Averages the values with these weights"""
    q, k, v = (
        np.array([[1.0, 2.0]]),
        np.array([[0.5, 0.0], [0.0, 0.5], [1.0, -0.5]]),
        np.array([[2.0], [4.0], [8.0]]),
    )
    for given in ((q, k, v), inputs(rng)):
        expected = reference.scaled_dot_product_attention(*given)[OUTPUT]
        part(learner.scaled_dot_product_attention(*given), OUTPUT, expected, atol=F64, names=NAMES)


@check(
    points=1,
    hint="Which size does the spread of a dot product grow with? Its square root is what to divide by.",
)
def test_scale(learner, reference, rng):
    """Scales the scores for any d_k"""
    for sizes in (
        {"n_q": 2, "n_k": 3, "d_k": 7, "d_v": 5},
        {"n_q": 5, "n_k": 2, "d_k": 1, "d_v": 3},
        {"n_q": 7, "n_k": 11, "d_k": 3, "d_v": 2},
        {"n_q": 2, "n_k": 3, "d_k": 13, "d_v": 1},
    ):
        agree(learner, reference, *inputs(rng, **sizes))


@check(points=1, hint="Nothing may be told from the sizes: which axis to transpose or sum over stays the same.")
def test_equal_sizes(learner, reference, rng):
    """Works when sizes happen to be equal"""
    agree(learner, reference, *inputs(rng, n_q=3, n_k=3, d_k=3, d_v=3))
    agree(learner, reference, *inputs(rng, n_q=5, n_k=5, d_k=2, d_v=3))
    agree(learner, reference, *inputs(rng, n_q=2, n_k=5, d_k=3, d_v=3))
    agree(learner, reference, *inputs(rng, n_q=5, n_k=3, d_k=5, d_v=2))
    agree(learner, reference, *inputs(rng, 3, n_q=3, n_k=3, d_k=3, d_v=3))


@check(points=1, hint="A query over one key, one query over many: the axes of length 1 stay.")
def test_single_query_or_key(learner, reference, rng):
    """Takes a single query, key or feature, and very many"""
    agree(learner, reference, *inputs(rng, n_q=1))
    agree(learner, reference, *inputs(rng, n_k=1))
    agree(learner, reference, *inputs(rng, n_q=1, n_k=1, d_k=1, d_v=1))
    agree(learner, reference, *inputs(rng, 2, n_q=1, n_k=3, d_k=5, d_v=1))
    # More than a tile holds, and no whole number of tiles: the largest score of a query is in the first, or the last.
    q, k, v = inputs(rng, n_q=3, n_k=523, d_k=2, d_v=2)
    q[:, 0], k[:, 0] = (2.0, -2.0, 0.5), np.linspace(-3.0, 3.0, 523)
    agree(learner, reference, q, k, v)
    agree(learner, reference, *inputs(rng, n_q=523, n_k=3, d_k=1, d_v=2))


@check(points=1, hint="Transpose the last two axes of k and no other: `k.T` reverses them all.")
def test_one_leading_axis(learner, reference, rng):
    """Takes a batch: one leading axis"""
    agree(learner, reference, *inputs(rng, 2, n_q=3, n_k=5, d_k=7, d_v=11))
    agree(learner, reference, *inputs(rng, 5, n_q=2, n_k=3, d_k=2, d_v=3))
    agree(learner, reference, *inputs(rng, 1))


@check(points=1, hint="`@`, `np.swapaxes(k, -1, -2)` and axis=-1 do not mind how many axes lie in front.")
def test_two_leading_axes(learner, reference, rng):
    """Takes two leading axes, and three"""
    agree(learner, reference, *inputs(rng, 2, 3, n_q=5, n_k=7, d_k=11, d_v=13))
    agree(learner, reference, *inputs(rng, 3, 2, n_q=2, n_k=3, d_k=5, d_v=3))
    agree(learner, reference, *inputs(rng, 2, 1, 3, n_q=2, n_k=5, d_k=3, d_v=7))
    agree(learner, reference, *map(np.asfortranarray, inputs(rng, 2, 3, n_q=5, n_k=2, d_k=7, d_v=3)))


@check(
    points=1,
    hint="True means that the query may look at the key. What has a masked score to be before softmax?",
)
def test_mask(learner, reference, rng):
    """Gives masked keys no weight, and the others still sum to 1"""
    q, k, v = (
        np.array([[1.0, 2.0]]),
        np.array([[0.5, 0.0], [0.0, 0.5], [1.0, -0.5]]),
        np.array([[2.0], [4.0], [8.0]]),
    )
    agree(learner, reference, q, k, v, mask=np.array([[True, True, False]]))
    agree(learner, reference, q, k, v, mask=np.array([[False, True, True]]))
    given = inputs(rng)
    agree(learner, reference, *given, mask=some_mask(rng, 3, 5))
    agree(learner, reference, *given, mask=some_mask(rng, 3, 5))
    agree(learner, reference, *given, mask=np.eye(3, 5, k=2, dtype=bool))
    for mask in single_gaps(3, 5):
        agree(learner, reference, *given, mask=mask)
    agree(learner, reference, *given, mask=np.ones((3, 5), dtype=bool))
    agree(learner, reference, *inputs(rng, n_q=5), mask=np.tri(5, 5, dtype=bool))
    agree(learner, reference, *given, mask=None)


@check(points=1, hint="Let numpy broadcast the mask against the scores; a mask over the keys has one axis.")
def test_mask_over_keys(learner, reference, rng):
    """Takes a mask of shape (n_k,), (1, n_k) or (n_q, 1)"""
    given = inputs(rng)
    agree(learner, reference, *given, mask=np.array([True, False, True, True, False]))
    agree(learner, reference, *given, mask=some_mask(rng, 5))
    agree(learner, reference, *given, mask=some_mask(rng, 1, 5))
    agree(learner, reference, *given, mask=np.ones((3, 1), dtype=bool))
    agree(learner, reference, *given, mask=np.ones((1, 1), dtype=bool))
    agree(learner, reference, *given, mask=np.ones((1,), dtype=bool))
    agree(learner, reference, *inputs(rng, n_q=5, d_k=5, d_v=5), mask=some_mask(rng, 5))


@check(points=1, hint="One mask for the whole batch has no leading axis; broadcasting gives it one.")
def test_mask_shared_by_batch(learner, reference, rng):
    """Takes one mask for all of a batch"""
    one = inputs(rng, 2, n_q=3, n_k=5, d_k=7, d_v=11)
    two = inputs(rng, 2, 3, n_q=5, n_k=7, d_k=11, d_v=13)
    for mask in (some_mask(rng, 3, 5), some_mask(rng, 5), some_mask(rng, 1, 3, 5), some_mask(rng, 1, 1, 5)):
        agree(learner, reference, *one, mask=mask)
    for mask in (
        some_mask(rng, 5, 7),
        some_mask(rng, 7),
        some_mask(rng, 1, 1, 5, 7),
        some_mask(rng, 3, 5, 7),
    ):
        agree(learner, reference, *two, mask=mask)


@check(points=1, hint="A mask with leading axes of its own masks each member of the batch in its own way.")
def test_mask_of_each_member(learner, reference, rng):
    """Takes a mask of its own for each member of a batch"""
    one = inputs(rng, 2, n_q=3, n_k=5, d_k=7, d_v=11)
    two = inputs(rng, 2, 3, n_q=5, n_k=7, d_k=11, d_v=13)
    for mask in (some_mask(rng, 2, 3, 5), some_mask(rng, 2, 1, 5)):
        agree(learner, reference, *one, mask=mask)
    for shape in ((2, 3, 5, 7), (2, 1, 5, 7), (2, 1, 1, 7), (1, 3, 1, 7), (3, 1, 7), (2, 3, 1, 7)):
        agree(learner, reference, *two, mask=some_mask(rng, *shape))
    for given, shape in ((one, (2, 3, 5)), (two, (2, 3, 5, 7))):
        for mask in single_gaps(*shape):
            agree(learner, reference, *given, mask=mask)
    agree(learner, reference, *inputs(rng, 3, n_q=3, n_k=3), mask=some_mask(rng, 3, 3, 3))


@check(points=1, hint="Softmax has to take the largest score away first, row by row.")
def test_large_scores(learner, reference, rng):
    """Stays finite for scores of 10,000 and of -10,000"""
    q, k, v = inputs(rng, n_q=3, n_k=5, d_k=2, d_v=7)
    level = np.array([[10_000.0], [-10_000.0], [3.0]])
    flat = np.concatenate([q, level], axis=1), np.concatenate([k, np.full((5, 1), np.sqrt(3.0))], axis=1), v
    agree(learner, reference, *flat)
    agree(learner, reference, *(array[None] for array in flat))
    q = q * 9_900 / np.abs(q @ k.T / np.sqrt(2)).max()
    agree(learner, reference, q, k, v)
    agree(learner, reference, q / 1_400, k, v)  # weights from nearly 1 down to a millionth
    falling = np.array([[0.0], [-12.0], [-13.0], [-14.5], [-15.5]])  # weights of some millionths, and of less than one
    agree(learner, reference, np.ones((3, 1)), falling, v)
    # Members of a batch far apart: with one largest score for all of them, the weights of the others vanish.
    apart = np.stack([flat[0], flat[0][::-1], flat[0] * 1e-4]), np.stack([flat[1]] * 3), np.stack([v] * 3)
    agree(learner, reference, *apart)
    agree(learner, reference, *apart, mask=some_mask(rng, 3, 3, 5))
    agree(learner, reference, *(array[:, None] for array in apart), mask=some_mask(rng, 3, 5))


@check(
    points=1,
    hint="A large finite number is not large enough: only -inf gives 0 whatever the other scores are.",
)
def test_mask_of_large_scores(learner, reference, rng):
    """Masks scores of 10,000 completely"""
    q = np.sqrt(2.0) * np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, 0.5]])
    k = np.array([[10_000.0, 2.0], [-10_000.0, 1.0], [-9_999.0, 3.0], [9_999.0, -10_000.0], [1.0, -9_999.5]])
    v = rng.normal(size=(5, 7))
    for mask in (
        np.array([False, True, True, False, True]),
        np.array(
            [
                [False, True, True, False, False],
                [False, False, False, True, True],
                [True, False, True, True, True],
            ]
        ),
        some_mask(rng, 3, 5),
    ):
        agree(learner, reference, q, k, v, mask=mask)
    batch = np.stack([q, q[::-1]]), np.stack([k, k]), np.stack([v, -v])
    agree(learner, reference, *batch, mask=some_mask(rng, 2, 3, 5))


@check(points=1, hint="Scores and weights are fractions: nothing that takes them may be an array of integers.")
def test_integers(learner, reference, rng):
    """Takes integers"""
    for dtype in (np.int64, np.int32):
        given = [rng.integers(-1, 2, size=shape).astype(dtype) for shape in ((3, 2), (5, 2), (5, 7))]
        agree(learner, reference, *given)
        agree(learner, reference, *given, mask=some_mask(rng, 3, 5))
    batch = [rng.integers(-1, 2, size=shape) for shape in ((2, 3, 2), (2, 5, 2), (2, 5, 7))]
    agree(learner, reference, *batch, mask=some_mask(rng, 2, 3, 5))
    q, k, v = inputs(rng)
    agree(learner, reference, q, k, rng.integers(-3, 4, size=v.shape))


@check(points=1, hint="The result is as precise as the input; do not round it or go by way of float16.")
def test_float32(learner, reference, rng):
    """Takes float32"""
    for mask in (None, some_mask(rng, 3, 5), some_mask(rng, 2, 3, 5)):
        given = [array.astype(np.float32) for array in inputs(rng, 2)]
        expected = reference.scaled_dot_product_attention(*(array.astype(np.float64) for array in given), mask=mask)
        returned = learner.scaled_dot_product_attention(*given, mask=mask)
        part(returned, WEIGHTS, expected[WEIGHTS], atol=F32, names=NAMES, exact_zeros=True)
        part(returned, OUTPUT, expected[OUTPUT], atol=F32, names=NAMES)


@check(points=1, hint="`q /= ...`, `scores[...] = ...` on a view and `out=v` write into the caller's arrays.")
def test_leaves_arguments_alone(learner, reference, rng):
    """Leaves its arguments as they were"""
    given = inputs(rng)
    square = inputs(rng, n_q=3, n_k=3, d_k=3, d_v=3)
    unchanged(learner.scaled_dot_product_attention(*given))
    unchanged(learner.scaled_dot_product_attention(*square))
    unchanged(learner.scaled_dot_product_attention(*inputs(rng, 2, 3)))
    unchanged(learner.scaled_dot_product_attention(*given, mask=some_mask(rng, 3, 5)))
    unchanged(learner.scaled_dot_product_attention(*given, mask=some_mask(rng, 5)))
    unchanged(learner.scaled_dot_product_attention(*square, mask=some_mask(rng, 3, 3)))
    unchanged(learner.scaled_dot_product_attention(*inputs(rng, 2), mask=some_mask(rng, 2, 3, 5)))
    unchanged(learner.scaled_dot_product_attention(*(array.astype(np.float32) for array in given)))
    integers = [rng.integers(-1, 2, size=shape) for shape in ((3, 2), (5, 2), (5, 7))]
    unchanged(learner.scaled_dot_product_attention(*integers, mask=some_mask(rng, 3, 5)))
    agree(learner, reference, *square)  # to change nothing and do nothing earns nothing


@check(
    points=1,
    hint="Keep nothing between calls: no global, no mutable default, no cache, no array made only once.",
)
def test_every_call_afresh(learner, reference, rng):
    """Answers each call by itself, whatever was asked before"""
    first, second = inputs(rng), inputs(rng)
    for given in (first, second, first, inputs(rng, n_q=2, n_k=3, d_k=7, d_v=5), second):
        agree(learner, reference, *given)
    for changed in range(3):
        agree(learner, reference, *(second[at] if at == changed else first[at] for at in range(3)))
    call = learner.scaled_dot_product_attention
    for batch in (call.each(first, second, first), call.refilled(first, second, first)):
        for returned, given in zip(batch, (first, second, first), strict=True):
            same(returned, reference.scaled_dot_product_attention(*given), atol=F64, names=NAMES)


@check(points=1, hint="A mask counts for the call it was given to, and for no later one.")
def test_every_mask_afresh(learner, reference, rng):
    """Uses the mask of this call, not of an earlier one"""
    given = inputs(rng)
    masks = [some_mask(rng, 3, 5), ~np.eye(3, 5, dtype=bool), np.array([[True] * 4 + [False]] * 3)]
    for mask in (masks[0], None, masks[1], masks[0], masks[2], None):
        agree(learner, reference, *given, mask=mask)
    asked = [(*given, {"mask": mask}) for mask in masks]
    call = learner.scaled_dot_product_attention
    for batch in (call.each(*asked), call.refilled(*asked)):
        for returned, mask in zip(batch, masks, strict=True):
            expected = reference.scaled_dot_product_attention(*given, mask=mask)
            same(returned, expected, atol=F64, names=NAMES)
