"""Random systems, models, trees and files, and what must hold for each.

A case is a function of a `random.Random`: hypothesis draws a few in the test suite
(`test_fuzz.py`) and shrinks what fails; `python -m tests.fuzz` draws millions.
"""
