"""Formats that documents are read from, one a file. `rows.InputFormat` is their row."""
