"""What readers see."""
