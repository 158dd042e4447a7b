"""A Report for programs and other people's systems: all files of a build, spreadsheets, registers, comparisons."""
