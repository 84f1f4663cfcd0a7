"""Costs in training under rules about dependents, against exhaustive search."""

from itertools import product

import numpy
import pytest

from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.search.loss import class_costs
from spacy_arceager.systems.catalogue import find_system
from tests.machine.valid_search import ADP, NOUN, PUNCT, ValidSearch


class GoldSearch(ValidSearch):
    """How many words of each gold tree have their head and label in the best tree to be reached."""

    def find_values(self) -> None:
        self.golds = sorted(
            {tree for tree in self.trees.values() if is_single_rooted(tree[0])}, key=str
        )
        self.values: dict[tuple, numpy.ndarray] = {}
        for key, configuration in self.configurations.items():
            if key in self.trees:
                built = [*zip(*self.trees[key])]
                self.values[key] = numpy.asarray(
                    [sum(map(tuple.__eq__, built, zip(*gold))) for gold in self.golds]
                )
            else:
                self.values[key] = numpy.max([*self.values_after(configuration).values()], 0)

    def values_after(self, configuration) -> dict[tuple, numpy.ndarray]:
        return {
            chosen: self.values[self.key(self.after(configuration, chosen))]
            for chosen in self.classes(configuration)
        }

    def count_right(self) -> tuple[int, int]:
        """In how many configurations a cheapest class is always a best one; and all of them."""
        oracle = default_oracle(self.parameters)
        n_right = n = 0
        for key, configuration in self.configurations.items():
            if key in self.trees:
                continue
            values = self.values_after(configuration)
            for number, gold in enumerate(self.golds):
                costs = class_costs(configuration, self.to_gold(gold), oracle)
                cheapest = {
                    chosen for chosen, cost in costs.items() if cost == min(costs.values())
                }
                n_right += all(
                    values[chosen][number] == self.values[key][number] for chosen in cheapest
                )
                n += 1
        return n_right, n

    def to_gold(self, tree: tuple) -> GoldTrees:
        heads, labels = tree
        numbers = [-1 if label is None else self.labels.index(label) for label in labels]
        return GoldTrees([len(heads)], heads, numbers, self.parameters.root != "none")


def is_single_rooted(heads: tuple[int, ...]) -> bool:
    return sum(head == word for word, head in enumerate(heads)) == 1


# In these systems no label is remembered by a SHIFT.
@pytest.mark.parametrize("name", ["arc_eager", "arc_standard", "arc_hybrid", "easy_first"])
def test_cheapest_classes_are_best_ones(name: str) -> None:
    n_right = n = 0
    for kinds in product((NOUN, PUNCT, ADP), repeat=3):
        search = GoldSearch(find_system(name), [*kinds])
        search.find_values()
        counts = search.count_right()
        n_right, n = n_right + counts[0], n + counts[1]
    assert n_right >= 0.996 * n


def test_a_gold_tree_of_other_words_is_refused() -> None:
    search = GoldSearch(find_system("arc_eager"), [NOUN, NOUN, PUNCT])
    configuration = next(iter(search.configurations.values()))
    for lengths in ([2], [3, 3]):
        gold = GoldTrees(lengths, [0] * sum(lengths), [-1] * sum(lengths), False)
        with pytest.raises(ValueError, match="gold"):
            class_costs(configuration, gold, default_oracle(search.parameters))
