"""Gold trees and graphs of Examples, and what is done with those a system cannot derive."""

# In arrays of heads and labels: what is not annotated, or has no counterpart.
MISSING = -1
# What to do with gold trees that a system cannot derive; see `trees.apply_policy`.
POLICIES = ("projectivize", "skip", "approximate")
