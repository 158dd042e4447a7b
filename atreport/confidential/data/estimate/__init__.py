"""Ways to estimate the true decision mapping from records: frequencies, a surrogate tree, or a model."""
