"""The studio: a page on this machine, for the publisher alone, on which a spec is written and its report seen at once.

Everything here may see the true rule, so nothing that makes or reads public files knows of it. From the outside in:
guard.py (who may ask at all), app.py (a port of 127.0.0.1, and what can be asked), session.py (who works on it, and
what a tab is told), work.py (what a process of its own does).
"""
