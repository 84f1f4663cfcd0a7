"""Arcs fixed before parsing: in the oracles, the search and the component."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_arceager.annotation.fixed_arcs import FREE, NAME, fixed_arrays, read_arcs
from spacy_arceager.annotation.layout import find_layout, whole
from spacy_arceager.errors import ConstraintError
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.search.beam import search
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import (
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    easy_first,
)
from spacy_arceager.trees.algorithms import is_tree
from tests.brute_force import is_projective
from tests.conftest import (
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    random_scoring,
    random_vectors,
    read_corpus,
    train,
)
from tests.oracles.segmentations import after, outcomes

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

BOTH = ["left", "reduce"]
LABELS = ("a", "b", "c")
SYSTEMS = {
    "tree": arc_eager(),
    "tree+NM-L": arc_eager(True, ["left"]),
    "tree+NM-D": arc_eager(True, ["reduce"]),
    "tree+NM-L+D": arc_eager(True, BOTH),
    "tree+NM-L+D, labelled": arc_eager(True, BOTH, labelled_reduce=True),
    "tree, root right": arc_eager(root="right"),
    "tree, root right+NM-L+D": arc_eager(True, BOTH, root="right"),
    "plain": arc_eager(False),
    "plain+NM-L": arc_eager(False, ["left"]),
    "plain, root left": arc_eager(False, root="left"),
    "plain, root right": arc_eager(False, root="right"),
    "plain, root right+NM-L+D": arc_eager(False, BOTH, root="right"),
    "arc-hybrid": arc_hybrid(),
    "arc-hybrid, root right": arc_hybrid(root="right"),
    "arc-hybrid+SWAP": arc_hybrid(swap=True),
    "arc-standard": arc_standard(),
    "arc-standard+SWAP": arc_standard(swap=True),
    "attardi 2": attardi(2),
    "easy-first": easy_first(),
    "easy-first D=2": easy_first(distance=2),
    "easy-first K=3": easy_first(3),
    "segment": arc_eager(segment=True),
    "segment+NM-L+D": arc_eager(True, BOTH, segment=True),
    "segment+NM-L+D, labelled": arc_eager(True, BOTH, segment=True, labelled_reduce=True),
    "segment, plain": arc_eager(False, segment=True),
    "segment, arc-hybrid+SWAP": arc_hybrid(swap=True, segment=True),
    "segment, arc-standard+SWAP": arc_standard(swap=True, segment=True),
}
# Without boundaries, and with an oracle that is exact for sets of arcs.
SENTENCES = [name for name in SYSTEMS if not name.startswith(("segment", "attardi"))]
every_system = pytest.mark.parametrize("name", SYSTEMS)
Heads = tuple[int, ...]


def partial(trees: set[Heads]) -> list[Heads]:
    """Every set of heads that some tree has, FREE for the others."""
    return sorted(
        {
            tuple(head if keep else FREE for head, keep in zip(tree, mask))
            for tree in trees
            for mask in product((False, True), repeat=len(tree))
        }
    )


def has(tree: Sequence[int], fixed: Sequence[int]) -> bool:
    return all(f in (FREE, head) for f, head in zip(fixed, tree))


# Oracles


class Reachable:
    """Every configuration, and the trees that can still be derived from it."""

    def __init__(self, system: TransitionSystem, n: int):
        self.trees: dict[tuple, frozenset[Heads]] = {}
        self.configurations: list[Configuration] = []
        self.visit(system.initial(n))

    def visit(self, configuration: Configuration) -> frozenset[Heads]:
        state = configuration.state()
        if state not in self.trees:
            legal = configuration.legal()
            if legal:
                self.configurations.append(configuration)
                found = [self.visit(after(configuration, t)) for t in legal]
                self.trees[state] = frozenset().union(*found)
            else:
                self.trees[state] = frozenset([tuple(configuration.tree())])
        return self.trees[state]


@pytest.mark.slow
@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_cheapest_transitions_lose_no_set_of_arcs_that_a_tree_has(name: str, n: int) -> None:
    system = TransitionSystem(SYSTEMS[name])
    reachable = Reachable(system, n)
    oracle = constraint_oracle(SYSTEMS[name])
    for configuration in reachable.configurations:
        trees = {
            t: reachable.trees[after(configuration, t).state()] for t in configuration.legal()
        }
        for fixed in partial(set(reachable.trees[configuration.state()])):
            gold = [None if head == FREE else head for head in fixed]
            costs = oracle.costs(configuration, gold)
            cheapest = {t for t, cost in costs.items() if cost == 0}
            assert cheapest == {t for t in trees if any(has(tree, fixed) for tree in trees[t])}


# Search


@every_system
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [1, 4])
def test_every_set_of_heads_and_labels_that_a_tree_has_is_found(
    name: str, n: int, width: int
) -> None:
    system = TransitionSystem(SYSTEMS[name], LABELS)
    possible, _ = outcomes(TransitionSystem(SYSTEMS[name]), n)
    sets = partial({heads for heads, _ in possible})
    heads = numpy.asarray(sets, dtype="i").ravel()
    labels = numpy.random.default_rng(n).integers(FREE, len(LABELS), heads.size).astype("i")
    labels[heads == FREE] = FREE
    found = search(
        system, random_scoring(system, n).predict(None), random_vectors(heads.size, 8, n),
        [n] * len(sets), BeamSettings(width), passed_over(sets), (heads, labels),
        constraint_oracle(SYSTEMS[name]),
    )
    for fixed, fixed_labels, trees in zip(sets, labels.reshape((-1, n)), found):
        assert trees
        for _, tree, tree_labels, starts, _ in trees:
            assert has(tree.tolist(), fixed)
            assert (tuple(tree.tolist()), tuple(starts.tolist())) in possible
            has_label = (fixed_labels != FREE) & (tree != numpy.arange(n))
            assert numpy.array_equal(tree_labels[has_label], fixed_labels[has_label])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SYSTEMS if "SWAP" in name])
def test_every_set_of_heads_of_five_words_is_found_with_swap(name: str) -> None:
    system = TransitionSystem(SYSTEMS[name])
    sets = partial({heads for heads, _ in outcomes(system, 5)[0]})
    heads = numpy.asarray(sets, dtype="i").ravel()
    found = search(
        system, random_scoring(system, 5).predict(None), random_vectors(heads.size, 8, 5),
        [5] * len(sets), BeamSettings(1), passed_over(sets),
        (heads, numpy.full_like(heads, FREE)), constraint_oracle(SYSTEMS[name]),
    )
    assert [fixed for fixed, trees in zip(sets, found) if not trees] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SYSTEMS if name.startswith("segment")])
@pytest.mark.parametrize("width", [1, 4])
def test_every_set_of_heads_is_found_within_boundaries(name: str, width: int) -> None:
    n, system = 4, TransitionSystem(SYSTEMS[name])
    possible, _ = outcomes(system, n)
    cases = []      # where a sentence may (0), may not (1) and must (2) start, and heads
    for starts in product((0, 1, 2), repeat=n - 1):
        within = {
            heads for heads, (_, *found) in possible
            if all(start == 0 or is_start == (start == 2)
                   for start, is_start in zip(starts, found))
        }
        cases += [((0, *starts), fixed) for fixed in partial(within)]
    starts, heads = (numpy.asarray(column, dtype="i").ravel() for column in zip(*cases))
    sets = [fixed for _, fixed in cases]
    found = search(
        system, random_scoring(system, n).predict(None), random_vectors(heads.size, 8, n),
        [n] * len(cases), BeamSettings(width), numpy.maximum(starts, passed_over(sets)),
        (heads, numpy.full_like(heads, FREE)), constraint_oracle(SYSTEMS[name]),
    )
    assert [case for case, trees in zip(cases, found) if not trees] == []


def test_arcs_over_a_distance_are_rarely_refused_though_a_tree_has_them() -> None:
    # The oracle is not exact for crossing arcs; docs/oracles.md has the share.
    n, system = 4, TransitionSystem(arc_eager(distance=2), LABELS)
    trees = {heads for heads, _ in outcomes(TransitionSystem(system.parameters), n)[0]}
    sets = partial(trees)
    heads = numpy.asarray(sets, dtype="i").ravel()
    found = search(
        system, random_scoring(system, n).predict(None), random_vectors(heads.size, 8, n),
        [n] * len(sets), BeamSettings(1), passed_over(sets),
        (heads, numpy.full_like(heads, FREE)), constraint_oracle(system.parameters),
    )
    refused = [fixed for fixed, trees in zip(sets, found) if not trees]
    assert 0 < len(refused) < 0.03 * len(sets)
    assert not any(
        has(tree, fixed) for fixed in refused for tree in trees if is_projective(tree)
    )


def passed_over(sets: list[Heads]) -> numpy.ndarray:
    """1 for words where no sentence may start, since a fixed arc passes over."""
    result = numpy.zeros((len(sets), len(sets[0])), dtype="i")
    for row, fixed in zip(result, sets):
        for word, head in enumerate(fixed):
            if head != FREE:
                row[min(word, head) + 1 : max(word, head) + 1] = 1
    return result.ravel()


# The component


def fix(nlp: Language, text: str, arcs: object) -> Doc:
    doc = nlp.make_doc(text)
    doc._.arceager_fixed_arcs = arcs
    return doc


TEXT = "The letters that she wrote arrived yesterday ."


@pytest.mark.parametrize("beam", [None, {"@misc": "arceager.beam.v1", "width": 4}])
def test_fixed_arcs_are_honoured(english: Trained, beam: object) -> None:
    nlp = blank_pipeline(beam=beam).from_bytes(english.nlp.to_bytes())
    free = nlp(TEXT)
    for word in range(len(free)):
        for head in range(len(free)):
            label = get_parser(nlp).labels[word]
            doc = nlp(fix(nlp, TEXT, [(word, head, label)]))
            assert doc[word].head.i == head
            assert doc[word].dep_ == ("ROOT" if word == head else label)
            assert is_tree(numpy.asarray([t.head.i for t in doc], dtype="i"))


def test_arcs_that_the_parser_finds_anyway_change_nothing(english: Trained) -> None:
    nlp = english.copy()
    # Constraints are searched with a beam, which may find another tree than greedy parsing.
    get_parser(nlp).beam = BeamSettings(64)
    free = nlp(TEXT)
    arcs = [(token.i, token.head.i) for token in free]
    for n in range(len(arcs) + 1):
        assert annotation(nlp(fix(nlp, TEXT, arcs[:n]))) == annotation(free)


@pytest.mark.parametrize("kind", [tuple, set, numpy.asarray])
def test_arcs_come_in_any_collection(english: Trained, kind: Callable) -> None:
    doc = english.nlp(fix(english.nlp, TEXT, kind([(1, 6), (6, 6)])))
    assert (doc[1].head.i, doc[6].head.i) == (6, 6)


def test_there_are_no_trees_of_a_doc_without_words(english: Trained) -> None:
    parser = get_parser(english.nlp)
    for words in ([], [" "]):
        assert parser.k_best(Doc(english.nlp.vocab, words=words)) == []


def test_k_best_trees_have_the_fixed_arcs(english: Trained) -> None:
    parser = get_parser(english.nlp)
    doc = fix(english.nlp, TEXT, [(3, 6, "obj")])
    [trees] = parser.k_best(doc, width=6)
    assert 1 < len(trees) <= 6
    assert all(tree.heads[3] == 6 and tree.labels[3] == "obj" for tree in trees)
    assert [t.score for t in trees] == sorted([t.score for t in trees], reverse=True)
    assert not doc.has_annotation("DEP")
    [free] = parser.k_best(english.nlp.make_doc(TEXT), width=1)
    assert free[0].heads == [token.head.i for token in english.nlp(TEXT)]


WRONG = [
    ([(1, 2), (2, 1)], r"cycle: 'letters' \(1\) <- 'that' \(2\) <- 'letters' \(1\)"),
    (
        [(0, 2), (1, 3)],
        r"from 'that' \(2\) to 'The' \(0\) and from 'she' \(3\) to 'letters' \(1\) cross",
    ),
    ([(1, 1), (5, 5)], "Found no tree .*letters -> letters, arrived -> arrived"),
    ([(1, 2), (1, 3)], r"'letters' \(1\) has two fixed heads"),
    ([(1, 2, "obj"), (1, 2, "nsubj")], r"'letters' \(1\) has two fixed labels"),
    ([(1, 2, "nonsense")], r"'nonsense' of 'letters' \(1\)"),
    ([(1, 99)], r"\(1, 99\) is not .* from 0 to 7"),
    ([(-1, 2)], r"\(-1, 2\) is not"),
    ([(1,)], r"\(1,\) is not"),
    ([3], "3 is not"),
    ([(0, 10**30)], "is not .* from 0 to 7"),
    ([(0.0, 1.0)], r"\(0.0, 1.0\) is not"),
    (numpy.asarray([[0.5, 1]]), r"\[0.5, 1.0\] is not"),
    (5, "arcs is 5; give a list"),
    ("abc", "arcs is 'abc'; give a list"),
    (iter([(0, 1)]), "give a list"),
    ({0: 1}, "give a list"),
    ([(1, 2, ["obj"])], r"label \['obj'\] of 'letters' \(1\) is no string"),
    ([(1, 2, 5)], r"label 5 of 'letters' \(1\) is no string"),
]


@pytest.mark.parametrize(("arcs", "message"), WRONG)
def test_arcs_that_no_tree_has_are_an_error(
    english: Trained, arcs: object, message: str
) -> None:
    with pytest.raises(ConstraintError, match=message):
        english.nlp(fix(english.nlp, TEXT, arcs))


def test_an_arc_to_white_space_or_over_a_set_boundary_is_an_error(english: Trained) -> None:
    spaces = Doc(english.nlp.vocab, ["She", " ", "left"])
    spaces._.arceager_fixed_arcs = [(0, 1)]
    with pytest.raises(ConstraintError, match=r"from ' ' \(1\) to 'She' \(0\).* is none"):
        get_parser(english.nlp)(spaces)
    two = Doc(english.nlp.vocab, ["She", "left", "He", "left"])
    two[2].is_sent_start = True
    two._.arceager_fixed_arcs = [(1, 2)]
    with pytest.raises(ConstraintError, match="crosses a sentence boundary"):
        get_parser(english.nlp)(two)


@pytest.mark.parametrize("words", [[" "], ["\n\n", " ", " "], []])
def test_an_arc_in_a_doc_without_words_is_an_error(english: Trained, words: list[str]) -> None:
    doc = Doc(english.nlp.vocab, words)
    doc._.arceager_fixed_arcs = [(0, 0)]
    with pytest.raises(ConstraintError, match="fixed arc"):
        get_parser(english.nlp)(doc)


def test_in_a_pipe_the_other_docs_are_parsed(english: Trained) -> None:
    nlp = english.copy()
    failed: list[Doc] = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.extend(docs))
    docs = [fix(nlp, TEXT, arcs) for arcs in (None, [(1, 2), (2, 1)], [(1, 0)], [])]
    parsed = list(nlp.pipe(docs))
    assert failed == [docs[1]]
    assert parsed == [docs[0], docs[2], docs[3]]
    assert docs[2][1].head.i == 0
    assert annotation(docs[0]) == annotation(docs[3]) == annotation(english.nlp(TEXT))


def test_a_fixed_arc_is_not_put_elsewhere_as_a_lifted_one(german: Trained) -> None:
    for example in german.examples[:12]:
        arcs = [(token.i, token.head.i) for token in german.nlp(example.text)]
        for word, head in arcs[:6]:
            doc = example.predicted.copy()
            doc._.arceager_fixed_arcs = [(word, head)]
            assert get_parser(german.nlp)(doc)[word].head.i == head


@pytest.fixture(scope="module")
def segmenter() -> Language:
    nlp = blank_pipeline(system={"@misc": "arceager.arc_eager.v1", "segment": True})
    train(nlp, read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3), epochs=6)
    return nlp


def test_no_boundary_is_found_inside_a_fixed_arc(segmenter: Language) -> None:
    text = "The letters arrived . Nobody read them . She left ."
    n = len(segmenter.make_doc(text))
    doc = segmenter(fix(segmenter, text, [(2, n - 2)]))
    assert [token.i for token in doc if token.is_sent_start and 2 < token.i < n - 1] == []
    assert doc[2].head.i == n - 2
    roots = [(1, 1), (5, 5), (9, 9)]
    doc = segmenter(fix(segmenter, text, roots))
    assert [sent.root.i for sent in doc.sents if sent.root.i in (1, 5, 9)] == [1, 5, 9]
    message = r"root 'Nobody' \(4\) lies under the fixed arc from 'left' \(9\)"
    with pytest.raises(ConstraintError, match=message):
        segmenter(fix(segmenter, text, [(2, 9), (4, 4), (9, 9)]))


# Systems without an oracle that can keep fixed arcs, and graphs.
REFUSED = {
    "has no oracle": (
        {"@misc": "arceager.system.v1", "capacity": 3, "distance": 2, "swap": True},
        "en_small-dev.conllu", "no oracle says which transitions lose them",
    ),
    "builds graphs": (
        {"@misc": "arceager.dag.v1"}, "de_enhanced.conllu", "it builds graphs, not trees",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_system_that_cannot_keep_fixed_arcs_says_so(name: str) -> None:
    system, corpus, why = REFUSED[name]
    nlp = blank_pipeline(system=system)
    examples = read_corpus(nlp, corpus)
    nlp.initialize(lambda: examples)
    doc = nlp.make_doc("She sleeps .")
    get_parser(nlp)(doc)
    doc = nlp.make_doc("She sleeps .")
    doc._.arceager_fixed_arcs = [(0, 1)]
    with pytest.raises(ConstraintError, match=f"cannot keep fixed arcs .*{why}"):
        get_parser(nlp)(doc)


def test_arrays_of_fixed_arcs() -> None:
    words, starts = ["a", " ", "b", "c", "d", "e"], [1, -1, -1, -1, 1, -1]
    doc = Doc(spacy.blank("xx").vocab, words, sent_starts=starts)
    doc._.arceager_fixed_arcs = [(0, 3, "x"), (2, 2, "x"), (4, None, "x"), (5, 4)]
    layout = find_layout(doc)
    heads, labels, no_start = fixed_arrays(doc, layout, layout, {"y": 0, "x": 1})
    # Words are a, b, c and d, e. No sentence starts at b or c, under the arc from c to a.
    assert heads.tolist() == [2, 1, -1, -1, 0]
    assert labels.tolist() == [1, -1, -1, -1, -1]
    assert no_start.tolist() == [0, 1, 1, 0, 1]
    as_one = fixed_arrays(doc, whole(layout), layout, {"x": 1})
    assert as_one[0].tolist() == [2, 1, -1, -1, 3]


def test_a_mark_of_a_lifted_arc_cannot_be_fixed() -> None:
    doc = Doc(spacy.blank("xx").vocab, ["a", "b"])
    doc._.arceager_fixed_arcs = [(0, 1, "x||y")]
    layout = find_layout(doc)
    with pytest.raises(ConstraintError, match=r"does not know the fixed label 'x\|\|y' of 'a'"):
        fixed_arrays(doc, layout, layout, {"x": 0, "y": 1, "x||y": 2})


@pytest.mark.parametrize("arc", [(0, 1.0), (0, "1"), (1.0, 0), (0, None), (0, None, ""), (0, 2)])
def test_what_is_no_arc_is_named(arc: tuple) -> None:
    doc = Doc(spacy.blank("xx").vocab, ["a", "b"])
    doc._.arceager_fixed_arcs = [arc]
    with pytest.raises(ConstraintError, match="with tokens from 0 to 1"):
        list(read_arcs(doc))


def test_arcs_with_and_without_labels_and_heads() -> None:
    doc = Doc(spacy.blank("xx").vocab, ["a", "b"])
    doc._.arceager_fixed_arcs = [(0, 1), (1, 1, "x"), (0, None, "x"), (numpy.int64(1), 0, None)]
    assert list(read_arcs(doc)) == [(0, 1, ""), (1, 1, "x"), (0, None, "x"), (1, 0, "")]
    assert all(type(number) is int for arc in read_arcs(doc) for number in arc[:1])


def test_what_cannot_be_hashed_in_an_arc_is_named(german: Trained) -> None:
    doc = Doc(german.nlp.vocab, ["sie", "liest"])
    doc._.set(NAME, [(0, [1])])
    with pytest.raises(ConstraintError, match="is not \\(dependent, head\\)"):
        list(read_arcs(doc))


def test_an_arc_that_is_given_twice_is_read_once(german: Trained) -> None:
    doc = Doc(german.nlp.vocab, ["sie", "liest"])
    doc._.set(NAME, [(0, 1)] * 5 + [(0, 1, "x")])
    assert list(read_arcs(doc)) == [(0, 1, ""), (0, 1, "x")]
