"""The mask is transposed and added as 0 or a very low number.
expect: wrong_value
"""
import numpy as np
from projections import project_qkv


def split_heads(x, num_heads):
    features = x.shape[-1]
    if num_heads <= 0 or features % num_heads != 0:
        raise ValueError(f"{features} features do not make {num_heads} heads")
    size = features // num_heads
    return np.stack([x[..., i * size:i * size + size] for i in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(p, num_heads) for p in project_qkv(x, w_q, w_k, w_v))
    scores = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        bias = np.where(np.swapaxes(mask, -1, -2), 0.0, -1e9)
        scores = scores + bias[..., np.newaxis, :, :]
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ v) @ w_o, weights
