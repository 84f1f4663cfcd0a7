"""Scores by the length of sentences, by the distance of arcs, and by label.

As McDonald and Nivre (2007, sections 4.1 to 4.3) compare parsers. Punctuation counts; labels are
compared up to the colon, as in `ud.score_ud`.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .outcomes import is_right
from .shares import share
from .ud import AlignedParse, Arc, universal

LENGTHS = (10, 20, 30, 40, 50)
DISTANCES = (1, 2, 3, 6, 10)
ROOT = "root"


class Group(NamedTuple):
    """The words of a kind; shares are None of nothing.

    Attributes:
        name: "11-20", "root" or a label.
        gold: how many words are of this kind in the gold standard.
        predicted: how many are in the parse.
        uas: share of the gold ones with the right head.
        recall: share of the gold ones with the right head and label (LAS).
        precision: share of the predicted ones with the right head and label.
    """

    name: str
    gold: int
    predicted: int
    uas: float | None
    recall: float | None
    precision: float | None


# The kind of a word, from itself, its arc and the words of its sentence; None is none.
Kind = Callable[[int, Arc, int], str | None]


def by_length(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by the words of the gold sentence, from short to long."""
    names = ranges(LENGTHS)
    return order(group_words(parses, lambda _word, _arc, n: name_range(n, LENGTHS)), names)


def by_distance(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by the words from head to dependent, roots apart.

    Recall is over the distance of gold arcs, precision over that of predicted ones.
    """
    def kind(word: int, arc: Arc, _n: int) -> str | None:
        if arc.head < 0:
            return None
        return ROOT if arc.head == word else name_range(abs(arc.head - word), DISTANCES)

    return order(group_words(parses, kind), [ROOT, *ranges(DISTANCES)])


def by_label(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by label, subtypes cut, the most frequent first.

    Recall is over gold labels, precision over predicted ones.
    """
    found = group_words(parses, lambda _word, arc, _n: universal(arc.label))
    return sorted(found, key=lambda group: (-group.gold, -group.predicted, group.name))


def ranges(ends: tuple[int, ...]) -> list[str]:
    """The names of ranges that end with these numbers, and of what is above: 1-10, 11-20, 21+."""
    starts = [1, *(end + 1 for end in ends)]
    names = [str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends)]
    return [*names, f"{starts[-1]}+"]


def name_range(n: int, ends: tuple[int, ...]) -> str:
    """The name of the range that a number is in."""
    return ranges(ends)[sum(n > end for end in ends)]


def order(groups: Iterable[Group], names: Iterable[str]) -> list[Group]:
    """The groups that there are, in the order of names."""
    found = {group.name: group for group in groups}
    return [found[name] for name in names if name in found]


class Counts:
    """Words of a kind: gold, predicted, and those that are right."""

    def __init__(self) -> None:
        self.gold = self.predicted = self.heads = self.recalled = self.precise = 0


def group_words(parses: Iterable[AlignedParse], kind: Kind) -> list[Group]:
    """The scores of each kind of words."""
    counts: dict[str, Counts] = {}
    for parse in parses:
        for sentence in parse.sentences:
            for word in sentence:
                _count_word(counts, parse, word, len(sentence), kind)
    return [
        Group(
            name, one.gold, one.predicted, share(one.heads, one.gold),
            share(one.recalled, one.gold), share(one.precise, one.predicted),
        )
        for name, one in counts.items()
    ]


def _count_word(
    counts: dict[str, Counts], parse: AlignedParse, word: int, length: int, kind: Kind
) -> None:
    gold, predicted = parse.gold[word], parse.predicted.get(word)
    of_gold = kind(word, gold, length)
    if of_gold is not None:
        own = counts.setdefault(of_gold, Counts())
        own.gold += 1
        own.heads += is_right(parse, word, "uas")
        own.recalled += is_right(parse, word, "las")
    of_predicted = None if predicted is None else kind(word, predicted, length)
    if of_predicted is not None:
        own = counts.setdefault(of_predicted, Counts())
        own.predicted += 1
        own.precise += is_right(parse, word, "las")
