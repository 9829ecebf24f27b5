"""The solutions against the test cases of the ONNX operators Softmax and Attention, which come with the onnx package.

The cases hold inputs and outputs. Those that ask for what the exercises leave out are counted by reason, so that a
case that is not run is not lost unseen.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections import Counter

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the oracle extra is not installed")

ATOL = {2: 5e-3, 4: 1e-5, 8: 1e-9}  # by bytes of an entry: what the case itself was computed with
WITHIN = {"is_causal", "scale", "q_num_heads", "kv_num_heads", "qk_matmul_output_mode", "softmax_precision"}
FULLY_MASKED = "a row may attend to nothing"


@pytest.fixture(scope="session")
def collected():
    """All test cases of all operators; the package makes them once in a process and keeps what it was asked first."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # the package computes some cases on the brink of overflow
        from onnx.backend.test.case.node import collect_testcases

        return collect_testcases(None)


def cases(collected, operator):
    """Name, attributes, inputs by place, and the first output of each case of one operator."""
    for case in collected:
        node = case.model.graph.node[0]
        if node.op_type != operator:
            continue  # the operator written out in terms of others, with the same inputs and outputs
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        (inputs, outputs), *_ = case.data_sets
        # An array may be given twice, as query and as key: the data sets hold it once, under its name.
        by_name = dict(zip([given.name for given in case.model.graph.input], inputs, strict=True))
        places = {index: by_name[name] for index, name in enumerate(node.input) if name}
        yield case.name, attributes, places, outputs[0]


def test_softmax(solutions, collected):
    """Softmax gives the numbers of every case of the operator."""
    ran = 0
    for name, attributes, inputs, expected in cases(collected, "Softmax"):
        got = solutions.softmax.softmax(inputs[0], axis=attributes.get("axis", -1))
        np.testing.assert_allclose(got, expected, atol=1e-5, err_msg=name)
        ran += 1
    assert ran >= 7


def left_out(attributes, inputs):
    """Why a case asks for what the exercise does not do, or nothing."""
    beyond = sorted(name for name, value in attributes.items() if value and name not in WITHIN)
    if beyond:
        return f"attribute {beyond[0]}"
    return "lengths of padded sequences, causal" if 6 in inputs and attributes.get("is_causal") else ""


def mask_and_bias(attributes, inputs, n_q, n_k):
    """What a case adds to the scores: booleans, and numbers, both broadcasting to (..., n_q, n_k)."""
    mask = np.ones((n_q, n_k), dtype=bool)
    bias = np.zeros((n_q, n_k))
    if attributes.get("is_causal"):
        past = inputs[4].shape[-2] if 4 in inputs else 0
        mask = np.tri(n_q, n_k, past, dtype=bool)
    if 3 in inputs:
        given = inputs[3]
        short = [(0, 0)] * (given.ndim - 1) + [(0, n_k - given.shape[-1])]
        if given.dtype == bool:
            mask = mask & np.pad(given, short)
        else:
            given = np.pad(given.astype(np.float64), short, constant_values=-np.inf)
            mask = mask & (given > -np.inf)
            bias = np.where(given > -np.inf, given, 0)
    if 6 in inputs:  # how many keys of each sequence are no padding
        mask = mask & (np.arange(n_k) < inputs[6].reshape(-1, 1, 1, 1))
    return mask, bias


def with_bias(q, k, bias, scale):
    """Queries and keys whose scaled dot products are scale * q . k + bias: one more feature for each query."""
    n_q = q.shape[-2]
    own = np.broadcast_to(np.eye(n_q), (*q.shape[:-1], n_q))
    added = np.broadcast_to(np.swapaxes(bias, -1, -2), (*k.shape[:-1], n_q))
    wide_q = np.concatenate([scale * q, own], axis=-1)
    return wide_q * np.sqrt(wide_q.shape[-1]), np.concatenate([k, added], axis=-1)


def test_attention(solutions, collected):
    """Attention gives the output of every case of the operator that is within the exercise."""
    ran, without = [], Counter()
    for name, attributes, inputs, expected in cases(collected, "Attention"):
        reason = left_out(attributes, inputs)
        if reason:
            without[reason] += 1
            continue
        q, k, v = (inputs[index].astype(np.float64) for index in range(3))
        three = q.ndim == 3
        if three:  # (batch, n, heads * d_head): our own split_heads is what the operator does there
            q = solutions.multihead.split_heads(q, attributes["q_num_heads"])
            k, v = (solutions.multihead.split_heads(array, attributes["kv_num_heads"]) for array in (k, v))
        if 4 in inputs:
            k, v = (np.concatenate([inputs[index], array], axis=-2) for index, array in ((4, k), (5, v)))
        groups = q.shape[-3] // k.shape[-3]
        k, v = (np.repeat(array, groups, axis=-3) for array in (k, v))
        mask, bias = mask_and_bias(attributes, inputs, q.shape[-2], k.shape[-2])
        if not np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2])).any(axis=-1).all():
            without[FULLY_MASKED] += 1
            continue
        q, k = with_bias(q, k, bias, attributes.get("scale", 1 / np.sqrt(q.shape[-1])))
        output, _ = solutions.attention.scaled_dot_product_attention(q, k, v, mask)
        if three:
            output = solutions.multihead.merge_heads(output)
        np.testing.assert_allclose(output, expected, atol=ATOL[expected.dtype.itemsize], rtol=0, err_msg=name)
        ran.append(name)
    assert len(ran) >= 60, f"{len(ran)} ran, left out: {dict(without)}"
