"""The target of a parser that predicts graphs, `doc._.arceager_graph`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spacy import util
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from ..annotation.forbidden import refuse_constraints
from ..annotation.graphs import GRAPH_EXTENSION, Graph, build_graph, graphs_of_docs
from ..decoding.decoder import Decoder, ScoredDerivation
from ..decoding.encoding import Encoded
from ..decoding.plan import lengths_of
from ..gold.batch import GoldBatch, graph_batch
from ..gold.graphs import count_labels
from ..machine.system import TransitionSystem
from ..search.greedy import parse_graphs


class GraphParse(NamedTuple):
    """The parse of a Doc: its graph, see `annotation.graphs`."""

    graph: Graph

    @property
    def n_tokens(self) -> int:
        """The number of tokens of the Doc."""
        return len(self.graph)


class GraphTarget:
    """What a parser learns and annotates: graphs, which are found greedily.

    The methods are those of `TreeTarget`. Heads and labels of Docs do not change.
    """

    def __init__(self, system: TransitionSystem):
        self.system = system

    @property
    def labels(self) -> tuple[str, ...]:
        """See `TreeTarget`."""
        return self.system.labels

    def add_strings(self, vocab: Vocab) -> None:
        """See `TreeTarget`. Graphs have their labels as text."""

    def find_labels(
        self, examples: Iterable[Example], known: Iterable[str], policy: str, name: str
    ) -> list[str]:
        """See `TreeTarget`."""
        seen, counts = count_labels(examples)
        if not counts["sentences"]:
            raise ValueError(
                f"'{name}' builds graphs with the system '{self.system.parameters.name}', but no "
                "gold Doc has one in doc._.arceager_graph. Train on CoNLL-U files with "
                "enhanced dependencies (the column DEPS), or choose a system that builds "
                "trees, such as arceager.arc_eager.v1"
            )
        util.logger.info(
            "%s: There are %d gold graphs with %d arcs; %d of these arcs cross others.",
            name, counts["sentences"], counts["arcs"], counts["crossing"],
        )
        return sorted({*seen, *known})

    def gold_batch(
        self, examples: Sequence[Example], policy: str, every_unit: bool = False
    ) -> GoldBatch:
        """See `TreeTarget`. Only Docs with a graph count, and the policy is for trees."""
        return graph_batch(examples, self.system)

    def parse(self, decoder: Decoder, encoded: Encoded) -> list[GraphParse]:
        """See `TreeTarget`."""
        self._refuse_constraints(encoded.docs)
        arcs = parse_graphs(
            self.system, decoder.scorer, encoded.vectors, lengths_of(encoded.layouts),
            threads=decoder.threads,
        )
        words = [layout.words for layout in encoded.layouts]
        graphs = graphs_of_docs(encoded.docs, words, arcs, self.system.labels)
        return [GraphParse(graph) for graph in graphs]

    def k_best(self, decoder: Decoder, encoded: Encoded) -> list[Any]:
        """Raise ValueError, because graphs are parsed greedily."""
        raise ValueError("k_best needs a system that builds trees: graphs are parsed greedily")

    def derive(self, decoder: Decoder, encoded: Encoded) -> list[list[ScoredDerivation]]:
        """See `TreeTarget`."""
        self._refuse_constraints(encoded.docs)
        return replace(decoder, beam=None).derive(encoded)

    def _refuse_constraints(self, docs: Sequence[Doc]) -> None:
        refuse_constraints(docs, self.system.parameters.name, "it builds graphs, not trees")

    def nothing(self, doc: Doc) -> GraphParse:
        """See `TreeTarget`."""
        self._refuse_constraints([doc])
        return GraphParse(build_graph(len(doc), [], [], []))

    def write(self, doc: Doc, parse: GraphParse) -> None:
        """See `TreeTarget`."""
        doc._.set(GRAPH_EXTENSION, parse.graph)
