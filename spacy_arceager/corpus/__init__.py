"""Treebanks: files in CoNLL-U and of spaCy's Docs, and the reader that configs name."""
