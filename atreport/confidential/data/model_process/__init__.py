"""The process in which a model runs: it reads a request from a folder and writes the answer there."""
