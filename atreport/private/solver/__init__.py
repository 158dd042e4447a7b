"""From bounds on every cell to the mapping to announce: solver.py is the way in.

closed_form.py and stages.py solve two outcomes and one sensitive attribute in time linear in the number of cells
(compiled.py, for large tables); programming.py solves the rest by linear programs with a proven interval.
"""
