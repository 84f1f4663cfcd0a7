"""Transition-based dependency parsing for spaCy."""
