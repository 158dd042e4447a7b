"""Regulators' forms."""
