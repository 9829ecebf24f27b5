"""The solutions against PyTorch, which computes the same things by other means."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what PyTorch has to say about the machine is no concern of ours
    torch = pytest.importorskip("torch", reason="the oracle extra is not installed")

DTYPES = {np.float64: 1e-12, np.float32: 1e-5}
SHAPES = [(), (2,), (2, 3)]


def tensor(array):
    """The array as PyTorch has it."""
    return torch.from_numpy(np.array(array))


@pytest.mark.parametrize(("dtype", "axis"), list(itertools.product(DTYPES, range(-3, 3))))
def test_softmax(solutions, rng, dtype, axis):
    """Softmax gives PyTorch's numbers along every axis, for large scores and -inf too."""
    x = rng.normal(size=(5, 3, 7)).astype(dtype)
    for scores in (x, x + 10_000, 1_000 * x, np.where(x > 1, -np.inf, x)):
        expected = torch.softmax(tensor(scores), dim=axis).numpy()
        np.testing.assert_allclose(solutions.softmax.softmax(scores, axis=axis), expected, atol=DTYPES[dtype], rtol=0)


@pytest.mark.parametrize("leading", SHAPES)
def test_projections(solutions, rng, leading):
    """Projections are linear maps without a bias, with the transposed weight that PyTorch keeps."""
    x, *weights = rng.normal(size=(*leading, 3, 5)), *(rng.normal(size=(5, d)) for d in (2, 2, 7))
    for got, weight in zip(solutions.projections.project_qkv(x, *weights), weights, strict=True):
        np.testing.assert_allclose(got, torch.nn.functional.linear(tensor(x), tensor(weight.T)).numpy(), atol=1e-12)


@pytest.mark.parametrize(("dtype", "leading", "masked"), list(itertools.product(DTYPES, SHAPES, [False, True])))
def test_attention(solutions, rng, dtype, leading, masked):
    """Attention gives PyTorch's output; there too a True in a boolean mask means that a key may be attended to."""
    q, k, v = (rng.normal(size=(*leading, *shape)).astype(dtype) for shape in ((3, 2), (5, 2), (5, 7)))
    mask = (rng.random(size=(*leading, 3, 5)) < 0.5) | np.eye(3, 5, dtype=bool) if masked else None
    output, weights = solutions.attention.scaled_dot_product_attention(q, k, v, mask)
    expected = torch.nn.functional.scaled_dot_product_attention(
        tensor(q), tensor(k), tensor(v), attn_mask=None if mask is None else tensor(mask)
    )
    np.testing.assert_allclose(output, expected.numpy(), atol=DTYPES[dtype])
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=DTYPES[dtype])
    if mask is not None:
        assert (weights[~mask] == 0).all()


@pytest.mark.parametrize(
    ("num_heads", "leading", "masked"), list(itertools.product([1, 2, 3, 6], [(), (2,)], [False, True]))
)
def test_multihead(solutions, rng, num_heads, leading, masked):
    """Multi-head attention gives PyTorch's output and weights; there a True in the mask means the opposite."""
    n, d_model = 5, 6
    x = rng.normal(size=(*leading, n, d_model))
    w_q, w_k, w_v, w_o = rng.normal(size=(4, d_model, d_model))
    mask = (rng.random(size=(n, n)) < 0.5) | np.eye(n, dtype=bool) if masked else None
    theirs = torch.nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(tensor(np.concatenate([w_q.T, w_k.T, w_v.T])))
        theirs.out_proj.weight.copy_(tensor(w_o.T))
        expected, expected_weights = theirs(
            *[tensor(x)] * 3, attn_mask=None if mask is None else tensor(~mask), average_attn_weights=False
        )
    output, weights = solutions.multihead.multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask)
    np.testing.assert_allclose(output, expected.numpy(), atol=1e-12)
    np.testing.assert_allclose(weights, expected_weights.numpy(), atol=1e-12)
