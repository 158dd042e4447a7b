"""What only makes sense across sections of a spec."""
