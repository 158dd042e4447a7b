"""Stage 2, **data**: the source that a spec names becomes the true decision table."""
