"""The studio: a page on this machine, for the publisher alone, on which a spec is written and its report seen at once.

Everything here may see the true rule, so nothing that makes or reads public files knows of it. The rooms of this folder,
from the outside in: `serving` (a port of 127.0.0.1), `guard` (who may ask at all), `app` (what can be asked), `desk` (who
works on it, and what a tab is told), `work` (what a process of its own does), and beside them `spec_file`, `policy_text` and
`policy_figures`.
"""
