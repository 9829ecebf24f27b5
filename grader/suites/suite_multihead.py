"""Hidden checks of the three functions of multihead, from the smallest telling input to the largest."""

import numpy as np

from grader.expect import check, part, raises, same, single_gaps, some_mask, unchanged

F64 = 1e-8
F32 = 1e-5
NAMES = ("output", "weights")
OUTPUT, WEIGHTS = 0, 1


def inputs(rng, *leading, n=5, num_heads=2, d_head=3):
    """Features and the four matrices, with entries such that scores are of order 1, and the number of heads."""
    d_model = num_heads * d_head
    matrices = rng.normal(size=(4, d_model, d_model)) / np.sqrt(d_model)
    return (rng.normal(size=(*leading, n, d_model)), *matrices, num_heads)


def agree(learner, reference, *given, **named):
    """Both parts are those of the reference, and masked weights are exactly 0."""
    returned = learner.multi_head_attention(*given, **named)
    expected = reference.multi_head_attention(*given, **named)
    part(returned, WEIGHTS, expected[WEIGHTS], atol=F64, names=NAMES, exact_zeros=True)
    part(returned, OUTPUT, expected[OUTPUT], atol=F64, names=NAMES)


def unfit(rng, count):
    """Sizes of which the number of heads does not divide d_model, no two alike: no one message names them all."""
    for d_model in rng.choice(np.arange(13, 30), count, replace=False):
        yield int(d_model), int(rng.choice([heads for heads in range(2, d_model) if d_model % heads]))


@check(
    points=1,
    hint="Head h takes neighbouring features, those from h * d_head on; a reshape alone mixes tokens up.",
)
def test_split(learner, reference, rng):
    """Splits the features into heads"""
    for shape, num_heads in (
        ((2, 6), 3),
        ((1, 4), 2),
        ((5, 6), 2),
        ((7, 15), 5),
        ((2, 7), 1),
        ((2, 7), 7),
        ((3, 9), 3),
    ):
        x = rng.normal(size=shape)
        same(learner.split_heads(x, num_heads), reference.split_heads(x, num_heads), atol=F64)


@check(points=1, hint="The heads come right in front of the tokens; axes before those stay where they are.")
def test_split_leading_axes(learner, reference, rng):
    """Splits with leading axes"""
    for shape, num_heads in (
        ((2, 5, 6), 3),
        ((3, 5, 2, 21), 7),
        ((2, 2, 4), 2),
        ((2, 1, 3, 5, 6), 2),
        ((3, 3, 9), 3),
    ):
        x = rng.normal(size=shape)
        same(learner.split_heads(x, num_heads), reference.split_heads(x, num_heads), atol=F64)
    turned = np.asfortranarray(rng.normal(size=(2, 3, 6)))  # the same as any, but it lies in memory otherwise
    same(learner.split_heads(turned, 3), reference.split_heads(turned, 3), atol=F64)


@check(points=1, hint="Test `d_model % num_heads`, and put both numbers into the message of a ValueError.")
def test_split_refuses_a_remainder(learner, rng):
    """Refuses to split when num_heads does not divide d_model"""
    for d_model, num_heads in ((6, 5), (7, 2), (10, 4), (3, 6), *unfit(rng, 4)):
        raises(
            learner.split_heads(rng.normal(size=(5, d_model)), num_heads),
            ValueError,
            mentions=(num_heads, d_model),
        )
    raises(learner.split_heads(rng.normal(size=(2, 5, 7)), 3), ValueError, mentions=(3, 7))
    unchanged(learner.split_heads(rng.normal(size=(5, 6)), 3))  # to refuse everything earns nothing


@check(points=1, hint="0 cannot divide, and -2 divides 6 without a remainder: both have to be refused first.")
def test_split_refuses_less_than_one(learner, rng):
    """Refuses to split into fewer than one head"""
    drawn = [(d_model, -num_heads) for d_model, num_heads in unfit(rng, 4)]
    for d_model, num_heads in ((6, 0), (6, -1), (6, -2), (10, -5), *drawn):
        raises(
            learner.split_heads(rng.normal(size=(5, d_model)), num_heads),
            ValueError,
            mentions=(num_heads, d_model),
        )
    raises(learner.split_heads(rng.normal(size=(2, 3, 8)), 0), ValueError, mentions=(0, 8))
    unchanged(learner.split_heads(rng.normal(size=(5, 6)), 1))  # to refuse everything earns nothing


@check(points=1, hint="Undo the two steps of split_heads in the opposite order.")
def test_merge(learner, reference, rng):
    """Merges heads side by side"""
    for shape in ((3, 2, 2), (2, 1, 2), (2, 5, 3), (5, 7, 3), (1, 2, 7), (7, 2, 1), (3, 3, 3)):
        x = rng.normal(size=shape)
        same(learner.merge_heads(x), reference.merge_heads(x), atol=F64)


