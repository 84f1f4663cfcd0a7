"""Parsed Docs, saved and loaded again, have the same trees."""

import pickle
from collections.abc import Callable

import numpy
import pytest
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_arceager.trees.algorithms import non_projective_arcs
from tests.conftest import (
    Trained,
    annotation,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def tree_of(doc: Doc) -> list[tuple]:
    """All that spaCy knows of the tree of a Doc."""
    edges = [(token.left_edge.i, token.right_edge.i) for token in doc]
    children = [(token.n_lefts, token.n_rights) for token in doc]
    return list(zip(annotation(doc), edges, children))


def through_doc_bytes(doc: Doc) -> Doc:
    return Doc(doc.vocab).from_bytes(doc.to_bytes())


def through_doc_bin(doc: Doc) -> Doc:
    return next(DocBin().from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(doc.vocab))


def through_doc_pickle(doc: Doc) -> Doc:
    return pickle.loads(pickle.dumps(doc))


def through_json(doc: Doc) -> Doc:
    return Doc(doc.vocab).from_json(doc.to_json())


def join(nlp: Language, examples: list[Example]) -> Doc:
    """One Doc of several sentences, whose boundaries are set."""
    tokens = [token for example in examples for token in example.reference]
    return Doc(
        nlp.vocab,
        words=[token.text for token in tokens],
        sent_starts=[token.i == 0 for token in tokens],
    )


@pytest.fixture(scope="module")
def crossing_docs(german: Trained) -> list[Doc]:
    """Parses of three sentences each, with crossing arcs."""
    examples = german.examples
    docs = [join(german.nlp, examples[i : i + 3]) for i in range(0, len(examples), 3)]
    return list(german.nlp.pipe(docs))


def test_crossing_arcs_are_predicted_between_boundaries(crossing_docs: list[Doc]) -> None:
    crossing = [
        sentence
        for doc in crossing_docs
        for sentence in doc.sents
        if non_projective_arcs(sentence_heads(sentence))
    ]
    assert len(crossing) > 20
    assert [len(list(doc.sents)) for doc in crossing_docs[:-1]] == [3] * 16


def sentence_heads(sentence) -> numpy.ndarray:
    heads = [token.head.i - sentence.start for token in sentence]
    return numpy.asarray(heads, dtype="i")


@pytest.mark.parametrize(
    "round_trip", [through_doc_bytes, through_doc_bin, through_doc_pickle, through_json]
)
def test_crossing_arcs_and_boundaries_survive(
    round_trip: Callable[[Doc], Doc], crossing_docs: list[Doc]
) -> None:
    for doc in crossing_docs:
        assert tree_of(round_trip(doc)) == tree_of(doc)


def test_subtrees_are_exact_also_with_crossing_arcs(crossing_docs: list[Doc]) -> None:
    for doc in crossing_docs:
        for token in doc:
            subtree = [t.i for t in doc if t == token or token.is_ancestor(t)]
            assert (token.left_edge.i, token.right_edge.i) == (subtree[0], subtree[-1])
            children = [t.i for t in doc if t.head == token and t != token]
            assert token.n_lefts == sum(child < token.i for child in children)
            assert token.n_rights == sum(child > token.i for child in children)


@pytest.mark.slow
def test_two_processes_parse_as_one(german: Trained) -> None:
    texts = [example.text for example in german.examples]
    alone = [tree_of(doc) for doc in german.nlp.pipe(texts)]
    together = german.nlp.pipe(texts, n_process=2, batch_size=7)
    assert [tree_of(doc) for doc in together] == alone
