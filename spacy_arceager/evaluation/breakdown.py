"""Scores by the length of sentences, by the distance of arcs, and by label.

McDonald and Nivre (2007, sections 4.1 to 4.3) compare parsers in these ways. Punctuation counts;
labels are compared up to the colon, as in `ud.score_ud`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..systems.ud_rules import universal
from .outcomes import is_right
from .shares import share
from .ud import AlignedParse, Arc

LENGTHS = (10, 20, 30, 40, 50)
DISTANCES = (1, 2, 3, 6, 10)
ROOT_GROUP = "root"


class Group(NamedTuple):
    """The scores of the words of one kind. A share is None where there is no word to count.

    Attributes:
        name: "11-20", "root" or a label.
        gold: how many words are of this kind in the gold standard.
        predicted: how many words are of this kind in the parse, of those that match a gold word.
        uas: share of the gold words with the right head.
        recall: share of the gold words with the right head and label (LAS).
        precision: share of these predicted words with the right head and label.
    """

    name: str
    gold: int
    predicted: int
    uas: float | None
    recall: float | None
    precision: float | None


# Takes a word, its arc and the number of words in its sentence, and returns the name of the group
# that the word counts in; None where it counts in none.
Kind = Callable[[int, Arc, int], str | None]


def by_length(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by the number of words in the gold sentence, from short to long."""
    names = ranges(LENGTHS)
    return order(group_words(parses, lambda _word, _arc, n: name_range(n, LENGTHS)), names)


def by_distance(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by the distance between head and dependent; roots are a group of their own.

    Recall groups words by their gold arcs, precision by their predicted arcs.
    """
    def kind(word: int, arc: Arc, _n: int) -> str | None:
        if arc.head < 0:
            return None
        return ROOT_GROUP if arc.head == word else name_range(abs(arc.head - word), DISTANCES)

    return order(group_words(parses, kind), [ROOT_GROUP, *ranges(DISTANCES)])


def by_label(parses: Iterable[AlignedParse]) -> list[Group]:
    """Scores by label without its subtype, the most frequent first.

    Recall groups words by their gold labels, precision by their predicted labels.
    """
    groups = group_words(parses, lambda _word, arc, _n: universal(arc.label))
    return sorted(groups, key=lambda group: (-group.gold, -group.predicted, group.name))


def ranges(ends: tuple[int, ...]) -> list[str]:
    """The names of the ranges that end with these numbers, and one for more: 1-10, 11-20, 21+."""
    starts = [1, *(end + 1 for end in ends)]
    names = [str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends)]
    return [*names, f"{starts[-1]}+"]


def name_range(n: int, ends: tuple[int, ...]) -> str:
    """The name of the range that a number is in."""
    return ranges(ends)[sum(n > end for end in ends)]


def order(groups: Iterable[Group], names: Iterable[str]) -> list[Group]:
    """The groups in the order of these names."""
    by_name = {group.name: group for group in groups}
    return [by_name[name] for name in names if name in by_name]


def group_words(parses: Iterable[AlignedParse], kind: Kind) -> list[Group]:
    """The scores of each kind of words."""
    counts: Counter[tuple[str | None, str]] = Counter()
    for parse in parses:
        for sentence in parse.sentences:
            for word in sentence:
                gold, predicted = parse.gold[word], parse.predicted.get(word)
                is_labelled = is_right(parse, word, "las")
                of_gold = kind(word, gold, len(sentence))
                counts[of_gold, "gold"] += 1
                counts[of_gold, "heads"] += is_right(parse, word, "uas")
                counts[of_gold, "recalled"] += is_labelled
                of_predicted = kind(word, predicted, len(sentence)) if predicted else None
                counts[of_predicted, "predicted"] += 1
                counts[of_predicted, "precise"] += is_labelled
    names = dict.fromkeys(name for name, _ in counts if name is not None)
    return [
        Group(
            name, counts[name, "gold"], counts[name, "predicted"],
            share(counts[name, "heads"], counts[name, "gold"]),
            share(counts[name, "recalled"], counts[name, "gold"]),
            share(counts[name, "precise"], counts[name, "predicted"]),
        )
        for name in names
    ]
