"""Transparency schemes: rules, influence and dependence, all from the announced mapping and the population."""
