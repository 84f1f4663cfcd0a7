"""Docs without trees teach nothing, as with spaCy's own parser."""

import numpy
import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.annotation.graphs import build_graph
from tests.conftest import blank_pipeline, get_parser, read_corpus, train

SEGMENTING = {"@misc": "arceager.arc_eager.v1", "segment": True}


@pytest.fixture
def nlp() -> Language:
    nlp = blank_pipeline(system=SEGMENTING)
    train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=1)
    return nlp


def weights_of(nlp: Language) -> list[numpy.ndarray]:
    return [
        node.get_param(name).copy() for node in get_parser(nlp).model.walk()
        for name in node.param_names if node.has_param(name)
    ]


def without_trees(nlp: Language, n: int) -> list[Example]:
    words = ["Some", "words", "of", "a", "text", "."]
    return [Example(nlp.make_doc(" ".join(words)), Doc(nlp.vocab, words)) for _ in range(n)]


def test_nothing_is_learnt_from_docs_without_trees(nlp: Language) -> None:
    before = weights_of(nlp)
    optimizer = nlp.resume_training()
    for _ in range(5):
        assert nlp.update(without_trees(nlp, 3), sgd=optimizer)["arceager_parser"] == 0
    for old, new in zip(before, weights_of(nlp), strict=True):
        assert numpy.array_equal(old, new)


def test_they_take_nothing_from_the_loss_of_others(nlp: Language) -> None:
    learnt = read_corpus(nlp, "en_small-dev.conllu")[:4]
    parser = get_parser(nlp)
    alone = parser.target.gold_batch(learnt, "projectivize")
    mixed = parser.target.gold_batch([*learnt, *without_trees(nlp, 4)], "projectivize")
    assert mixed.trees.n_trees == alone.trees.n_trees
    assert mixed.rows.tolist() == alone.rows.tolist()
    every = parser.target.gold_batch(without_trees(nlp, 4), "projectivize", every_unit=True)
    assert every.trees.n_trees == 4


def test_a_graph_alone_teaches_no_trees(nlp: Language) -> None:
    doc = Doc(nlp.vocab, ["One", "two"])
    doc._.arceager_graph = build_graph(2, [0, 1], [[0, 1, 0]], ["dep"])
    example = Example(nlp.make_doc("One two"), doc)
    assert not get_parser(nlp).target.gold_batch([example], "projectivize").rows.size


def test_boundaries_alone_teach_a_system_that_finds_them(nlp: Language) -> None:
    doc = Doc(nlp.vocab, ["One", ".", "Two", "."], sent_starts=[True, False, True, False])
    example = Example(nlp.make_doc("One . Two ."), doc)
    assert get_parser(nlp).target.gold_batch([example], "projectivize").rows.size == 4
    other = blank_pipeline()
    other.initialize(lambda: read_corpus(other, "en_small-dev.conllu"))
    assert not get_parser(other).target.gold_batch([example], "projectivize").rows.size
