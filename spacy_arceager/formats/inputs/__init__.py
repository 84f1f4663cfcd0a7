"""Formats that documents are read from. Each file has one, a `rows.InputFormat`."""
