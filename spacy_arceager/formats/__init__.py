"""File formats: what is read as documents, and how parses and derivations are written.

A format is one file with one row: an `InputFormat` in `inputs/`, a `TreeFormat` in `trees/`, a
`DerivationFormat` in `derivations/`. `registry.py` finds the rows; the command line, the Python API
and the documentation take names, endings and help texts from them.
"""
