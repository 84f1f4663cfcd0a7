"""Formats that parsed documents are written in. Each file has one, a `rows.TreeFormat`."""
