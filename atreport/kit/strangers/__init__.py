"""Read what strangers wrote: files, anything that may be hostile, within limits."""
