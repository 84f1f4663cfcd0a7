"""What a model sees of the configurations of a system where nobody says otherwise.

Features are addresses as a config has them; network/features.py says what each stands for.
"""

from typing import NamedTuple

from .parameters import SystemParameters


class Features(NamedTuple):
    """words: addresses of words, the slots of the lower layer. attributes: of small numbers."""

    words: tuple[str, ...]
    attributes: tuple[str, ...]


# O1 and O2 are the words of most arcs, and both may get children on both sides.
STACK = Features(
    words=(
        "O1", "O2", "O3", "U1", "U2",
        "O1.left1", "O1.left2", "O1.right1", "O1.right2",
        "O2.left1", "O2.left2", "O2.right1", "O2.right2",
    ),
    attributes=(
        "O1.left1.label", "O1.right1.label", "O2.left1.label", "O2.right1.label",
        "O1.valency", "O2.valency", "O2-O1",
    ),
)
# O1 is the front of the buffer: it has no children on its right.
FRONT = Features(
    words=(
        "O1", "U1", "O2", "O3", "O4",
        "O2.left1", "O2.left2", "O2.right1", "O2.right2",
        "O1.left1", "O1.left2", "O3.left1", "O3.right1",
    ),
    attributes=(
        "O2.label", "O2.left1.label", "O2.right1.label", "O1.left1.label",
        "O2.valency", "O1.valency", "O2-O1",
    ),
)
# Any word may have heads and children anywhere.
GRAPH = Features(
    words=(
        "O1", "U1", "U2", "O2", "O3", "O4",
        "O1.left1", "O1.left2", "O1.right1", "O1.right2", "O1.head",
        "O2.left1", "O2.left2", "O2.right1", "O2.right2", "O2.head",
        "O3.right1", "O3.head",
    ),
    attributes=(
        "O1.label", "O2.label", "O3.label",
        "O1.left1.label", "O1.right1.label", "O2.left1.label", "O2.right1.label",
        "O1.valency", "O2.valency", "O2-O1", "O3-O2",
    ),
)


def features_by_rule(parameters: SystemParameters) -> Features:
    """The features that follow from control parameters.

    Those of a graph, a stack or a stack with a buffer front; then both ends of every arc and
    the word behind the farthest, how far the ends are apart, and what else each end has.
    """
    base = GRAPH if parameters.graph else FRONT if parameters.front else STACK
    words, attributes = list(base.words), list(base.attributes)
    arcs = [(t.left, t.right) for t in parameters.transitions if t.is_arc]
    ends = sorted(set(seen_from(parameters)))
    words += [f"O{i}" for i in range(1, ends[-1] + 2)]
    for end in ends:
        if parameters.keeps_dependents and not (parameters.front and end == 1):
            attributes.append(f"O{end}.label")      # or that it has none yet
            if parameters.distance > 1:
                words.append(f"O{end}.head")
        if end > 2:
            attributes += [f"O{end}.left1.label", f"O{end}.right1.label", f"O{end}.valency"]
    attributes += [f"O{left}-O{right}" for left, right in arcs]
    if parameters.swap and parameters.front:
        attributes.append("O1-U1")      # whether a word came back
    return Features(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(attributes)))


def seen_from(parameters: SystemParameters) -> dict[int, str]:
    """The positions in O that the transitions join or take out: {position: a transition}."""
    return {
        position: str(transition)
        for transition in reversed(parameters.transitions)
        for position in (transition.left, transition.right)
        if position
    }
