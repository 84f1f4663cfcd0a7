"""Constraints: a wide beam for the sentences that have any, and whole trees that are kept."""

from itertools import product
from random import Random
from typing import Any

import numpy
import pytest
from spacy.tokens import Doc

from spacy_arceager.annotation.layout import find_units
from spacy_arceager.decoding import constrained
from spacy_arceager.decoding.constrained import WIDTH, lift_trees
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded
from spacy_arceager.errors import ConstraintError
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.trees.algorithms import is_tree, lift, non_projective_arcs
from spacy_arceager.trees.arborescence import NEVER
from tests.annotation.constraints import SYSTEMS, VOCAB, random_scorer
from tests.brute_force import random_tree
from tests.conftest import Trained, get_parser, random_vectors

N_WORDS = 7
WIDE = BeamSettings(width=WIDTH)


def encode(name: str, docs: list[Doc], seed: int) -> Encoded:
    layouts = [find_units(doc, SYSTEMS[name].segment) for doc in docs]
    return Encoded(docs, layouts, random_vectors(sum(map(len, docs)), 8, seed))


def make_doc(constraint: str, n_words: int = N_WORDS) -> Doc:
    doc = Doc(VOCAB, words=["w"] * n_words)
    if constraint == "fixed":
        doc._.arceager_fixed_arcs = [(1, 4)]
    elif constraint == "forbidden":
        doc._.arceager_forbidden_arcs = [(0, 1), (2, 3), (4, 5)]
    elif constraint == "subtree":
        doc._.arceager_subtrees = [(2, 5)]
    return doc


def with_part_of_a_tree(heads: list[int], share: float, generator: Random) -> Doc:
    doc = make_doc("", len(heads))
    arcs = [arc for arc in enumerate(heads) if generator.random() < share]
    doc._.arceager_fixed_arcs = arcs
    return doc


def decode(name: str, docs: list[Doc], beam: BeamSettings | None, seed: int) -> list[list]:
    decoder = Decoder(*random_scorer(name, seed % 8), beam)
    return [values.tolist() for values in decoder.decode(encode(name, docs, seed))]