@check(points=1, hint="Only the axes of the heads and of the tokens change places.")
def test_merge_leading_axes(learner, reference, rng):
    """Merges with leading axes"""
    for shape in ((2, 3, 5, 7), (3, 5, 7, 2, 3), (2, 2, 2, 2), (2, 1, 3, 2, 5, 3), (3, 3, 3, 3)):
        x = rng.normal(size=shape)
        same(learner.merge_heads(x), reference.merge_heads(x), atol=F64)
    turned = np.asfortranarray(rng.normal(size=(2, 3, 5, 2)))
    same(learner.merge_heads(turned), reference.merge_heads(turned), atol=F64)


@check(points=1, hint="Moving numbers about changes none of them: no rounding, no other kind of number.")
def test_split_and_merge_integers(learner, reference, rng):
    """Splits and merges integers and float32"""
    for dtype in (np.int64, np.int32, np.float32):
        x = rng.integers(-9, 10, size=(2, 5, 6)).astype(dtype)
        same(learner.split_heads(x, 3), reference.split_heads(x, 3), atol=F64)
        heads = rng.integers(-9, 10, size=(2, 3, 5, 2)).astype(dtype)
        same(learner.merge_heads(heads), reference.merge_heads(heads), atol=F64)


@check(points=1, hint="Each head has its own slice of queries and keys, and shares out its weight by itself.")
def test_weights(learner, reference, rng):
    """Gives each head weights of its own"""
    for given in (
        inputs(rng, n=2, num_heads=2, d_head=1),
        inputs(rng),
        inputs(rng, n=7, num_heads=3, d_head=5),
    ):
        expected = reference.multi_head_attention(*given)[WEIGHTS]
        part(learner.multi_head_attention(*given), WEIGHTS, expected, atol=F64, names=NAMES)


@check(points=1, hint="The heads are merged, and then mixed by w_o.")
def test_output(learner, reference, rng):
    """Merges and mixes the heads"""
    for given in (
        inputs(rng, n=2, num_heads=2, d_head=1),
        inputs(rng),
        inputs(rng, n=7, num_heads=3, d_head=5),
    ):
        expected = reference.multi_head_attention(*given)[OUTPUT]
        part(learner.multi_head_attention(*given), OUTPUT, expected, atol=F64, names=NAMES)


@check(
    points=1,
    hint="One head is plain attention followed by w_o; with d_model heads each has a single feature.",
)
def test_number_of_heads(learner, reference, rng):
    """Works for one head and for as many heads as features"""
    agree(learner, reference, *inputs(rng, n=3, num_heads=1, d_head=5))
    agree(learner, reference, *inputs(rng, n=3, num_heads=5, d_head=1))
    agree(learner, reference, *inputs(rng, n=2, num_heads=7, d_head=3))
    agree(learner, reference, *inputs(rng, n=11, num_heads=3, d_head=2))


@check(points=1, hint="Nothing may be told from the sizes: two equal ones are still two different axes.")
def test_equal_sizes(learner, reference, rng):
    """Works when sizes happen to be equal"""
    agree(learner, reference, *inputs(rng, n=3, num_heads=3, d_head=3))
    agree(learner, reference, *inputs(rng, n=2, num_heads=2, d_head=3))
    agree(learner, reference, *inputs(rng, n=6, num_heads=2, d_head=3))
    agree(learner, reference, *inputs(rng, 3, n=3, num_heads=3, d_head=3))
    agree(learner, reference, *inputs(rng, 2, n=5, num_heads=2, d_head=3))


@check(points=1, hint="A single token attends to itself with weight 1; its axis stays.")
def test_one_token(learner, reference, rng):
    """Takes a single token, and very many"""
    agree(learner, reference, *inputs(rng, n=1))
    agree(learner, reference, *inputs(rng, 2, n=1, num_heads=3, d_head=2))
    agree(learner, reference, *inputs(rng, n=67, num_heads=2, d_head=1))


@check(points=1, hint="The heads come after the leading axes and before the tokens.")
def test_leading_axes(learner, reference, rng):
    """Takes one, two and three leading axes"""
    agree(learner, reference, *inputs(rng, 3, n=5, num_heads=2, d_head=7))
    agree(learner, reference, *inputs(rng, 2, 3, n=7, num_heads=5, d_head=2))
    agree(learner, reference, *inputs(rng, 2, 1, 3, n=2, num_heads=3, d_head=5))
    *arrays, num_heads = inputs(rng, 2, n=3, num_heads=2, d_head=3)
    agree(learner, reference, *map(np.asfortranarray, arrays), num_heads)


