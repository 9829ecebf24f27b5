"""Scaled dot-product attention: a soft look-up.

A look-up in a table finds the one key that equals the query and returns its value. Attention compares the query with
all keys at once and returns the average of all values, each weighted by how well its key matches.

    Attention(q, k, v) = softmax(q @ k^T / sqrt(d_k)) @ v

(Vaswani et al. 2017, section 3.2.1.) Left aside here: a query that may attend to nothing; a later exercise settles it.
"""

import numpy as np
from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    """Average the values, weighted by how well each key matches the query.

        scores = q @ k^T / sqrt(d_k)        weights = softmax(scores)        output = weights @ v

    Args:
        q: (..., n_q, d_k) queries; q, k and v have the same leading axes, or none of them has any.
        k: (..., n_k, d_k) keys.
        v: (..., n_k, d_v) values, one for each key.
        mask: booleans of any shape that broadcasts to (..., n_q, n_k), or None. True means that the query may
            attend to the key; False means that it may not, and the weight is then exactly 0.

    Returns:
        The tuple (output, weights): output of shape (..., n_q, d_v), weights of shape (..., n_q, n_k); each row of
        weights sums to 1.

    Example: with d_k = 4 the scores are divided by 2, which leaves log 3 and 0, so the weights are 3/4 and 1/4, and
    the output is 3/4 of 4 plus 1/4 of 8.

        >>> q = np.array([[2.0, 0.0, 0.0, 0.0]])
        >>> k = np.array([[np.log(3.0), 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
        >>> output, weights = scaled_dot_product_attention(q, k, np.array([[4.0], [8.0]]))
        >>> output.round(3), weights.round(3)
        (array([[5.]]), array([[0.75, 0.25]]))
    """
    d_k = q.shape[-1]
    # Swapping the last two axes, and only those, leaves any leading axes where they are.
    scores = q @ np.swapaxes(k, -1, -2)  # (..., n_q, d_k) @ (..., d_k, n_k) -> (..., n_q, n_k)
    # A sum of d_k products of independent entries has a variance of d_k; dividing by its root brings it back to 1.
    scores = scores / np.sqrt(d_k)
    if mask is not None:
        # Before the softmax: the exponential of -inf is exactly 0, and what is left still sums to 1.
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)  # over the keys
    output = weights @ v  # (..., n_q, n_k) @ (..., n_k, d_v) -> (..., n_q, d_v)
    return output, weights
