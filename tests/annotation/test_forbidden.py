"""Forbidden arcs and labels, and spans that are subtrees: by exhaustion and in the component."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product

import numpy
import pytest
from spacy.language import Language
from spacy.tokens import Doc

from spacy_arceager.annotation.forbidden import (
    Ban,
    forbidden_of_words,
    read_bans,
)
from spacy_arceager.annotation.layout import find_units
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded
from spacy_arceager.errors import ConstraintError
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search.forbidden import Forbidden
from spacy_arceager.search.settings import BeamSettings
from tests.annotation.constraints import SYSTEMS, VOCAB, random_scorer
from tests.brute_force import has_subtree
from tests.conftest import (
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    random_vectors,
)
from tests.oracles.segmentations import outcomes

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

Heads = tuple[int, ...]


@cache
def possible_trees(name: str, n: int) -> list[tuple[Heads, tuple[bool, ...]]]:
    """All trees that a system derives, with where sentences start."""
    return sorted(outcomes(TransitionSystem(SYSTEMS[name]), n)[0])


def make_doc(n: int, arcs: Iterable[tuple] = (), subtrees: Iterable[tuple] = ()) -> Doc:
    doc = Doc(VOCAB, words=["w"] * n)
    doc._.arceager_forbidden_arcs = [*arcs]
    doc._.arceager_subtrees = [*subtrees]
    return doc


def decode(name: str, doc: Doc, width: int, seed: int) -> tuple[Heads, list[int], tuple]:
    """Heads, labels and starts; words with constraints have labels from n_labels on."""
    system, scorer = random_scorer(name, seed % 8)
    beam = BeamSettings(width) if width else None
    layouts = [find_units(doc, system.parameters.segment)]
    vectors = random_vectors(len(doc), 8, seed)
    found = Decoder(system, scorer, beam).decode(Encoded([doc], layouts, vectors))
    heads, labels, starts = (values.tolist() for values in found)
    return tuple(heads), labels, tuple(starts)


def fits(heads: Heads, arcs: Sequence[tuple], subtrees: Sequence[tuple]) -> bool:
    is_subtree = (has_subtree(heads, start, end - 1) for start, end in subtrees)
    return all(is_subtree) and not any(heads[arc[0]] == arc[1] for arc in arcs)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_only_tree_that_is_allowed_is_found(name: str, n: int) -> None:
    for i, (heads, _) in enumerate(possible_trees(name, n)):
        arcs = [(d, h) for d, h in product(range(n), repeat=2) if heads[d] != h]
        for width in (0, 3):
            assert decode(name, make_doc(n, arcs), width, i)[0] == heads


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_what_is_forbidden_is_left_out_where_a_tree_can_be_without_it(name: str, n: int) -> None:
    generator = numpy.random.default_rng(n)
    found = refused = 0
    spans = [(a, b) for a in range(n) for b in range(a + 1, n + 1)]
    for case in range(120):
        share = generator.choice([0.1, 0.3, 0.6])
        arcs = [arc for arc in product(range(n), repeat=2) if generator.random() < share]
        kept = generator.permutation(len(spans))[: generator.integers(3)]
        subtrees = [spans[i] for i in kept]
        allowed = {tree for tree in possible_trees(name, n) if fits(tree[0], arcs, subtrees)
                   and not any(any(tree[1][a + 1 : b]) for a, b in subtrees)}
        doc = make_doc(n, arcs, subtrees)
        if allowed:
            heads, _, starts = decode(name, doc, case % 2 * 4, case)
            assert (heads, starts) in allowed
            found += 1
        else:
            with pytest.raises(ConstraintError, match="Found no tree of .* has what is asked for"):
                decode(name, doc, case % 2 * 4, case)
            refused += 1
    assert found and refused


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_pair_of_spans_that_a_tree_has_is_a_subtree(name: str) -> None:
    n = 4
    spans = [(a, b) for a in range(n) for b in range(a + 1, n + 1)]
    for i, pair in enumerate(combinations(spans, 2)):
        trees = [tree for tree, starts in possible_trees(name, n) if fits(tree, (), pair)
                 and not any(any(starts[a + 1 : b]) for a, b in pair)]
        if trees:
            assert decode(name, make_doc(n, (), pair), 0, i)[0] in trees
        else:
            with pytest.raises(ConstraintError, match="subtrees: w"):
                decode(name, make_doc(n, (), pair), 0, i)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("width", [0, 4])
def test_forbidden_labels_are_not_given(name: str, width: int) -> None:
    n, generator = 4, numpy.random.default_rng(0)
    for seed in range(40):
        arcs = [
            (word, [None, head][int(generator.integers(2))], str(generator.choice(["a", "b"])))
            for word, head in product(range(n), repeat=2) if generator.random() < 0.5
        ]
        banned = {(d, h, label) for d, head, label in arcs
                  for h in (range(n) if head is None else [head]) if h != d}
        gone = [arc[:2] for arc in banned if {(*arc[:2], "a"), (*arc[:2], "b")} <= banned]
        if not any(fits(tree, gone, ()) for tree, _ in possible_trees(name, n)):
            continue
        heads, labels, _ = decode(name, make_doc(n, arcs), width, seed)
        names = ["a", "b", "a", *["a", "b", "a"]]
        for word, head in enumerate(heads):
            if head != word:
                assert (word, head, names[labels[word]]) not in banned


# The component

TEXT = "The letters that she wrote arrived yesterday ."


def constrain(nlp: Language, **constraints: object) -> Doc:
    doc = nlp.make_doc(TEXT)
    for name, value in constraints.items():
        doc._.set(f"arceager_{name}", value)
    return doc


@pytest.mark.parametrize("beam", [None, {"@misc": "arceager.beam.v1", "width": 4}])
def test_each_arc_of_a_parse_can_be_forbidden(english: Trained, beam: object) -> None:
    nlp = blank_pipeline(beam=beam).from_bytes(english.nlp.to_bytes())
    nlp.get_pipe("arceager_parser").confidence = True
    free = nlp(TEXT)
    for token in free:
        doc = nlp(constrain(nlp, forbidden_arcs=[(token.i, token.head.i)]))
        assert doc[token.i].head.i != token.head.i
        doc = nlp(constrain(nlp, forbidden_arcs=[(token.i, None, token.dep_)]))
        assert doc[token.i].dep_ != token.dep_
        doc = nlp(constrain(nlp, forbidden_arcs=[(token.i, token.head.i, token.dep_)]))
        assert (doc[token.i].head.i, doc[token.i].dep_) != (token.head.i, token.dep_)
        doc = nlp(constrain(nlp, fixed_arcs=[(token.i, None, "discourse")]))
        assert doc[token.i].dep_ == "discourse" and doc[token.i]._.arceager_confidence is not None
    assert annotation(nlp(constrain(nlp, forbidden_arcs=[]))) == annotation(free)


def test_all_spans_become_subtrees(english: Trained) -> None:
    nlp = english.nlp
    for start, end in combinations(range(9), 2):
        doc = nlp(constrain(nlp, subtrees=[(start, end)]))
        tops = [token for token in doc[start:end]
                if token.head.i not in range(start, end) or token.head == token]
        assert len(tops) == 1
        assert [token.i for token in tops[0].subtree] == [*range(start, end)]


def test_best_trees_and_derivations_honour_them(english: Trained) -> None:
    nlp = english.copy()
    doc = constrain(nlp, fixed_arcs=[(3, 6, "obj")], forbidden_arcs=[(5, 5), (1, 5)],
                    subtrees=[(0, 3)])
    [trees] = get_parser(nlp).k_best(doc, width=6)
    for tree in trees:
        heads = tuple(tree.heads)
        assert heads[3] == 6 and heads[5] != 5 and heads[1] != 5 and has_subtree(heads, 0, 2)
    [[derivation]] = get_parser(nlp).derivations([doc])
    configuration = get_parser(nlp).system.initial(8)
    for step in derivation.steps:
        configuration.apply(step.transition, step.label)
    parsed = nlp(doc)
    assert configuration.tree() == [token.head.i for token in parsed]
    assert parsed[3].head.i == 6 and parsed[5].head.i != 5


def test_a_word_with_constraints_is_not_put_elsewhere_as_a_lifted_one(german: Trained) -> None:
    nlp = german.nlp
    n_moved = 0
    for example in german.examples:
        free = nlp(example.predicted.copy())
        for token in free:
            if token.dep_ == "ROOT":
                continue
            doc = example.predicted.copy()
            doc._.arceager_forbidden_arcs = [(token.i, token.head.i)]
            doc = get_parser(nlp)(doc)
            assert doc[token.i].head.i != token.head.i
            n_moved += 1
            break
    assert n_moved == len(german.examples)


WRONG = [
    ({"forbidden_arcs": [(1, 99)]}, r"The forbidden arc \(1, 99\) is not"),
    ({"forbidden_arcs": [(1, None)]}, r"The forbidden arc \(1, None\) is not"),
    ({"subtrees": [(3, 3)]}, r"The subtree \(3, 3\) is not \(start, end\)"),
    ({"subtrees": [(3, 99)]}, r"The subtree \(3, 99\) is not"),
    ({"subtrees": [5]}, "The subtree 5 is not"),
    ({"subtrees": [(0, 3), (2, 5)]}, "subtrees: The letters that, that she wrote"),
    ({"fixed_arcs": [(1, None, "nonsense")]}, r"'nonsense' of 'letters' \(1\)"),
    ({"fixed_arcs": [(1, 5)], "forbidden_arcs": [(1, 5)]},
     "fixed: arrived -> letters; not allowed: arrived -> letters"),
    ({"forbidden_arcs": [(1, head) for head in range(8)]}, "not allowed: The -> letters, letters"),
    ({"fixed_arcs": [(0, None, "det")], "forbidden_arcs": [(0, None, "det")]},
     r"not allowed: any -> The \(det\), any -> The \(all but det\)"),
]


@pytest.mark.parametrize(("constraints", "message"), WRONG)
def test_what_no_tree_has_is_an_error(
    english: Trained, constraints: dict[str, object], message: str
) -> None:
    with pytest.raises(ConstraintError, match=message):
        english.nlp(constrain(english.nlp, **constraints))


def test_white_space_and_other_sentences_do_not_matter(english: Trained) -> None:
    words = ["She", " ", "left", "He", "stayed"]
    doc = Doc(english.nlp.vocab, words, sent_starts=[True, False, False, True, False])
    doc._.arceager_forbidden_arcs = [(0, 1), (0, 4), (0, None, "unknown")]
    doc._.arceager_subtrees = [(0, 2), (3, 5)]
    doc = get_parser(english.nlp)(doc)
    assert doc[0].head.i == 2
    crossing = Doc(english.nlp.vocab, words, sent_starts=[True, False, False, True, False])
    crossing._.arceager_subtrees = [(2, 4)]
    with pytest.raises(ConstraintError, match="'left He' crosses a sentence boundary"):
        get_parser(english.nlp)(crossing)
    spaces = Doc(english.nlp.vocab, words, sent_starts=[True, False, False, True, False])
    spaces._.arceager_subtrees = [(1, 2)]
    with pytest.raises(ConstraintError, match="has no words"):
        get_parser(english.nlp)(spaces)


def test_graphs_refuse_them() -> None:
    nlp = blank_pipeline("de", system={"@misc": "arceager.dag.v1"})
    from tests.conftest import read_corpus

    nlp.initialize(lambda: read_corpus(nlp, "de_enhanced.conllu", limit=5))
    doc = nlp.make_doc("Er kam .")
    doc._.arceager_subtrees = [(0, 1)]
    with pytest.raises(ConstraintError, match="it builds graphs"):
        nlp(doc)


def test_the_whole_sentence_is_named() -> None:
    doc = make_doc(3, product(range(3), repeat=2))
    with pytest.raises(ConstraintError, match="in the sentence 'w w w': not allowed: w -> w"):
        decode("arc_eager", doc, 0, 0)


def test_bans_are_those_of_arcs_labels_and_roots() -> None:
    doc = make_doc(3, [(0, 1), (1, 2, "a"), (2, None, "b"), (0, None, "ROOT"), (1, 1, "root"),
                       (1, 1, "a"), (2, 2), (0, 2, "root")])
    assert list(read_bans(doc)) == [
        Ban(0, 1, ""), Ban(1, 2, "a"), Ban(2, None, "b"), Ban(0, 0, ""), Ban(1, 1, ""),
        Ban(2, 2, ""),
    ]
    doc = make_doc(3)
    doc._.arceager_fixed_arcs = [(0, None, "a"), (1, None, "root"), (2, 1, "a")]
    assert list(read_bans(doc)) == [Ban(0, None, "a", is_only=True)]    # a root has a head: itself


def test_other_sentences_are_not_named() -> None:
    doc = Doc(VOCAB, ["a", "b", "c", "d"], sent_starts=[True, False, True, False])
    doc._.arceager_forbidden_arcs = [*product(range(2), repeat=2)]
    with pytest.raises(ConstraintError, match="in the sentence 'a b': "):
        decode("arc_eager", doc, 0, 0)


@pytest.mark.parametrize("words", [[" "], ["she", " "]])
def test_white_space_is_no_subtree(german: Trained, words: list[str]) -> None:
    doc = Doc(german.nlp.vocab, words)
    doc._.arceager_subtrees = [(len(words) - 1, len(words))]
    with pytest.raises(ConstraintError, match="has no words"):
        get_parser(german.nlp).predict([doc])


def forbidden(words: list[int], bans: Sequence[Ban], spans: Sequence[tuple[int, int]]) -> Forbidden:
    found = forbidden_of_words(numpy.asarray(words), bans, spans, ["a", "b"])
    assert found is not None
    return found


def test_what_is_forbidden_counts_words_from_the_first_one_of_the_unit() -> None:
    words = [3, 5, 6]       # token 4 is white space
    found = forbidden(words, [Ban(5, 3, ""), Ban(6, None, "a"), Ban(3, 6, "b"), Ban(0, 1, "")], [])
    assert numpy.argwhere(found.arcs).tolist() == [[1, 0]]
    assert numpy.argwhere(found.labels).tolist() == [[2, 0]]
    assert found.labelled.tolist() == [[0, 2, 1]]
    assert found.subtrees.tolist() == []


def test_a_word_that_must_have_a_label_is_no_root_and_has_no_other_label() -> None:
    found = forbidden([0, 1], [Ban(1, None, "b", is_only=True)], [])
    assert numpy.argwhere(found.arcs).tolist() == [[1, 1]]
    assert numpy.argwhere(found.labels).tolist() == [[1, 0]]


def test_words_outside_a_subtree_have_no_head_in_it() -> None:
    found = forbidden([3, 5, 6, 7], [], [(5, 6), (0, 1)])
    assert found.subtrees.tolist() == [[1, 2]]
    assert numpy.argwhere(found.arcs).tolist() == [[0, 1], [0, 2], [3, 1], [3, 2]]


def test_an_arc_that_no_label_may_have_is_forbidden() -> None:
    labelled = [Ban(0, 1, "a"), Ban(0, 1, "b"), Ban(2, 1, "a"), Ban(1, 2, "a"), Ban(1, None, "b")]
    found = forbidden([0, 1, 2], labelled, [])
    assert numpy.argwhere(found.arcs).tolist() == [[0, 1], [1, 2]]
    found = forbidden([0, 1, 2], [Ban(1, None, "a"), Ban(1, None, "b")], [])
    assert numpy.argwhere(found.arcs).tolist() == [[1, 0], [1, 2]]      # it may be the root


@pytest.mark.parametrize(("bans", "spans"), [
    ([], []), ([Ban(5, 6, "")], []), ([], [(5, 6)]), ([Ban(0, 5, "")], []),
    ([Ban(0, None, "unknown")], []),
])
def test_a_unit_of_which_nothing_is_asked_is_free(
    bans: list[Ban], spans: list[tuple[int, int]]
) -> None:
    assert forbidden_of_words(numpy.arange(3), bans, spans, ["a", "b"]) is None


def test_each_unit_gets_what_is_said_of_its_words() -> None:
    bans, spans = [Ban(0, 1, ""), Ban(2, 3, "")], [(0, 1), (2, 3)]
    for words in ([0, 1], [2, 3]):
        assert numpy.argwhere(forbidden(words, bans, []).arcs).tolist() == [[0, 1]]
        assert forbidden(words, [], spans).subtrees.tolist() == [[0, 1]]


@pytest.mark.parametrize(("arcs", "message"), [
    ([(0, 2), (1, 3)], r"from 'c' \(2\) to 'a' \(0\) and from 'd' \(3\) to 'b' \(1\) cross\. "),
    ([(0, 2), (1, 1)], r"root 'b' \(1\) lies under the fixed arc from 'c' \(2\) to 'a' \(0\)\. "),
    ([(2, 0), (1, 1)], r"root 'b' \(1\) lies under the fixed arc from 'a' \(0\) to 'c' \(2\)\. "),
    ([(0, 1), (1, 0)], r"cycle: 'a' \(0\) <- 'b' \(1\) <- 'a' \(0\)$"),
    ([(0, 2), (2, 0), (1, 3), (3, 3)], r"cycle: 'a' \(0\) <- 'c' \(2\) <- 'a' \(0\)$"),
    ([(0, 0), (1, 1), (2, 0)], r"root 'b' \(1\) lies under"),
])
def test_fixed_arcs_that_no_projective_tree_has_are_named(
    arcs: list[tuple[int, int]], message: str
) -> None:
    doc = Doc(VOCAB, ["a", "b", "c", "d"])
    doc._.arceager_fixed_arcs = arcs
    with pytest.raises(ConstraintError, match=message):
        decode("arc_eager", doc, 0, 0)


def test_subtrees_of_other_sentences_are_not_named() -> None:
    doc = Doc(VOCAB, ["a", "b", "c", "d"], sent_starts=[True, False, True, False])
    doc._.arceager_forbidden_arcs = [*product(range(2), repeat=2)]
    doc._.arceager_subtrees = [(0, 2), (2, 4)]
    with pytest.raises(ConstraintError, match="b -> b; subtrees: a b$"):
        decode("arc_eager", doc, 0, 0)