@check(points=1, hint="All heads share the mask, so it needs an axis of length 1 where the heads are.")
def test_mask(learner, reference, rng):
    """Takes one mask for all heads"""
    given = inputs(rng)
    for mask in (
        some_mask(rng, 5, 5),
        np.eye(5, k=1, dtype=bool) | np.eye(5, k=-4, dtype=bool),
        np.tri(5, dtype=bool),
    ):
        agree(learner, reference, *given, mask=mask)
    for mask in single_gaps(5, 5):
        agree(learner, reference, *given, mask=mask)
    agree(learner, reference, *given, mask=some_mask(rng, 5, 5))
    agree(learner, reference, *given, mask=np.ones((5, 5), dtype=bool))
    agree(learner, reference, *given, mask=None)
    agree(learner, reference, *inputs(rng, n=3, num_heads=3, d_head=2), mask=some_mask(rng, 3, 3))


@check(points=1, hint="A mask (n, n) fits a batch as it is, once it has its axis for the heads.")
def test_mask_shared_by_batch(learner, reference, rng):
    """Takes one mask for all of a batch"""
    agree(learner, reference, *inputs(rng, 3, n=5, num_heads=2, d_head=7), mask=some_mask(rng, 5, 5))
    agree(learner, reference, *inputs(rng, 2, 3, n=7, num_heads=5, d_head=2), mask=some_mask(rng, 7, 7))


@check(points=1, hint="A mask (batch, n, n) has no axis for the heads. Where does the new one have to go?")
def test_mask_of_each_member(learner, reference, rng):
    """Takes a mask of its own for each member of a batch"""
    agree(learner, reference, *inputs(rng, 3, n=5, num_heads=2, d_head=7), mask=some_mask(rng, 3, 5, 5))
    agree(learner, reference, *inputs(rng, 2, n=5, num_heads=2, d_head=3), mask=some_mask(rng, 2, 5, 5))
    agree(learner, reference, *inputs(rng, 2, 3, n=7, num_heads=5, d_head=2), mask=some_mask(rng, 2, 3, 7, 7))
    agree(learner, reference, *inputs(rng, 2, 3, n=5, num_heads=3, d_head=2), mask=some_mask(rng, 2, 3, 5, 5))
    given = inputs(rng, 3, n=5, num_heads=2, d_head=7)
    for mask in single_gaps(3, 5, 5):
        agree(learner, reference, *given, mask=mask)


@check(points=1, hint="Softmax row by row, with -inf where the mask forbids.")
def test_large_scores(learner, reference, rng):
    """Stays finite, and masks completely, for scores of thousands"""
    x, w_q, w_k, w_v, w_o, num_heads = inputs(rng)
    q, k = reference.split_heads(x @ w_q, num_heads), reference.split_heads(x @ w_k, num_heads)
    largest = np.abs(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])).max()
    for matrices in ((w_q * 9_900 / largest, w_k), (w_q, w_k * 9_900 / largest)):
        agree(learner, reference, x, *matrices, w_v, w_o, num_heads)
        agree(learner, reference, x, *matrices, w_v, w_o, num_heads, mask=some_mask(rng, 5, 5))
    agree(learner, reference, x, 9 * w_q, w_k, w_v, w_o, num_heads)  # weights from nearly 1 down to a millionth
    # Members of a batch far apart: with one largest score for all of them, the weights of the others vanish.
    apart = np.stack([x, x[::-1], x / 100])
    agree(learner, reference, apart, w_q * 9_900 / largest, w_k, w_v, w_o, num_heads, mask=some_mask(rng, 3, 5, 5))
    # One token points the other way: it scores about 9,900 with itself and -9,900 with every other.
    same_way = np.ones((5, 1)) + rng.normal(size=(5, 6)) * 1e-4
    same_way[0] *= -1
    itself = np.eye(6) * np.sqrt(9_900 / np.sqrt(3))
    but_itself = np.ones((5, 5), dtype=bool)
    but_itself[0, [0, 3]] = False
    agree(learner, reference, same_way, itself, itself, w_v, w_o, num_heads, mask=but_itself)


@check(
    points=1,
    hint="split_heads refuses already; do not catch it, and do not compute the sizes in another way.",
)
def test_refuses_bad_numbers_of_heads(learner, rng):
    """Refuses a number of heads that is below 1 or does not divide d_model"""
    x, *matrices, _ = inputs(rng)
    for num_heads in (5, 4, 12, 0, -1, -3):
        raises(learner.multi_head_attention(x, *matrices, num_heads), ValueError, mentions=(num_heads, 6))
    batch, *others, _ = inputs(rng, 2, n=3, num_heads=5, d_head=2)
    for num_heads in (3, 4, 0, -2):
        raises(learner.multi_head_attention(batch, *others, num_heads), ValueError, mentions=(num_heads, 10))
    for d_model, num_heads in unfit(rng, 3):
        x, *more, _ = inputs(rng, n=2, num_heads=1, d_head=d_model)
        raises(learner.multi_head_attention(x, *more, num_heads), ValueError, mentions=(num_heads, d_model))
    unchanged(learner.multi_head_attention(batch, *others, 5))  # to refuse everything earns nothing


