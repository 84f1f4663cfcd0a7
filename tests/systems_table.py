"""One table of systems; the generic tests run through all of its rows."""

from typing import NamedTuple

from spacy_arceager.systems import SystemParameters, arc_eager


class Row(NamedTuple):
    name: str
    parameters: SystemParameters
    one_tree: bool                # every output is one projective tree with one root
    steps: tuple[int, int]        # at most a * n + b transitions
    exact: tuple[str, ...]        # oracles that are exact for projective gold trees


NON_MONOTONIC = {"": [], "+NM-L": ["left"], "+NM-D": ["reduce"], "+NM-L+D": ["left", "reduce"]}

SYSTEMS = [
    Row(f"plain, root {root}{suffix}", arc_eager(False, moves, root), False, (2, 0), ("dynamic",))
    for root in ("none", "right")
    for suffix, moves in NON_MONOTONIC.items()
    if root == "right" or "reduce" not in moves
] + [
    Row(f"tree{suffix}", arc_eager(True, moves), True, (4, 0), ("exact",))
    for suffix, moves in NON_MONOTONIC.items()
]
