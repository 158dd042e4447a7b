"""The source that a spec names becomes the true decision table."""
