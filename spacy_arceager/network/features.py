"""Features: the places of a configuration that the model sees, named by addresses in a config.

A word address starts at O or U and may follow arcs. O counts leftwards from the anchor, which in
most systems is the right end of O; U counts rightwards from it. Where the anchor lies deeper in O
(easy-first), U goes on through O and then to the unprocessed words.
    O1            the anchor, e.g. the right end of O (the front of the buffer in front systems)
    O2.left1      the leftmost child of O2 so far; left2, right1 and right2 likewise
    O2.head       the head of O2, if it has one
    U1            the word to the right of the anchor, e.g. the first unprocessed word
An attribute address, such as O2.label or the distance O2-O1, stands for a small number that selects
a row of a learnt table. docs/settings.md lists all hops and attributes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..systems.features import seen_from
from ..systems.parameters import SystemParameters
from .addresses import ATTRIBUTES, HOPS

LABEL, DISTANCE = "label", "distance"
ENDINGS = [name for name in ATTRIBUTES if name != DISTANCE]
WORD = re.compile(rf"([OU])([1-9][0-9]?)((?:\.(?:{'|'.join(HOPS)})){{0,2}})")


@dataclass(frozen=True)
class Address:
    """One compiled address: list, position in it, up to two hops, perhaps an attribute."""

    in_unprocessed: bool
    position: int
    hops: tuple[str, ...] = ()
    attribute: str | None = None
    other_position: int = 0      # of the second word of a distance: in O, or negative in U

    @property
    def is_common(self) -> bool:
        """Whether nearly every word of a sentence is at this address at some time."""
        return not self.hops and (self.in_unprocessed or self.position <= 2)

    @property
    def reach_left(self) -> int:
        """How many tokens left of its anchor the address looks."""
        return 0 if self.in_unprocessed else max(self.position, self.other_position) - 1

    @property
    def reach_right(self) -> int:
        """How many tokens right of its anchor the address looks."""
        return max(self.position if self.in_unprocessed else 0, -self.other_position)


@cache
def parse_word(text: str) -> Address:
    """Compile a word address. Raises ValueError for any other text."""
    match = WORD.fullmatch(text)
    if match is None:
        raise ValueError(
            f"'{text:.60}' is no feature address: use O1..O99 or U1..U99, followed by at most two "
            f"of {', '.join('.' + hop for hop in HOPS)}"
        )
    return Address(match[1] == "U", int(match[2]), tuple(match[3].split(".")[1:]))


@cache
def parse_attribute(text: str) -> Address:
    """Compile an attribute address. Raises ValueError for any other text."""
    word, _, ending = text.rpartition(".")
    if ending in ENDINGS:
        return replace(parse_word(word), attribute=ending)
    distance = re.fullmatch(r"O([1-9][0-9]?)-([OU])([1-9][0-9]?)", text)
    if distance is None:
        raise ValueError(
            f"'{text:.60}' is no attribute address: use a word address followed by "
            f"{' or '.join('.' + name for name in ENDINGS)}, or a distance such as O2-O1 or O1-U1"
        )
    other = int(distance[3]) if distance[2] == "O" else -int(distance[3])
    return Address(False, int(distance[1]), (), DISTANCE, other)


def table_size(address: Address, n_labels: int) -> int:
    """How many rows the learnt table of an attribute has; the first stands for "no word"."""
    assert address.attribute is not None
    return ATTRIBUTES[address.attribute].table_size(n_labels)


def compile_words(words: Sequence[str]) -> list[Address]:
    """Compile the word addresses of a config. Raises ValueError for a wrong one, or for none."""
    if not words:
        raise ValueError("A transition model needs at least one word feature")
    return [parse_word(text) for text in words]


def compile_attributes(attributes: Sequence[str]) -> list[Address]:
    """Compile the attribute addresses of a config. Raises ValueError for a wrong one."""
    return [parse_attribute(text) for text in attributes]


def find_unseen(parameters: SystemParameters, words: Sequence[str]) -> dict[str, str]:
    """Words in O that a transition joins or removes although no address of `words` shows them.

    Returns:
        {address: a transition that joins or removes the word there}.
    """
    return {
        f"O{position}": transition
        for position, transition in sorted(seen_from(parameters).items())
        if f"O{position}" not in words
    }
