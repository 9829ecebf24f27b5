"""The output buffer copies the dtype of v, so integer values cut off the averages."""
import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    lead, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    output = np.zeros(lead + (n_q, v.shape[-1]), dtype=v.dtype)
    weights = np.zeros(lead + (n_q, n_k))
    allowed = None if mask is None else np.broadcast_to(mask, weights.shape)
    for b in np.ndindex(lead):
        for i in range(n_q):
            row = k[b] @ q[b][i] / np.sqrt(q.shape[-1])
            if allowed is not None:
                row = np.where(allowed[b][i], row, -np.inf)
            weights[b][i] = softmax(row)
            output[b][i] = weights[b][i] @ v[b]
    return output, weights
