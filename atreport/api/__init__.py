"""The Python API: build a report of a spec, many of many, or one of a data frame; check a spec without building."""
