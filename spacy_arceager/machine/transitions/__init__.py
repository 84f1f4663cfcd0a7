"""The transitions. Each has a file with its properties, its precondition and its action."""
