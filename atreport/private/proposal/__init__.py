"""A file of decided cases becomes a first spec."""
