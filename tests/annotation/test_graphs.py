"""Graphs as an extension of Docs."""

import subprocess
import sys

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.graphs import get_graph
from spacy_arceager.corpus.conllu import doc_to_conllu


@pytest.mark.slow
def test_importing_twice_keeps_the_graphs_of_docs() -> None:
    code = """
import importlib
import spacy
from spacy_arceager.annotation import graphs

doc = spacy.blank("xx")("one two")
doc._.arceager_graph = [[[0, "root"]], [[0, "dep"]]]
importlib.reload(graphs)
print(doc._.arceager_graph)
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "[[[0, 'root']], [[0, 'dep']]]\n"


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
    doc = Doc(spacy.blank("xx").vocab, ["she", "reads", "books"])
    doc._.arceager_graph = graph
    for read in (get_graph, doc_to_conllu):
        with pytest.raises(ValueError, match=f"arceager_graph is, or has in it.*{named}"):
            read(doc)
