"""From Docs and their vectors to trees: encode, search, complete, confidence."""
