"""What is counted in a treebank, and what follows from it."""

from functools import partial
from itertools import product
from pathlib import Path

import numpy
import pytest

from spacy_arceager.annotation import projective
from spacy_arceager.corpus.conllu import read_file, read_sentences
from spacy_arceager.evaluation.advice import advise
from spacy_arceager.evaluation.coverage import coverage
from spacy_arceager.evaluation.treebank import (
    RARE,
    GoldTree,
    Treebank,
    complete_trees,
    count_labels,
    describe,
    gap_degree,
    has_cycle,
    measure_graphs,
    measure_non_projectivity,
    measure_size,
    to_gold,
    two_cycles,
)
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import dag
from spacy_arceager.systems.catalogue import CATALOGUE, TREE_SYSTEMS
from spacy_arceager.trees.algorithms import crossing_arcs, is_well_nested, lift
from tests.brute_force import all_trees, is_projective

DATA = Path(__file__).parent.parent / "data"


def read(*names: str):
    return [sentence for name in names for sentence in read_file(DATA / f"{name}.conllu")]


def start_with(sentences) -> list[str]:
    trees = [tree.heads for tree in complete_trees(map(to_gold, sentences))]
    coverages = {name: coverage(e.parameters(), trees) for name, e in TREE_SYSTEMS.items()}
    return [advice.system for advice in advise(describe(sentences), coverages)]


# Structure


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_projective_trees_are_those_without_gaps(n: int):
    # A tree whose root is covered has no gap, unless an artificial root is in front.
    for tree in all_trees(n):
        heads = numpy.asarray(tree, dtype="i")
        if is_projective(tree):
            assert gap_degree(heads) == 0 and is_well_nested(heads)
        else:
            below_root = [0, *numpy.where(heads == numpy.arange(n), 0, heads + 1)]
            assert gap_degree(numpy.asarray(below_root, dtype="i"))


@pytest.mark.parametrize("heads, degree", [([0], 0), ([2, 3, 2, 2], 1), ([0, 0, 0, 1, 2, 1], 2)])
def test_gap_degree(heads: list[int], degree: int):
    assert gap_degree(numpy.asarray(heads, dtype="i")) == degree


def test_graph_structure():
    assert two_cycles([(0, 1), (1, 0), (1, 2)]) == 1
    assert has_cycle([(0, 1), (1, 2), (2, 0), (2, 3)])
    assert not has_cycle([(0, 1), (1, 2), (0, 2)])
    assert not has_cycle([])


@pytest.mark.parametrize("acyclic", [True, False])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_dag_derives_graphs_without_crossing_arcs(n: int, acyclic: bool):
    pairs = [(head, word) for head in range(n) for word in range(n) if head != word]
    expected = set()
    for chosen in product([False, True], repeat=len(pairs)):
        arcs = [pair for pair, is_in in zip(pairs, chosen) if is_in]
        if not crossing_arcs(arcs).any() and not (acyclic and has_cycle(arcs)):
            expected.add(tuple(arcs))
    assert {tuple(sorted(graph)) for graph in reach(n, acyclic)} == expected


def reach(n: int, acyclic: bool):
    """The arcs of every graph that the system can build."""
    todo = [TransitionSystem(dag(acyclic=acyclic)).initial(n)]
    seen = set()
    while todo:
        configuration = todo.pop()
        if configuration.is_terminal:
            graph = configuration.graph
            yield [(head, word) for word in range(n) for head, _ in graph[word]]
        for transition in configuration.legal():
            successor = configuration.copy()
            successor.apply(transition)
            if successor.state() not in seen:
                seen.add(successor.state())
                todo.append(successor)


# Counts


def test_counts_of_crossing_arcs():
    found = describe(read("de_crossing"))
    assert found.size[:3] == (50, 482, 0)
    assert found.non_projectivity.sentences == 35
    assert found.non_projectivity.arcs == 38
    assert found.non_projectivity.crossing_arcs > 38
    assert found.non_projectivity.sentence_share == 0.7
    assert sum(found.non_projectivity.gap_degrees) == 50
    assert found.graphs is None


def test_counts_of_labels():
    found = describe(read("de_crossing", "en_small-dev")).labels
    assert 0 < len(found.rare) < found.number
    assert all(n < 10 for n in found.rare.values())
    assert 0 < found.rare_lifted <= found.lifted


