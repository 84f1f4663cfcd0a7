"""Coverage against exhaustive counts: all trees of up to five words."""

import re
from pathlib import Path

import numpy
import pytest

from spacy_arceager.corpus.conllu import read_file
from spacy_arceager.evaluation.coverage import Coverage, coverage
from spacy_arceager.evaluation.treebank import to_gold
from spacy_arceager.gold.derivable import derivable
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.derivation import follow
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems import arc_eager, arc_hybrid, attardi, dag
from spacy_arceager.systems.catalogue import (
    ALL,
    CATALOGUE,
    FORESTS,
    SOME,
    TREE_SYSTEMS,
    find_system,
)
from tests.brute_force import Search, all_trees, is_projective, is_tree, projective_trees

DATA = Path(__file__).parent.parent / "data"

# Of the 625 trees of five words, 143 are projective.
DERIVED = {
    "attardi2": 475,
    "attardi3": 563,
    "arc_eager_d2": 482,
    "easy_first_d2": 509,
    "easy_first_d3": 613,
    "easy_first_k4_d2": 509,
    "easy_first_k8_d2": 509,
    "arc_standard_swap": 625,
    "arc_hybrid_swap": 625,
    "dag_cyclic": 275,
    "dag": 275,     # without crossing arcs, whatever covers the root: 55 trees, 5 roots each
}


@pytest.mark.parametrize("name", DERIVED)
def test_how_many_trees_of_five_words(name):
    trees = all_trees(5)
    result = coverage(find_system(name), trees)
    assert len(trees) == 625
    assert result.sentences == DERIVED[name] / 625


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_projective_tree_is_derived(name, n):
    assert coverage(find_system(name), projective_trees(n)).sentences == 1


@pytest.mark.parametrize("root", ["right", "left"])
def test_artificial_roots_change_no_class(root):
    assert coverage(attardi(2, root=root), all_trees(5)).sentences == 475 / 625
    assert coverage(arc_hybrid(swap=True, root=root), all_trees(5)).sentences == 1


@pytest.mark.parametrize("name", TREE_SYSTEMS)
def test_classes_are_what_the_catalogue_says(name):
    system = TransitionSystem(find_system(name))
    broken = [tree for tree in all_trees(5) if not is_projective(tree)]
    derived = sum(derivable(system, tree) for tree in broken)
    said = CATALOGUE[name].trees
    assert (derived == len(broken)) == (said == ALL)
    assert (0 < derived < len(broken)) == (said == SOME)


@pytest.mark.parametrize("name", TREE_SYSTEMS)
def test_only_forests_may_have_several_roots(name):
    ends = Search(TransitionSystem(find_system(name)), all_trees(3)).finished
    are_trees = all(is_tree(end.tree()) for end in ends)
    assert are_trees == (CATALOGUE[name].trees != FORESTS)


def bound(said: str, n: int) -> int:
    """The number of transitions that an entry says, such as "2n" or "n² + n"."""
    powers = {"": 1, "²": 2}
    terms = [re.fullmatch(r"(\d*)n(²?)", term) for term in said.split(" + ")]
    assert all(terms), f"'{said}' should be a sum of terms such as 4n or n²"
    return sum(int(term[1] or 1) * n ** powers[term[2]] for term in terms if term)


def test_bounds_are_sums_of_powers():
    assert [bound(said, 5) for said in ("n", "4n", "n² + n", "2n²")] == [5, 20, 30, 50]
    with pytest.raises(AssertionError, match="should be a sum"):
        bound("O(n)", 5)


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_derivation_is_longer_than_the_catalogue_says(name):
    n = 5
    system = TransitionSystem(find_system(name))
    most = bound(CATALOGUE[name].transitions, n)
    assert follow_static(system, all_trees(n)).counts.sum(axis=1).max() <= most


@pytest.mark.parametrize("name", TREE_SYSTEMS)
def test_following_in_c_is_following_in_python(name):
    system = TransitionSystem(find_system(name))
    trees = all_trees(4)
    derivations = follow_static(system, trees)
    for i, tree in enumerate(trees):
        configuration = system.initial(4)
        counts = [0] * len(system.transitions)
        for transition, _ in Oracle("static").derivation(system, tree):
            counts[system.find(transition)] += 1
            configuration.apply(transition)
        assert derivations.heads[4 * i : 4 * i + 4].tolist() == configuration.tree()
        assert derivations.counts[i].tolist() == counts


def follow_static(system, trees):
    lengths = [len(tree) for tree in trees]
    heads = numpy.concatenate(trees)
    missing = numpy.full(heads.shape, -1)
    words = numpy.arange(len(heads))
    first = numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    arcs = numpy.stack([words, heads + first, missing], axis=1)
    is_graph = system.parameters.graph
    has_root = system.parameters.root != "none"
    gold = GoldTrees(lengths, heads, missing, has_root, arcs=arcs if is_graph else None)
    return follow(system, Oracle("static"), gold)


def test_other_oracles_can_be_followed():
    system = TransitionSystem(arc_eager())
    gold = GoldTrees([3, 0, 1], [1, 1, 1, 0], [-1] * 4)
    derivations = follow(system, Oracle("exact"), gold)
    assert derivations.heads.tolist() == [1, 1, 1, 0]
    assert derivations.counts.sum(axis=1).tolist() == [5, 0, 0]
    with pytest.raises(ValueError, match="exact oracle"):
        follow(TransitionSystem(attardi(2)), Oracle("exact"), gold)


def test_trees_are_no_graphs():
    gold = GoldTrees([2], [1, 1], [-1, -1])
    with pytest.raises(ValueError, match="'dag' builds graphs"):
        follow(TransitionSystem(dag()), Oracle("static"), gold)


def test_figures():
    trees = [[1, 1, 1], [2, 3, 2, 2], []]     # the second has two crossing arcs
    assert coverage(arc_hybrid(), trees) == Coverage(
        sentences=2 / 3,
        non_projective=0,
        arcs=0,
        rebuilt=pytest.approx(coverage(arc_hybrid(), trees).rebuilt),
        transitions=5 / 3,
        swaps=0,
        swap_distances=(),
    )
    swapped = coverage(arc_hybrid(swap=True), trees)
    assert swapped.sentences == swapped.non_projective == swapped.arcs == swapped.rebuilt == 1
    assert swapped.swaps == 1 / 7
    assert sum(swapped.swap_distances) == 1


def test_no_trees():
    assert coverage(arc_hybrid(), []) == Coverage(None, None, None, None, None, None, ())


@pytest.mark.parametrize("heads", [[0, 1], [1, 0], [-1, 1], [0, -1]])
def test_what_is_no_tree_is_refused(heads):
    with pytest.raises(ValueError, match="no tree"):
        coverage(arc_hybrid(), [[0], heads])


def test_a_whole_treebank():
    trees = [
        to_gold(sentence).heads
        for path in sorted(DATA.glob("*.conllu"))
        for sentence in read_file(path)
    ] * 20
    result = coverage(find_system("easy_first_d2"), trees)
    assert result.sentences and 0.9 < result.sentences < 1


def test_unknown_system():
    with pytest.raises(ValueError, match="'arc_lazy' is unknown; use one of arc_eager, "):
        find_system("arc_lazy")


def test_oracles_of_the_catalogue():
    kinds = {name: oracles_for(entry.parameters()) for name, entry in CATALOGUE.items()}
    assert "exact" in kinds["arc_eager"]
    assert all("static" in found for found in kinds.values())
    assert all(entry.oracle in kinds[name] for name, entry in CATALOGUE.items())
