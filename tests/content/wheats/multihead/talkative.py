"""Prints, warns, has type hints, an extra keyword and a main block."""
from __future__ import annotations

import warnings

import numpy as np

from attention import scaled_dot_product_attention as attention


def split_heads(x: np.ndarray, num_heads: int, copy: bool = True) -> np.ndarray:
    n, d_model = x.shape[-2:]
    print(f"splitting {d_model} features into {num_heads} heads")
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(
            f"x of shape {x.shape} cannot be split into {num_heads} heads:\n"
            f"  {d_model} is not a positive multiple of {num_heads}"
        )
    heads = x.reshape(x.shape[:-2] + (n, num_heads, d_model // num_heads)).swapaxes(-3, -2)
    return heads.copy() if copy else heads


def merge_heads(x: np.ndarray) -> np.ndarray:
    if x.shape[-3] == 1:
        warnings.warn("only one head")
    return np.concatenate([x.take(h, axis=-3) for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None, verbose=True):
    q = split_heads(x @ w_q, num_heads)
    k = split_heads(x @ w_k, num_heads)
    v = split_heads(x @ w_v, num_heads)
    if mask is None:
        mask = np.array(True)
    else:
        mask = mask[..., None, :, :]
    out, weights = attention(q, k, v, mask=mask)
    if verbose:
        print("weights", weights.shape)
    return merge_heads(out) @ w_o, weights


if __name__ == "__main__":
    eye = np.eye(4)
    print(multi_head_attention(eye, eye, eye, eye, eye, 2)[0])
