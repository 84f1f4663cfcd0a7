"""The transitions, one a file: properties, validity, action."""
