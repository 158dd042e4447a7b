"""Who is there and what follows from a rule, in whole numbers and fractions: cells, bands, rule table, inference.

certify.py is the first door in the wall: it rounds a draft, proves its promises in exact arithmetic and hands out an
Announcement. suppression.py says which counts may be published. exact.py makes every product and sum.
"""