def test_labels_on_crossing_arcs_only():
    labels = [("x", 3), ("y", 4), ("root", 0), ("z", 3)]
    lines = [f"{i}\tw\t_\t_\t_\t_\t{head}\t{label}\t_\t_" for i, (label, head) in
             enumerate(labels, 1)]
    found = describe(list(read_sentences(lines))).labels
    assert (found.number, found.lifted) == (4, 1)
    assert found.only_lifted == ["y"]


def test_trees_too_tangled_to_lift_stay_as_they_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(projective, "lift", partial(lift, max_steps=-1))
    found = describe(read("de_crossing"))
    assert found.labels.lifted == 0 and found.non_projectivity.sentences == 35


def test_counts_of_graphs():
    found = describe(read("de_enhanced")).graphs
    assert found is not None
    assert found[:2] == (5, 45)
    assert found.several_heads == 5 / 45
    assert found.two_cycles == 1
    assert found.cyclic == 0.2


def test_sentences_that_lack_heads():
    lines = ["1\ta\t_\t_\t_\t_\t0\troot\t_\t_", "2\tb\t_\t_\t_\t_\t_\t_\t_\t_"]
    found = describe(list(read_sentences(lines)))
    assert found.size.incomplete == 1
    assert found.labels.number == 1
    assert found.non_projectivity.gap_degrees == [0]


def test_nothing():
    assert isinstance(describe([]), Treebank)


# Advice


def test_advice_names_systems_of_the_catalogue():
    names = {*start_with(read("de_crossing") * 2), *start_with(read("de_enhanced"))}
    assert names - {""} <= set(CATALOGUE)


def test_projective_treebank():
    assert start_with(read("en_small-train"))[0] == "arc_eager_nm"


def test_few_crossing_arcs():
    few = [read("de_crossing"), read("en_small-train") * 9 + read("de_crossing") * 2]
    assert start_with(few[0]) == ["arc_eager_nm", ""]       # 35 sentences
    assert start_with(few[1])[:1] == ["arc_eager_nm"]
    assert "arc_eager_d2" not in start_with(few[1])


def test_many_crossing_arcs():
    assert start_with(read("de_crossing") * 2)[:4] == [
        "arc_eager_nm", "arc_eager_d2", "easy_first_d2", "arc_hybrid_swap",
    ]


def test_graphs_and_a_small_treebank():
    assert start_with(read("de_enhanced"))[-2:] == ["dag", ""]


def test_labels_are_rare_below_ten():
    tree = ([1, 1, 1], ["often", "ROOT", "seldom"])
    trees = [GoldTree(numpy.asarray(heads, "i"), labels) for heads, labels in [tree] * (RARE - 1)]
    more = GoldTree(numpy.asarray([1, 1], "i"), ["often", "ROOT"])
    labels = count_labels([*trees, more])
    assert (labels.number, labels.rare) == (3, {"seldom": RARE - 1})
    crossing = GoldTree(numpy.asarray([2, 3, 2, 2], "i"), ["a", "b", "ROOT", "d"])
    assert count_labels([crossing] * (RARE - 1)).rare_lifted == 1
    found = count_labels([crossing] * RARE)
    assert (found.lifted, found.rare_lifted, found.only_lifted) == (1, 0, ["b"])


def test_means_and_shares_of_nothing_are_zero():
    assert measure_size([], 0).mean_length == 0.0
    broken = measure_non_projectivity([])
    assert (broken.sentence_share, broken.arc_share, broken.gap_degrees) == (0.0, 0.0, [0])
    for graphs, derivable in (([], 0.0), ([[[], []]], 1.0)):
        found = measure_graphs(graphs)
        assert (found.several_heads, found.cyclic, found.crossing) == (0.0, 0.0, 0.0)
        assert found.non_crossing == found.derivable == derivable


def test_a_sentence_in_which_some_words_lack_deps_has_a_graph() -> None:
    lines = ["1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_", "2\tb\t_\tX\t_\t_\t1\tdep\t_\t_", ""]
    found = describe(list(read_sentences(lines))).graphs
    assert found is not None and (found.sentences, found.words) == (1, 2)
