"""Words and numbers as readers see them, below everything that speaks: messages, languages, numbers, tables."""
