"""Reshapes the weight matrices, not the activations, and leaves the rest to einsum."""
import numpy as np


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    parts = x.reshape(x.shape[:-1] + (num_heads, -1))
    return np.einsum("...nhd->...hnd", parts)


def merge_heads(x):
    back = np.einsum("...hnd->...nhd", x)
    return back.reshape(back.shape[:-2] + (-1,))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    shape = (d_model, num_heads, d_model // num_heads)
    q, k, v = (np.einsum("...nm,mhd->...hnd", x, w.reshape(shape)) for w in (w_q, w_k, w_v))
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(shape[2])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    heads = np.einsum("...ij,...jd->...id", weights, v)
    output = np.einsum("...hnd,hdm->...nm", heads, w_o.reshape(num_heads, shape[2], d_model))
    return output, weights
