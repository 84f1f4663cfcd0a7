"""The named systems; each reads like its row in a paper's table."""

from collections.abc import Sequence

from .parameters import ArcParameters, SystemParameters


def arc_eager(
    tree_constraint: bool = True,
    non_monotonic: Sequence[str] = (),
    root: str = "none",
) -> SystemParameters:
    """Arc-eager (Nivre 2003; Bohnet et al. 2016, section 4.2).

    tree_constraint: every parse is one tree with one root (Nivre and
        Fernández-González 2014, figure 3). Without it, words left over at the end
        are all roots, the old heuristic.
    non_monotonic: "left", "reduce" or both (Honnibal et al. 2013, section 3).
    root: "none" or "right"; "right" needs tree_constraint=False.
    """
    return SystemParameters(
        name="arc_eager",
        capacity=2,
        distance=1,
        front=True,
        left=ArcParameters(),
        right=ArcParameters(reduce=False, shift=True),
        reduce=True,
        tree_constraint=tree_constraint,
        non_monotonic=tuple(sorted(non_monotonic)),
        root=root,
    )
