"""Everything in einsum, with the matrices reshaped to have an axis for the heads."""

import numpy as np
from softmax import softmax


def check(num_heads, d_model):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads ({num_heads}) must divide d_model ({d_model})")


def split_heads(x, num_heads):
    check(num_heads, x.shape[-1])
    *lead, n, d_model = x.shape
    return np.moveaxis(x.reshape(*lead, n, num_heads, d_model // num_heads), -2, -3)


def merge_heads(x):
    h, n, d = x.shape[-3:]
    return np.einsum("...hnd->...nhd", x).reshape(x.shape[:-3] + (n, h * d))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    check(num_heads, d_model)
    cut = (d_model, num_heads, d_model // num_heads)
    q, k, v = (np.einsum("...nm,mhd->...hnd", x, w.reshape(cut)) for w in (w_q, w_k, w_v))
    s = np.einsum("...hid,...hjd->...hij", q, k) / np.sqrt(cut[2])
    if mask is not None:
        s = np.where(mask[..., None, :, :], s, -np.inf)
    a = softmax(s)
    out = np.einsum("...hij,...hjd,hdm->...im", a, v, w_o.reshape(cut[1], cut[2], d_model))
    return out, a
