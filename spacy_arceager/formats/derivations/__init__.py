"""Formats that derivations are written in, one a file. `rows.DerivationFormat` is their row."""
