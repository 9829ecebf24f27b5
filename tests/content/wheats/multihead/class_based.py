"""A class holds the weights; the functions are thin wrappers around it."""
import numpy as np


class MultiHead:
    def __init__(self, d_model, num_heads):
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"num_heads={num_heads} must divide d_model={d_model}")
        self.h, self.d = num_heads, d_model // num_heads

    def split(self, x):
        return x.reshape(x.shape[:-1] + (self.h, self.d)).swapaxes(-3, -2)

    @staticmethod
    def merge(x):
        y = np.ascontiguousarray(x.swapaxes(-3, -2))
        return y.reshape(y.shape[:-2] + (y.shape[-2] * y.shape[-1],))

    def attend(self, x, w_q, w_k, w_v, mask):
        q, k, v = self.split(x @ w_q), self.split(x @ w_k), self.split(x @ w_v)
        s = q @ k.swapaxes(-1, -2) * self.d ** -0.5
        if mask is not None:
            s = np.where(np.expand_dims(mask, axis=-3), s, -np.inf)
        s = np.exp(s - s.max(axis=-1, keepdims=True))
        s = s / s.sum(axis=-1, keepdims=True)
        return s @ v, s


def split_heads(x, num_heads):
    return MultiHead(x.shape[-1], num_heads).split(x)


merge_heads = MultiHead.merge


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    mha = MultiHead(x.shape[-1], num_heads)
    heads, weights = mha.attend(x, w_q, w_k, w_v, mask)
    return mha.merge(heads) @ w_o, weights
