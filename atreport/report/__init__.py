"""report.json: what it holds, how it is written and read."""
