"""The transitions. Each has a file with its precondition and its action."""
