"""Drafts: one at a given fidelity, and the search for the fidelity or the rates that a policy leaves open."""
