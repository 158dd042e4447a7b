"""A true table and a policy become a draft: bounds, the announced rule, certificates."""
