"""A rule table becomes exact figures, and the ranges that the true ones lie in."""
