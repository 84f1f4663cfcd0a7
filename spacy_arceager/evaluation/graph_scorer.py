"""Scores of enhanced dependency graphs, as the official UD evaluation counts them.

The official evaluation is the script of the IWPT shared tasks on enhanced dependencies (Bouma,
Seddah and Zeman 2020), today `udeval` in the PyPI package udtools. It is given files whose empty
nodes are collapsed as in `corpus.conllu.deps`. The score is the F1 over arcs; an arc is right if
its dependent, its head and its label are right.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
from spacy.tokens import Doc
from spacy.training import Example

from ..annotation.graphs import Graph, get_graph, is_root
from ..annotation.layout import sentences_of
from ..gold.alignment import one_to_one
from ..systems.ud_rules import universal
from ..trees.algorithms import crossing_arcs
from .shares import share

ROOT_INDEX = -1
UNALIGNED = -2


class GraphArc(NamedTuple):
    """An arc between gold words.

    Attributes:
        dependent: index of a gold word.
        head: index of a gold word; ROOT_INDEX for an arc from the root; UNALIGNED if the predicted
            head matches no gold word.
        label: full label, perhaps a path through empty nodes (`conj>nsubj`).
    """

    dependent: int
    head: int
    label: str


@dataclass(frozen=True)
class AlignedGraphs:
    """The two graphs of an Example, both as arcs between gold words.

    Attributes:
        gold: all arcs of the gold graph.
        predicted: the arcs of the predicted words that match a gold word.
        n_predicted: number of predicted arcs. A gold sentence without any arc counts as not
            annotated, and predicted arcs of its words are not in this number.
    """

    gold: list[GraphArc]
    predicted: list[GraphArc]
    n_predicted: int


def make_graph_scorer() -> Callable[..., dict[str, Any]]:
    """Create the scorer for a pipeline config."""
    return score_graphs


def score_graphs(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    """Score `doc._.arceager_graph` of predicted Docs. The kwargs are not used.

    dep_elas: F1 (0 to 1) of arcs with full labels.
    dep_eulas: F1 of arcs with labels up to the colon, in each step of a path
        (`conj:and>nsubj:pass` is `conj>nsubj`). As in the official script, each gold arc is
        compared with each predicted arc: two arcs between the same words that differ only in
        subtypes give four matches, and the F1 can exceed 1.
    dep_graph_crossing_recall: the gold arcs that cross another gold arc are counted, without arcs
        from the root; this is the share (0 to 1) of them that is predicted.

    The first two are None if no gold sentence has a graph, and 0 if only gold sentences have one.
    The third is None where no arcs cross.
    """
    graphs = [align_graphs(example) for example in examples]
    return {
        "dep_elas": _arc_f1(graphs, lambda arc: arc),
        "dep_eulas": _arc_f1(graphs, _with_universal_label),
        "dep_graph_crossing_recall": _crossing_recall(graphs),
    }


def align_graphs(example: Example) -> AlignedGraphs:
    """The graphs of an Example as arcs between gold words; white space is no word."""
    gold_graph, predicted_graph = _graph(example.reference), _graph(example.predicted)
    annotated = _annotated_words(example.reference, gold_graph)
    tokens = [token for token in example.predicted if not token.is_space]
    gold_index = one_to_one(example, tokens)
    x2y = example.alignment.x2y
    counted = (token.i for token in tokens if any(int(i) in annotated for i in x2y[token.i]))
    return AlignedGraphs(
        gold=_arcs(gold_graph, {i: i for i in annotated}),
        predicted=_arcs(predicted_graph, gold_index),
        n_predicted=sum(len(predicted_graph[i]) for i in counted),
    )


def _graph(doc: Doc) -> Graph:
    return get_graph(doc) or [[] for _ in doc]


def _annotated_words(doc: Doc, graph: Graph) -> set[int]:
    """The words of all sentences in which some word has an arc."""
    return {
        token.i
        for span in sentences_of(doc)
        if any(graph[span.start : span.end])
        for token in span
        if not token.is_space
    }


def _arcs(graph: Graph, gold_index: Mapping[int, int]) -> list[GraphArc]:
    """The arcs of the tokens in gold_index, which maps tokens to gold words."""
    return [
        GraphArc(
            gold_index[i],
            ROOT_INDEX if is_root(i, head, label) else gold_index.get(head, UNALIGNED),
            label,
        )
        for i, arcs in enumerate(graph)
        if i in gold_index
        for head, label in arcs
    ]


def _arc_f1(graphs: Iterable[AlignedGraphs], key: Callable[[GraphArc], Hashable]) -> float | None:
    """The F1 of arcs, which match if they have the same key."""
    n_gold = n_predicted = matches = 0
    for graph in graphs:
        n_gold += len(graph.gold)
        n_predicted += graph.n_predicted
        counts = Counter(map(key, graph.gold))
        matches += sum(counts[key(arc)] for arc in graph.predicted)
    return 2 * matches / (n_gold + n_predicted) if n_gold else None


def _crossing_recall(graphs: Iterable[AlignedGraphs]) -> float | None:
    n_crossing = n_right = 0
    for graph in graphs:
        arcs = [arc for arc in graph.gold if arc.head >= 0]
        ends = numpy.asarray([[arc.dependent, arc.head] for arc in arcs], dtype="i").reshape(-1, 2)
        crossing = Counter(arcs[i] for i in numpy.flatnonzero(crossing_arcs(ends)))
        n_crossing += crossing.total()
        n_right += (crossing & Counter(graph.predicted)).total()
    return share(n_right, n_crossing)


def _with_universal_label(arc: GraphArc) -> GraphArc:
    steps = [universal(step) for step in arc.label.split(">")]
    return arc._replace(label=">".join(steps))
