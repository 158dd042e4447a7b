"""Read what strangers wrote: files, fonts, anything that may be hostile, within limits."""
