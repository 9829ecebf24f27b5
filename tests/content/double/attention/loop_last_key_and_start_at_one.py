"""The loop over the keys leaves out the last one, and the sum starts from ones instead of zeros."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    shape = (weights[..., :1] * v[..., :1, :]).shape
    output = np.ones(shape)
    for j in range(k.shape[-2] - 1):
        output = output + weights[..., j:j + 1] * v[..., j:j + 1, :]
    return output, weights
