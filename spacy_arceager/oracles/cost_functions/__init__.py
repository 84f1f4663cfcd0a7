"""The oracles: each file a cost function and its rows, which `registry.py` finds."""
