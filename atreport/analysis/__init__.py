"""Stage 5, **analysis**: a rule table becomes exact figures, and the ranges that the true ones lie in."""
