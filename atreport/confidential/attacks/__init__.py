"""What an adversary could conclude from a draft."""
