"""What a parser finds in Docs: parses, the best trees, derivations. The Docs stay as they are."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc

from ..decoding.decoder import Encoded, ScoredDerivation
from ..annotation.layout import find_layout, find_units, word_rows
from ..network.scoring import find_scoring, kept_scorer
from ..search.settings import BeamSettings
from .scored_tree import ScoredTree

if TYPE_CHECKING:
    from .component import ArcEagerParser


def encode(parser: "ArcEagerParser", docs: list[Doc]) -> Encoded | None:
    """Docs with the vectors of their words; None where there are no words."""
    layouts = [find_units(doc, parser.parameters.segment) for doc in docs]
    rows = word_rows(docs, [layout.words for layout in layouts])
    if not rows.size:
        return None
    vectors = parser.model.predict(docs)[rows]
    scoring = find_scoring(parser.model, parser.system, parser.name)
    scorer = kept_scorer(parser.kept_scorers, scoring)
    return Encoded(docs, layouts, scorer, vectors, parser.beam, parser.threads)


def predict(parser: "ArcEagerParser", docs: list[Doc]) -> list[Any]:
    """A parse of each Doc."""
    encoded = encode(parser, docs)
    if encoded is None:
        return [parser.target.nothing(doc) for doc in docs]
    parses = parser.target.parse(encoded)
    if not parser.confidence:
        return parses
    confidences = parser.target.confidences(encoded, parser.temperature)
    return [parse._replace(confidences=own) for parse, own in zip(parses, confidences)]


def k_best(parser: "ArcEagerParser", doc: Doc, width: int) -> list[list[ScoredTree]]:
    """The best trees of each sentence of a Doc, by a beam of a width."""
    encoded = encode(parser, [doc])
    if encoded is None:
        return []
    beam = replace(parser.beam or BeamSettings(), width=width)
    layouts = [find_layout(doc)]
    return parser.target.k_best(encoded._replace(layouts=layouts, given=layouts, beam=beam))


def derivations(parser: "ArcEagerParser", docs: list[Doc]) -> list[list[ScoredDerivation]]:
    """How each sentence of each Doc is parsed."""
    encoded = encode(parser, docs)
    return [[] for _ in docs] if encoded is None else parser.target.derive(encoded)