@check(points=1, hint="Scores and weights are fractions: nothing that takes them may be an array of integers.")
def test_integers(learner, reference, rng):
    """Takes integers"""
    for dtype in (np.int64, np.int32):
        given = [rng.integers(-1, 2, size=shape).astype(dtype) for shape in ((3, 4), *[(4, 4)] * 4)]
        agree(learner, reference, *given, 2)
        agree(learner, reference, *given, 2, mask=some_mask(rng, 3, 3))
    batch = [rng.integers(-1, 2, size=shape) for shape in ((2, 3, 4), *[(4, 4)] * 4)]
    agree(learner, reference, *batch, 2, mask=some_mask(rng, 2, 3, 3))
    _, *matrices, num_heads = inputs(rng, num_heads=2, d_head=2)
    agree(learner, reference, rng.integers(-1, 2, size=(3, 4)), *matrices, num_heads)


@check(points=1, hint="The result is as precise as the input; do not round it or go by way of float16.")
def test_float32(learner, reference, rng):
    """Takes float32"""
    *arrays, num_heads = inputs(rng, 2)
    given = [array.astype(np.float32) for array in arrays]
    for mask in (None, some_mask(rng, 5, 5)):
        expected = reference.multi_head_attention(*(array.astype(np.float64) for array in given), num_heads, mask=mask)
        returned = learner.multi_head_attention(*given, num_heads, mask=mask)
        part(returned, WEIGHTS, expected[WEIGHTS], atol=F32, names=NAMES, exact_zeros=True)
        part(returned, OUTPUT, expected[OUTPUT], atol=F32, names=NAMES)


@check(points=1, hint="`x *= ...`, `mask &= ...` and writing into a view of x change the caller's arrays.")
def test_leaves_arguments_alone(learner, reference, rng):
    """Leaves the arguments of all three functions as they were"""
    given = inputs(rng)
    unchanged(learner.multi_head_attention(*given))
    unchanged(learner.multi_head_attention(*given, mask=some_mask(rng, 5, 5)))
    unchanged(learner.multi_head_attention(*inputs(rng, 2, n=3, num_heads=3, d_head=1), mask=some_mask(rng, 2, 3, 3)))
    unchanged(learner.multi_head_attention(*inputs(rng, n=5, num_heads=1, d_head=5)))
    unchanged(learner.multi_head_attention(*(array.astype(np.float32) for array in given[:-1]), given[-1]))
    unchanged(learner.multi_head_attention(*inputs(rng, 2, 1, n=3)))
    unchanged(learner.split_heads(given[0], 2))
    unchanged(learner.merge_heads(rng.normal(size=(2, 5, 3))))
    unchanged(learner.merge_heads(rng.normal(size=(1, 5, 3))))
    agree(learner, reference, *given)  # to change nothing and do nothing earns nothing


@check(
    points=1,
    hint="Keep nothing between calls: no global, no mutable default, no cache, no array made only once.",
)
def test_every_call_afresh(learner, reference, rng):
    """Answers each call by itself, whatever was asked before"""
    first, second = inputs(rng), inputs(rng)
    three = inputs(rng, num_heads=3, d_head=2)
    mask, other = some_mask(rng, 5, 5), ~np.eye(5, dtype=bool)
    for given, used in (
        (first, None), (second, None), (first, mask), (first, None), (first, other),
        ((*first[:-1], 3), None), (three, None), (first, mask),
    ):  # fmt: skip
        agree(learner, reference, *given, mask=used)
    for changed in range(5):
        agree(learner, reference, *(second[at] if at == changed else first[at] for at in range(6)))
    call = learner.multi_head_attention
    asked = [(first, mask), (second, other), (first, other), (first, mask)]
    arguments = [(*given, {"mask": used}) for given, used in asked]
    for batch in (call.each(*arguments), call.refilled(*arguments)):
        for returned, (given, used) in zip(batch, asked, strict=True):
            same(returned, reference.multi_head_attention(*given, mask=used), atol=F64, names=NAMES)
    arrays = rng.normal(size=(2, 5, 6))
    for returned, x in zip(learner.split_heads.each((arrays[0], 2), (arrays[1], 2)), arrays, strict=True):
        same(returned, reference.split_heads(x, 2), atol=F64)
    arrays = rng.normal(size=(2, 2, 5, 3))
    for returned, x in zip(learner.merge_heads.each((arrays[0],), (arrays[1],)), arrays, strict=True):
        same(returned, reference.merge_heads(x), atol=F64)
