"""What a model sees of the configurations of a system if its config does not name features.

Features are addresses as a config has them. network/features.py says what each address stands for.
"""

from typing import NamedTuple

from .parameters import SystemParameters


class Features(NamedTuple):
    """Addresses of words, which are the slots of the lower layer, and of small numbers."""

    words: tuple[str, ...]
    attributes: tuple[str, ...]


# Most arcs are between O1 and O2, and both words may get children on both sides.
STACK = Features(
    words=("O1", "O2", "O3", "U1", "O1.left1", "O1.right1", "O2.left1", "O2.right1"),
    attributes=(
        "O1.left1.label", "O1.right1.label", "O2.left1.label", "O2.right1.label",
        "O1.valency", "O2.valency", "O2-O1",
    ),
)
# O1 is the front of the buffer, which has no children on its right.
FRONT = Features(
    words=("O1", "U1", "O2", "O3", "O1.left1", "O2.left1", "O2.right1"),
    attributes=(
        "O2.label", "O2.left1.label", "O2.right1.label", "O1.left1.label",
        "O2.valency", "O1.valency", "O2-O1",
    ),
)
# Every word may have heads and children on both sides.
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


def features_of(parameters: SystemParameters) -> Features:
    """What a model sees of a system's configurations if its config does not name features.

    Graphs, front systems and other systems have a base each. To it come both ends of every arc and
    the word behind the farthest end, how far the ends are apart, and the labels, heads and children
    that an end of the system can have.
    """
    base = GRAPH if parameters.graph else FRONT if parameters.front else STACK
    words, attributes = list(base.words), list(base.attributes)
    arcs = [(t.left, t.right) for t in parameters.transitions if t.is_arc]
    ends = sorted(set(seen_from(parameters)))
    words += [f"O{i}" for i in range(1, ends[-1] + 2)]
    for end in ends:
        if parameters.keeps_dependents and not (parameters.front and end == 1):
            attributes.append(f"O{end}.label")      # one value says that the word has no head yet
            if parameters.distance > 1:
                words.append(f"O{end}.head")
        if end > 2:
            attributes += [f"O{end}.left1.label", f"O{end}.right1.label", f"O{end}.valency"]
    attributes += [f"O{left}-O{right}" for left, right in arcs]
    if parameters.swap and parameters.front:
        attributes.append("O1-U1")      # tells whether SWAP has put a word back
    return Features(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(attributes)))


def seen_from(parameters: SystemParameters) -> dict[int, str]:
    """From each position of O that a transition joins or takes out to the name of one that does."""
    return {
        position: str(transition)
        for transition in reversed(parameters.transitions)
        for position in (transition.left, transition.right)
        if position
    }
