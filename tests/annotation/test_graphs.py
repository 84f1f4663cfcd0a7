"""Graphs as an extension of Docs."""

import importlib

import numpy
import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_arceager.annotation import graphs
from spacy_arceager.annotation.graphs import get_graph, graphs_of_docs, is_root, starts_at_root
from spacy_arceager.corpus.conllu import doc_to_conllu

VOCAB = Vocab()


def test_importing_twice_keeps_the_graphs_of_docs() -> None:
    doc = Doc(VOCAB, ["one", "two"])
    doc._.arceager_graph = graph = [[[0, "root"]], [[0, "dep"]]]
    importlib.reload(graphs)
    assert doc._.arceager_graph == graph


@pytest.mark.parametrize(
    ("graph", "named"),
    [
        ("abc", "'abc'"),
        (5, "5"),
        ([1, 2, 3], "1"),
        ([[[0]], [], []], r"\[\[0\]\]"),
        ([[["1", "x"]], [], []], "'1', 'x'"),
        ([[[99, "x"]], [], []], "99, 'x'"),
        ([[[-1, "x"]], [], []], "-1, 'x'"),
        ([[[1, None]], [], []], "1, None"),
    ],
)
def test_what_is_no_graph_is_named(graph: object, named: str) -> None:
    doc = Doc(VOCAB, ["she", "reads", "books"])
    doc._.arceager_graph = graph
    for read in (get_graph, doc_to_conllu):
        with pytest.raises(ValueError, match=f"arceager_graph is, or has in it.*{named}"):
            read(doc)


@pytest.mark.parametrize("value", [None, [], [[]], [[[0, "root"]]] * 3])
def test_a_graph_of_other_tokens_is_none(value: object) -> None:
    doc = Doc(VOCAB, ["she", "reads"])
    doc._.arceager_graph = value
    assert get_graph(doc) is None


def test_tuples_become_lists_and_the_first_and_the_last_token_may_be_heads() -> None:
    doc = Doc(VOCAB, ["she", "reads"])
    doc._.arceager_graph = (((1, "nsubj"),), ((1, "root"), (0, "x")))
    assert get_graph(doc) == [[[1, "nsubj"]], [[1, "root"], [0, "x"]]]
    doc._.arceager_graph = [[[2, "nsubj"]], []]
    with pytest.raises(ValueError, match="heads from 0 to 1"):
        get_graph(doc)


@pytest.mark.parametrize(("label", "expected"), [
    ("root", True), ("root>nsubj", True), ("root>conj>nsubj:pass", True), ("root:x", True),
    ("root:x>nsubj", True), ("nsubj", False), ("nsubj>root", False), ("roots", False),
    ("x:root", False), ("", False),
])
def test_labels_that_start_at_the_root(label: str, expected: bool) -> None:
    assert starts_at_root(label) is expected
    assert is_root(3, 3, label) is expected
    assert not is_root(3, 2, label)


def test_arcs_of_several_docs_become_a_graph_of_each() -> None:
    docs = [Doc(VOCAB, words) for words in (["a", " ", "b"], [], [" "], ["c", "d"], ["e"])]
    words = [numpy.asarray(each, "i") for each in ([0, 2], [], [], [0, 1], [0])]
    arcs = numpy.asarray([(0, 1, 1), (2, 3, 0), (2, 3, 1), (3, 2, 0)], "i")
    assert graphs_of_docs(docs, words, arcs, ["x", "y"]) == [
        [[[2, "y"]], [], [[2, "root"]]],
        [],
        [[]],
        [[[1, "x"], [1, "y"]], [[0, "x"]]],
        [[[0, "root"]]],
    ]
