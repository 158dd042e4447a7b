"""What each fidelity costs in privacy."""
