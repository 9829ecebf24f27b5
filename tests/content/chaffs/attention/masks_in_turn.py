"""Gives the masks to the members of the batch in turn, whatever leading axes the mask has.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        masks = np.broadcast_to(mask, mask.shape[:-2] + (n_q, n_k)).reshape(-1, n_q, n_k)
        members = [
            np.where(masks[at % len(masks)], member, -np.inf)
            for at, member in enumerate(scores.reshape(-1, n_q, n_k))
        ]
        scores = np.array(members).reshape(scores.shape)
    weights = softmax(scores)
    return weights @ v, weights
