"""An attention of its own divides by the square root of d_model and not of the head width."""
import numpy as np
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads)).swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v))
    scores = np.einsum("...hid,...hjd->...hij", q, k) / np.sqrt(x.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -1e9)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
