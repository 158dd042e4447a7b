"""The sections of a report's page: one module a section, each a function of the Report."""
