"""Formats that derivations are written in. Each file has one, a `rows.DerivationFormat`."""
