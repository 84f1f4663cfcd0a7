"""What a derivation has built, to be compared with a gold tree or graph."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..pipe.derived import Gold
    from ..visual.trace import Derivation


def built_heads(gold: "Gold", derivation: "Derivation") -> list[Any]:
    """The heads that were built, of the same kind as the gold heads."""
    if not gold.is_graph:
        return derivation.heads
    heads: list[list[int]] = [[] for _ in gold.heads]
    for arc in sorted(arc[:2] for step in derivation.steps for arc in step.arcs):
        heads[arc[1]].append(arc[0])
    return heads
