"""Stage 3, **mechanism**: a true table and a policy become a draft: bounds, the announced rule, certificates."""
