"""The source that a spec names becomes the true decision table: table.py is the way in.

Files, databases, cells and records are read and counted with DuckDB; the rule is counted, fitted as a tree, or asked of a
model in a process of its own (model.py, model_process.py).
"""
