"""Multi-head attention: several patterns at once.

One set of weights holds one pattern, but a word relates to others in several ways at the same time. So the features
are split into heads, each head attends by itself, and their outputs are put side by side and mixed by one last matrix.

    head_h = Attention(q_h, k_h, v_h)        MultiHead(x) = concat(head_1, ..., head_H) @ w_o

(Vaswani et al. 2017, section 3.2.2, with the matrices of all heads side by side in w_q, w_k and w_v.)
Left aside here: dropout, biases, and queries that come from another sequence than the keys.
"""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    """Cut the features into heads.

        split[..., h, i, :] = x[..., i, h * d_head : (h + 1) * d_head]        d_head = d_model / num_heads

    Args:
        x: (..., n, d_model) features of n tokens.
        num_heads: how many heads; it has to divide d_model.

    Returns:
        An array of shape (..., num_heads, n, d_head); head h holds the h-th slice of neighbouring features.

    Raises:
        ValueError: num_heads is below 1 or does not divide d_model; the message names both numbers.

    Example: one token with four features, cut into two heads.

        >>> split_heads(np.array([[1, 2, 3, 4]]), 2).tolist()
        [[[1, 2]], [[3, 4]]]
    """
    n, d_model = x.shape[-2:]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} has to be at least 1 and to divide d_model={d_model}")
    # Reshaping alone cuts the features; it cannot move the heads in front of the tokens.
    heads = x.reshape(*x.shape[:-2], n, num_heads, d_model // num_heads)  # (..., n, num_heads, d_head)
    return np.swapaxes(heads, -3, -2)  # (..., num_heads, n, d_head)


def merge_heads(x):
    """Put the heads side by side again: the inverse of split_heads.

        merged[..., i, h * d_head : (h + 1) * d_head] = x[..., h, i, :]

    Args:
        x: (..., num_heads, n, d_head).

    Returns:
        An array of shape (..., n, num_heads * d_head).

    Example: two heads of one token, two features each.

        >>> merge_heads(np.array([[[1, 2]], [[3, 4]]])).tolist()
        [[1, 2, 3, 4]]
    """
    num_heads, n, d_head = x.shape[-3:]
    tokens = np.swapaxes(x, -3, -2)  # (..., n, num_heads, d_head)
    return tokens.reshape(*x.shape[:-3], n, num_heads * d_head)  # (..., n, d_model)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """Let several heads attend to the same tokens, each in its own way.

        q, k, v = x @ w_q, x @ w_k, x @ w_v, each split into heads
        output = merge(Attention(q, k, v)) @ w_o

    Args:
        x: (..., n, d_model) features of n tokens.
        w_q: (d_model, d_model) makes the queries of all heads, side by side.
        w_k: (d_model, d_model) makes the keys.
        w_v: (d_model, d_model) makes the values.
        w_o: (d_model, d_model) mixes the heads.
        num_heads: how many heads; it has to divide d_model.
        mask: booleans of shape (n, n) or (..., n, n), or None; True means that the token of the row may attend to
            the token of the column. It has no axis for the heads: all of them share it.

    Returns:
        The tuple (output, weights): output of shape (..., n, d_model), weights of shape (..., num_heads, n, n).

    Raises:
        ValueError: num_heads is below 1 or does not divide d_model; the message names both numbers.

    Example: all keys are 0, so every head takes the plain average of the two tokens.

        >>> x, eye = np.array([[1.0, 5.0], [3.0, 7.0]]), np.eye(2)
        >>> output, weights = multi_head_attention(x, eye, np.zeros((2, 2)), eye, eye, 2)
        >>> output.tolist(), weights.shape
        ([[2.0, 6.0], [2.0, 6.0]], (2, 2, 2))
    """
    q, k, v = project_qkv(x, w_q, w_k, w_v)  # each (..., n, d_model)
    q, k, v = (split_heads(part, num_heads) for part in (q, k, v))  # each (..., num_heads, n, d_head)
    if mask is not None:
        # A new axis where the heads are, of length 1: the mask broadcasts over all of them.
        mask = np.expand_dims(mask, -3)  # (..., 1, n, n)
    heads, weights = scaled_dot_product_attention(q, k, v, mask)  # (..., num_heads, n, d_head)
    return merge_heads(heads) @ w_o, weights  # (..., n, d_model)
