"""Which oracle is made for which system."""

from ..systems.parameters import SystemParameters


def check_generic(parameters: SystemParameters, kind: str) -> None:
    """Raise ValueError where a system has more than the sums over arcs are made for."""
    flags = {
        "swap=true": parameters.swap,
        "graph=true": parameters.graph,
        f"non_monotonic={list(parameters.non_monotonic)}": parameters.non_monotonic,
    }
    for flag, is_set in flags.items():
        if is_set:
            raise ValueError(
                f"The {kind} oracle and {flag} contradict each other in system "
                f"'{parameters.name}'; use the static oracle"
            )


def reduces_at_once(parameters: SystemParameters) -> bool:
    """Every dependent leaves O with its arc, and nothing else happens."""
    return not (
        parameters.swap or parameters.keeps_dependents
        or parameters.left.shift or parameters.right.shift
    )


def is_arc_standard(parameters: SystemParameters) -> bool:
    """Arcs between O[2] and O[1] only, under whatever name."""
    return reduces_at_once(parameters) and parameters.capacity == 2 and not parameters.front


def is_arc_decomposable(parameters: SystemParameters) -> bool:
    """The sum over arcs is exact, for projective gold trees."""
    return reduces_at_once(parameters) and (
        parameters.fills_at_once or parameters.is_arc_hybrid
    )
