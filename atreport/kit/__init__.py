"""Numbers, tables, charts, fonts, HTML and PDF: how things are written, whatever they say."""
