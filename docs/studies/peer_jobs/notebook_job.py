"""The job with a notebook that is executed and converted: python notebook_job.py DATA.csv FOLDER."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

cells = [
    "import pandas as pd",
    f"data = pd.read_csv({sys.argv[1]!r})",
    "rates = data.assign(released=data['decision'] == 'released').groupby('race')['released'].mean()",
    "rates.to_frame('release rate')",
    "pd.Series({'gap': rates.max() - rates.min(), 'ratio': rates.min() / rates.max()}).to_frame('race')",
    "rates.plot.barh();",
]
text = "# Release before trial\nWho is released, by race. *Nothing about privacy is said or checked here.*"
notebook = nbformat.v4.new_notebook(
    cells=[nbformat.v4.new_markdown_cell(text), *map(nbformat.v4.new_code_cell, cells)]
)
NotebookClient(notebook).execute()
page, _ = HTMLExporter().from_notebook_node(notebook)
Path(sys.argv[2], "report.html").write_text(page, encoding="utf-8")
