"""Greek names, tabs, and a little demonstration that runs on import."""
import numpy as np

π = np.pi  # not needed


def scaled_dot_product_attention(q, k, v, mask=None):
	σ = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
	if mask is not None:
		σ = np.where(mask, σ, -np.inf)
	α = np.exp(σ - σ.max(axis=-1, keepdims=True))
	α = α / α.sum(axis=-1, keepdims=True)  # Σ_j α_ij = 1
	return α @ v, α


print("demo:", scaled_dot_product_attention(np.eye(2), np.eye(2), np.eye(2))[1])
