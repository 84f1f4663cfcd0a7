"""Gold trees and graphs of Examples, and what happens to trees that a system cannot derive."""

# Stands in arrays of heads and labels for what is not annotated or has no counterpart.
MISSING = -1
# The ways to treat gold trees that a system cannot derive; see `trees.apply_policy`.
POLICIES = ("projectivize", "skip", "approximate")
