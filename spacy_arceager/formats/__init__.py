"""File formats: how documents are read, and how parses and derivations are written.

Each format is a file with one row: an `InputFormat` in `inputs/`, a `TreeFormat` in `trees/`, or a
`DerivationFormat` in `derivations/`. `registry.py` finds the rows. The command line, the Python API
and the documentation take names, endings and help texts from them.
"""
