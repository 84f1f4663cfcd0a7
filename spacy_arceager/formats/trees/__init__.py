"""Formats that parsed documents are written in, one a file. `rows.TreeFormat` is their row."""
