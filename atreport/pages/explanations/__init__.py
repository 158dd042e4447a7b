"""Rules, influence and dependence, as readers see them."""
