"""Scores, coverage, tests of significance, advice."""
