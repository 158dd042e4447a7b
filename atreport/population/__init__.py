"""Who is there: cells, bands, small counts. Nothing here knows a decision."""
