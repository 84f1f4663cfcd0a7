"""The oracles that a config can name."""

from ..systems.parameters import SystemParameters
from .oracle import Oracle


def static_oracle(swap_order: str = "arcs_first") -> Oracle:
    """One canonical derivation for each gold tree; no exploration.

    swap_order: for systems with SWAP, when it is taken: "arcs_first" (after gold arcs),
        "eager" (before them, Nivre 2009) or "lazy" (as late as possible, with the fewest
        SWAPs; Nivre, Kuhlmann and Hall 2009).
    """
    return Oracle("static", swap_order=swap_order)


def dynamic_oracle(prefer_plain: bool = True, projective_ties: bool = True) -> Oracle:
    """Costs defined everywhere.

    A sum over arcs for arc-eager with distance=1 (Goldberg and Nivre 2012; Honnibal et al.
    2013, section 5), arc-hybrid and easy-first; elsewhere the costs of the lookahead oracle.

    prefer_plain: see `Oracle`; it matters for the tree constraint and non-monotonic systems.
    projective_ties: see `Oracle`; it matters for systems with SWAP.
    """
    return Oracle("dynamic", prefer_plain, projective_ties=projective_ties)


def exact_oracle(prefer_plain: bool = True, projective_ties: bool = True) -> Oracle:
    """True costs: arc-eager under the tree constraint with distance=1, also after the end of
    the input, arc-standard (Goldberg, Sartorio and Satta 2014), arc-hybrid, easy-first, and by search
    the systems with SWAP.

    prefer_plain, projective_ties: see `Oracle`.
    """
    return Oracle("exact", prefer_plain, projective_ties=projective_ties)


def static_dynamic_oracle(swap_order: str = "eager") -> Oracle:
    """Arc-hybrid with SWAP: dynamic but for SWAP (de Lhoneux, Stymne and Nivre 2017).

    swap_order: "eager" as they have it, or "lazy", with far fewer SWAPs.
    """
    return Oracle("static_dynamic", swap_order=swap_order)


def reachability_oracle() -> Oracle:
    """Costs as a sum over arcs for any control parameters, SWAP and graphs aside."""
    return Oracle("reachability")


def lookahead_oracle() -> Oracle:
    """Costs found by parsing on after each transition, as the reachability oracle does."""
    return Oracle("lookahead", prefer_plain=True)


def default_oracle(parameters: SystemParameters) -> Oracle:
    """The oracle of a system where the config names none.

    An exact one where it is fast, or nearly exact; else the static one: the other dynamic
    ones are better for some systems and misleading for others.
    """
    if parameters.swap:
        kind = "static_dynamic" if parameters.is_arc_hybrid else "static"
        return Oracle(kind, swap_order="lazy")
    kinds = ["exact"]
    if parameters.is_arc_eager or parameters.graph:
        kinds.append("dynamic")
    elif parameters.has_arc_eager_arcs:
        kinds.append("reachability")
    oracles = (Oracle(kind, prefer_plain=True) for kind in kinds)
    return next((oracle for oracle in oracles if oracle.suits(parameters)), Oracle("static"))


def constraint_oracle(parameters: SystemParameters) -> Oracle:
    """The oracle that says whether arcs fixed in advance can still be had: an exact one.

    Where there is none, that which comes closest.
    """
    exact = Oracle("exact", projective_ties=False)
    return exact if exact.suits(parameters) else Oracle("dynamic", projective_ties=False)