@pytest.mark.parametrize("constraint", ["fixed", "forbidden", "subtree"])
@pytest.mark.parametrize("name", ["arc_eager", "arc_hybrid", "segment"])
def test_a_sentence_with_a_constraint_is_searched_with_a_wide_beam(
    name: str, constraint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(20)
    parses = [decode(name, [make_doc(constraint)], None, seed) for seed in seeds]
    assert parses == [decode(name, [make_doc(constraint)], WIDE, seed) for seed in seeds]
    monkeypatch.setattr("spacy_arceager.decoding.constrained.WIDTH", 1)
    assert parses != [decode(name, [make_doc(constraint)], None, seed) for seed in seeds]


@pytest.mark.parametrize("beam", [None, BeamSettings(width=3)])
@pytest.mark.parametrize("name", ["arc_eager", "arc_hybrid_swap", "segment"])
def test_sentences_without_constraints_stay_as_they_are(
    name: str, beam: BeamSettings | None
) -> None:
    for seed in range(20):
        free = decode(name, [make_doc(""), make_doc(""), make_doc("")], beam, seed)
        mixed = decode(name, [make_doc(""), make_doc("fixed"), make_doc("")], beam, seed)
        for values, expected in zip(mixed, free):
            assert values[:N_WORDS] == expected[:N_WORDS]
            assert values[-N_WORDS:] == expected[-N_WORDS:]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("n_words", [1, 2, 3, 4])
def test_every_whole_tree_is_kept(name: str, n_words: int) -> None:
    n_crossing = 0
    for i, heads in enumerate(product(range(n_words), repeat=n_words)):
        if not is_tree(numpy.asarray(heads, "i")):
            continue
        doc = make_doc("", n_words)
        doc._.arceager_fixed_arcs = [*enumerate(heads)]
        for beam in (None, BeamSettings(width=10)):
            assert decode(name, [doc], beam, i)[0] == [*heads]
        n_crossing += bool(non_projective_arcs(numpy.asarray(heads, "i")))
    assert n_crossing > 0 or n_words < 4


@pytest.mark.parametrize("name", ["arc_hybrid_swap", "arc_standard_swap", "arc_standard"])
@pytest.mark.parametrize("share", [0.2, 0.6, 1])
def test_long_sentences_keep_any_part_of_a_tree(name: str, share: float) -> None:
    generator = Random(0)
    for seed in range(30):
        heads = numpy.asarray(random_tree(generator.randint(8, 24), generator), "i")
        heads = lift(heads) if name == "arc_standard" else heads
        doc = with_part_of_a_tree(heads.tolist(), share, generator)
        arcs = doc._.arceager_fixed_arcs
        found = decode(name, [doc], None, seed)[0]
        assert [(word, found[word]) for word, _ in arcs] == arcs


@pytest.mark.parametrize("name", ["arc_hybrid_swap", "arc_standard_swap"])
def test_what_the_search_remembers_is_of_one_sentence(name: str) -> None:
    """All sentences of a batch share the table of configurations that the exact oracle knows."""
    generator = Random(0)
    docs = [
        with_part_of_a_tree(random_tree(N_WORDS, generator), 0.7, generator) for _ in range(40)
    ]
    together = encode(name, docs, 0)
    heads, *_ = Decoder(*random_scorer(name, 0), None).decode(together)
    for i, doc in enumerate(docs):
        own = slice(i * N_WORDS, (i + 1) * N_WORDS)
        alone = Encoded([doc], together.layouts[i : i + 1], together.vectors[own])
        expected, *_ = Decoder(*random_scorer(name, 0), None).decode(alone)
        assert heads[own].tolist() == expected.tolist()


def test_whole_trees_of_several_sentences_are_kept() -> None:
    heads = [1, 1, 0, 1, 5, 5, 4, 5]       # 2 -> 0 and 3 -> 1 cross, 6 -> 4 and 7 -> 5 too
    doc = make_doc("", len(heads))
    doc._.arceager_fixed_arcs = [*enumerate(heads)]
    found, _, starts = decode("segment", [doc], None, 0)
    assert found == heads
    assert numpy.flatnonzero(starts).tolist() == [0, 4]


def test_a_whole_tree_keeps_its_labels_and_can_be_derived(english: Trained) -> None:
    nlp = english.nlp
    parser = get_parser(nlp)
    doc = nlp.make_doc("She saw the man yesterday")
    heads, labels = [1, 1, 4, 1, 1], ["nsubj", "", "det", "obj", "advmod"]
    doc._.arceager_fixed_arcs = list(zip(range(5), heads, labels))
    (derivations,) = parser.derivations([doc])
    ((best, *_),) = parser.k_best(doc, 3)
    assert [step.transition.move for step in derivations[0].steps]
    assert (best.heads, best.labels[2:]) == (heads, labels[2:])
    doc = nlp(doc)
    assert [token.head.i for token in doc] == heads
    assert [token.dep_ for token in doc][2:] == labels[2:]


@pytest.mark.parametrize("root", [(0, 0), (0, None, "root"), (0, None, "ROOT"), (0, 0, "root")])
def test_a_root_by_its_label_alone_has_its_head(root: tuple) -> None:
    heads = [0, 0, 0, 0, 2]     # 3 -> 0 and 4 -> 2 cross
    doc = make_doc("", len(heads))
    doc._.arceager_fixed_arcs = [root, *[*enumerate(heads)][1:]]
    assert decode("arc_eager", [doc], None, 0)[0] == heads


def test_a_whole_tree_that_has_what_is_forbidden_is_refused() -> None:
    doc = make_doc("", 4)
    doc._.arceager_fixed_arcs = [(0, 2), (1, 3), (2, 2), (3, 2)]
    doc._.arceager_forbidden_arcs = [(1, 3)]
    with pytest.raises(ConstraintError, match="fixed: .*; not allowed: "):
        decode("arc_eager", [doc], None, 0)


def test_two_arcs_that_cross_are_named() -> None:
    doc = Doc(VOCAB, words=["a", "b", "c", "d", "e"])
    doc._.arceager_fixed_arcs = [(4, 4), (0, 2), (1, 3)]
    arcs = r"from 'c' \(2\) to 'a' \(0\) and from 'd' \(3\) to 'b' \(1\) cross. .*arc_hybrid_swap"
    with pytest.raises(ConstraintError, match=arcs):
        decode("arc_eager", [doc], None, 0)


def test_k_best_has_no_more_trees_than_its_width(english: Trained) -> None:
    doc = english.nlp.make_doc("She saw the man yesterday")
    doc._.arceager_forbidden_arcs = [(0, 1)]
    (two,), (eight,) = (get_parser(english.nlp).k_best(doc, width) for width in (2, 8))
    assert two == eight[:2]


def test_trees_are_lifted_each_by_itself() -> None:
    assert lift_trees(numpy.asarray([1, 1, 0, 1, 5, 5, 4, 5], "i")).tolist() == [
        1, 1, 1, 1, 5, 5, 5, 5
    ]
    assert lift_trees(numpy.asarray([1, 0], "i")) is None
    assert lift_trees(numpy.asarray([0, -1], "i")) is None


SHORT = ["The", "letters", "arrived", "late", "."]
N_SHORT = len(SHORT)
SHORT_TREES = [
    heads for heads in product(range(N_SHORT), repeat=N_SHORT)
    if is_tree(numpy.asarray(heads, "i")) and not non_projective_arcs(numpy.asarray(heads, "i"))
]


def votes_of(english: Trained) -> numpy.ndarray:
    """The share of the eight best free parses that have each arc, weighted by probability."""
    (trees,) = get_parser(english.nlp).k_best(Doc(english.nlp.vocab, SHORT), constrained.WIDTH)
    shares = numpy.exp([tree.score for tree in trees])
    votes = numpy.zeros((N_SHORT, N_SHORT))
    for share, tree in zip(shares / shares.sum(), trees):
        votes[range(N_SHORT), tree.heads] += share
    return votes


def test_the_tree_has_as_many_votes_as_any_that_is_allowed(
    english: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[numpy.ndarray] = []

    def look(weights: numpy.ndarray, *arguments: Any) -> Any:
        asked.append(weights)
        return best(weights, *arguments)

    best = constrained.best_projective_tree
    monkeypatch.setattr(constrained, "best_projective_tree", look)
    votes = votes_of(english)
    generator = numpy.random.default_rng(0)
    n_completed = 0
    for i in generator.permutation(len(SHORT_TREES))[:90]:
        # Only the arcs of three trees are allowed.
        three = (SHORT_TREES[i], *SHORT_TREES[i % 7 :: 61][:2])
        allowed = {arc for tree in three for arc in enumerate(tree)}
        doc = Doc(english.nlp.vocab, SHORT)
        doc._.arceager_forbidden_arcs = [
            arc for arc in product(range(N_SHORT), repeat=2) if arc not in allowed
        ]
        asked.clear()
        heads = [token.head.i for token in english.nlp(doc)]
        if not asked:
            continue
        n_completed += 1
        possible = [tree for tree in SHORT_TREES if {*enumerate(tree)} <= allowed]
        most = max(votes[range(N_SHORT), tree].sum() for tree in possible)
        margin = N_SHORT * constrained.CLOSENESS
        assert votes[range(N_SHORT), heads].sum() == pytest.approx(most, abs=margin)
        (weights,) = asked
        is_free = weights > NEVER
        assert {*zip(*map(list, numpy.nonzero(is_free)))} == allowed
        nearness = 1 / (1 + abs(numpy.subtract.outer(range(N_SHORT), range(N_SHORT))))
        assert weights[is_free] == pytest.approx((votes + 1e-3 * nearness)[is_free], abs=1e-6)
    assert n_completed > 5
