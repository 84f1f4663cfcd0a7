"""The oracles that a config can name."""

from .oracle import Oracle


def static_oracle() -> Oracle:
    """One canonical derivation for each gold tree; no exploration."""
    return Oracle("static")


def dynamic_oracle(prefer_plain: bool = True) -> Oracle:
    """Costs as a sum over arcs (Goldberg and Nivre 2012; Honnibal et al. 2013, section 5).

    prefer_plain: see `Oracle`; it matters for non-monotonic systems.
    """
    return Oracle("dynamic", prefer_plain)


def exact_oracle(prefer_plain: bool = True) -> Oracle:
    """True costs under the tree constraint, also after the end of the input.

    prefer_plain: see `Oracle`.
    """
    return Oracle("exact", prefer_plain)
