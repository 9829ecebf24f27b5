"""Goes through the keys three by three, and cuts the mask to each tile from its beginning.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    n_k = k.shape[-2]
    allowed = np.broadcast_to(True if mask is None else mask, q.shape[:-1] + (n_k,))
    tiles = []
    for start in range(0, n_k, 3):
        keys = k[..., start : start + 3, :]
        tile = q @ np.swapaxes(keys, -1, -2) / np.sqrt(q.shape[-1])
        tiles.append(np.where(allowed[..., : keys.shape[-2]], tile, -np.inf))
    weights = softmax(np.concatenate(tiles, axis=-1))
    return weights @ v, weights
