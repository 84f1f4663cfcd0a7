"""Oracles: what each transition costs in a configuration, given a gold tree."""
