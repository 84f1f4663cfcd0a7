"""Feature templates: what of a configuration the model sees, as addresses in a config.

A word address starts at O or U and may follow arcs. Both count from the anchor, which is
the right end of O in most systems: O to the left from it, U to the right, on through O
where the anchor lies deeper (easy-first), to the unprocessed words.
    O1            the anchor, e.g. the right end of O (the front of the buffer in front systems)
    O2.left1      its leftmost child so far; left2, right1 and right2 likewise
    U1            the word to its right, e.g. the first unprocessed word
    O2.head       its head, if it has one
An attribute address ends in a small number that a learnt table stands for:
    O2.label      the label of the word's arc
    O2.valency    its left and right children so far, each counted up to 3
    O2-O1         the distance between two words, in bins (the right one may be END); with
                  SWAP, O1-U1 tells whether a word came back
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

WORD = re.compile(r"([OU])([1-9])((?:\.(?:left1|left2|right1|right2|head)){0,2})")
HOPS = {"left1": 1, "left2": 2, "right1": 3, "right2": 4, "head": 5}
WORD_ONLY, LABEL, VALENCY, DISTANCE = 0, 1, 2, 3
N_DISTANCES = 10
N_VALENCIES = 16

DEFAULT_WORDS = [
    "O1", "U1", "O2", "O3", "O4",
    "O2.left1", "O2.left2", "O2.right1", "O2.right2",
    "O1.left1", "O1.left2", "O3.left1", "O3.right1",
]
DEFAULT_ATTRIBUTES = [
    "O2.label", "O2.left1.label", "O2.right1.label", "O1.left1.label",
    "O2.valency", "O1.valency", "O2-O1",
]


@dataclass(frozen=True)
class Address:
    """One address, compiled: source list, position, up to two hops, attribute."""

    in_unprocessed: bool
    position: int
    hops: tuple[int, int]
    attribute: int = WORD_ONLY
    other_position: int = 0      # for a distance: in O, or if negative in U

    @property
    def is_common(self) -> bool:
        """Whether nearly every word is at this place some time."""
        return not self.hops[0] and (self.in_unprocessed or self.position <= 2)

    @property
    def reach_left(self) -> int:
        """How many tokens left of its anchor the address looks."""
        return 0 if self.in_unprocessed else max(self.position, self.other_position) - 1

    @property
    def reach_right(self) -> int:
        """How many tokens right of its anchor the address looks."""
        return max(self.position if self.in_unprocessed else 0, -self.other_position)

    def row(self) -> list[int]:
        """The address as six ints, for the C side."""
        return [int(self.in_unprocessed), self.position, *self.hops, self.attribute,
                self.other_position]


@cache
def parse_word(text: str) -> Address:
    """A word address. Raises ValueError where it is not one."""
    match = WORD.fullmatch(text)
    if match is None:
        raise ValueError(
            f"'{text}' is no feature address: use O1..O9 or U1..U9, followed by at most two "
            f"of {', '.join('.' + hop for hop in HOPS)}"
        )
    hops = [HOPS[hop] for hop in match[3].split(".")[1:]] + [0, 0]
    return Address(match[1] == "U", int(match[2]), (hops[0], hops[1]))


@cache
def parse_attribute(text: str) -> Address:
    """An attribute address. Raises ValueError where it is not one."""
    for ending, attribute in ((".label", LABEL), (".valency", VALENCY)):
        if text.endswith(ending):
            word = parse_word(text[: -len(ending)])
            return Address(word.in_unprocessed, word.position, word.hops, attribute)
    distance = re.fullmatch(r"O([1-9])-([OU])([1-9])", text)
    if distance is None:
        raise ValueError(
            f"'{text}' is no attribute address: use a word address followed by .label or "
            ".valency, or a distance such as O2-O1 or O1-U1"
        )
    other = int(distance[3]) if distance[2] == "O" else -int(distance[3])
    return Address(False, int(distance[1]), (0, 0), DISTANCE, other)


def table_size(address: Address, n_labels: int) -> int:
    """Rows of the learnt table of an attribute; the first stands for "no word"."""
    if address.attribute == LABEL:
        return 2 + n_labels
    return 1 + (N_VALENCIES if address.attribute == VALENCY else N_DISTANCES)


def compile_words(words: Sequence[str]) -> list[Address]:
    """The word addresses of a config. Raises ValueError for a wrong one, or none at all."""
    if not words:
        raise ValueError("A transition model needs at least one word feature")
    return [parse_word(text) for text in words]


def compile_attributes(attributes: Sequence[str]) -> list[Address]:
    """The attribute addresses of a config. Raises ValueError for a wrong one."""
    return [parse_attribute(text) for text in attributes]
