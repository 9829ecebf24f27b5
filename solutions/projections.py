"""Projections: each token makes a query, a key and a value.

A token's embedding says what it is. Attention needs three other things of it: what it looks for (the query), what it
can be found by (the key) and what it hands over when found (the value). Each is the embedding times a learned matrix.

    q = x @ w_q        k = x @ w_k        v = x @ w_v

Left aside here: there is no bias, and how the matrices are learned is another module's matter.
"""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    """Project embeddings to queries, keys and values.

        q = x @ w_q        k = x @ w_k        v = x @ w_v

    Args:
        x: (..., n, d_model) embeddings, one row for each of n tokens; any leading axes, or none.
        w_q: (d_model, d_k) makes queries.
        w_k: (d_model, d_k) makes keys.
        w_v: (d_model, d_v) makes values.

    Returns:
        The tuple (q, k, v): q and k of shape (..., n, d_k), v of shape (..., n, d_v).

    Example: one token with embedding (1, 2); its query is 1 * 3 + 2 * 4.

        >>> x, w_q, w_k = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([[1.0], [0.0]])
        >>> w_v = np.array([[0.0, 1.0], [5.0, 0.0]])
        >>> q, k, v = project_qkv(x, w_q, w_k, w_v)
        >>> q.tolist(), k.tolist(), v.tolist()
        ([[11.0]], [[1.0]], [[10.0, 1.0]])
    """
    q = x @ w_q  # (..., n, d_model) @ (d_model, d_k) -> (..., n, d_k)
    k = x @ w_k  # (..., n, d_k)
    v = x @ w_v  # (..., n, d_v)
    return q, k, v
