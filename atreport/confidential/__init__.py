"""Behind the wall: the only rooms that may see the true decision mapping."""
