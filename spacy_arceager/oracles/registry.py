"""The oracles that a config can name."""

from .oracle import Oracle


def static_oracle() -> Oracle:
    """One canonical derivation for each gold tree; no exploration."""
    return Oracle("static")


def dynamic_oracle() -> Oracle:
    """Costs as a sum over arcs (Goldberg and Nivre 2012; Honnibal et al. 2013, section 5)."""
    return Oracle("dynamic")


def exact_oracle() -> Oracle:
    """True costs under the tree constraint, also after the end of the input."""
    return Oracle("exact")
