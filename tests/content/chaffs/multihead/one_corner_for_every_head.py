"""x is split, and every head is projected with the upper left corner of the matrices.
expect: wrong_value
"""
import numpy as np
from softmax import softmax


def split_heads(x, num_heads):
    features = x.shape[-1]
    if num_heads <= 0 or features % num_heads != 0:
        raise ValueError(f"{features} features do not make {num_heads} heads")
    size = features // num_heads
    return np.stack([x[..., i * size:i * size + size] for i in range(num_heads)], axis=-3)


def merge_heads(x):
    *lead, num_heads, n, d_head = x.shape
    return np.moveaxis(x, -3, -2).reshape(*lead, n, num_heads * d_head)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    pieces = split_heads(x, num_heads)
    size = x.shape[-1] // num_heads
    corner = np.s_[:size, :size]
    scores = (pieces @ w_q[corner]) @ np.swapaxes(pieces @ w_k[corner], -1, -2) / np.sqrt(size)
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ (pieces @ w_v[corner])) @ w_o, weights
