"""Docs read and written: words, boundaries, fixed arcs, lifted arcs."""
