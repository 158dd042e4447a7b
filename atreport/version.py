"""The version of this program, which every report names."""

__version__ = "0.2.0.dev8"
