"""All leading axes are flattened to one, worked through one by one and put back, and a list is returned."""
import numpy as np
from softmax import softmax


def _single(q, k, v, allowed):
    s = q.dot(k.T) / np.sqrt(q.shape[1])
    s = np.where(allowed, s, -np.inf)
    w = softmax(s, axis=1)
    return w.dot(v), w


def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    n_q, n_k = q.shape[-2], k.shape[-2]
    full = np.broadcast_to(True if mask is None else mask, lead + (n_q, n_k))
    boxes = [t.reshape((-1,) + t.shape[-2:]) for t in (q, k, v, full)]
    done = [_single(*parts) for parts in zip(*boxes)]
    output = np.stack([d[0] for d in done]).reshape(lead + (n_q, v.shape[-1]))
    weights = np.stack([d[1] for d in done]).reshape(lead + (n_q, n_k))
    return [output, weights]
