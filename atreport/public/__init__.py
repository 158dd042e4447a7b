"""In front of the wall: everything here sees a Release and the spec's public text, never the true mapping."""
