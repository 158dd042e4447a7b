"""A report as catalogues know it: DCAT for data portals, schema.org for search engines, CSVW for each table.

Every function takes a Report and what is known of its files, and returns plain data. Nothing here fetches anything, and no
document names a context that its reader would have to fetch, but for the one that CSVW prescribes.
"""
