"""A Doc that is parsed again is parsed as before, also with constraints that it got meanwhile."""

import random

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.boundaries import given_boundaries
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.pipe.component import ArcEagerParser
from tests.annotation.parsers import build_parser
from tests.conftest import read_corpus
from tests.search.systems import SEGMENTING

# Other systems cannot keep constraints.
SYSTEMS = [name for name, system in SEGMENTING.items() if constraint_oracle(system) is not None]
# These find several sentences with random weights, and give each of them one root.
FINDING = ["arc_standard", "arc_eager tree", "easy_first 4", "kept"]


def make_parser(name: str) -> tuple[ArcEagerParser, list[Doc]]:
    """A greedy parser with random weights, and Docs of random words."""
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING[name], examples, learns=False)
    draw = random.Random(0)
    docs = []
    for example in examples[:10]:
        words = [token.text for token in example.reference][:25]
        draw.shuffle(words)
        docs.append(Doc(nlp.vocab, words=words))
    return parser, docs


@pytest.mark.parametrize("name", SYSTEMS)
def test_found_boundaries_do_not_count_as_given(name: str) -> None:
    parser, docs = make_parser(name)
    for doc in docs:
        doc._.arceager_fixed_arcs = [(2, 4)]
        before = given_boundaries(doc).tolist()
        heads = [token.head.i for token in parser(doc)]
        assert given_boundaries(doc).tolist() == before
        assert [token.head.i for token in parser(doc)] == heads


@pytest.mark.parametrize("name", FINDING)
def test_found_boundaries_forbid_no_arc_that_is_fixed_later(name: str) -> None:
    parser, docs = make_parser(name)
    n_crossing = 0
    for doc in docs:
        before = parser.derivations([doc])[0]
        parser(doc)
        assert [one.score for one in parser.derivations([doc])[0]] == [one.score for one in before]
        starts = [token.i for token in doc if token.is_sent_start]
        if len(starts) > 1:
            n_crossing += 1
            doc._.arceager_fixed_arcs = [(starts[1] - 1, starts[1])]
            assert parser(doc)[starts[1] - 1].head.i == starts[1]
    assert n_crossing


@pytest.mark.parametrize("name", FINDING)
def test_the_best_trees_of_a_doc_without_boundaries_are_of_one_sentence(name: str) -> None:
    parser, docs = make_parser(name)
    for doc in docs[:4]:
        (trees,) = parser.k_best(doc, 4)
        assert all(tree.labels.count("ROOT") == 1 for tree in trees)
