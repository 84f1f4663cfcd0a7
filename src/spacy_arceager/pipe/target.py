"""What a parser predicts: trees or graphs, behind one interface."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray
from spacy.tokens import Doc
from spacy.training import Example

from ..annotation.confidence import Confidences
from ..annotation.decoder import ScoredDerivation
from ..annotation.layout import Layout
from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..search.settings import BeamSettings
from ..training.batch import GoldBatch


class Target(Protocol):
    """What is learnt and annotated. system: with the labels of the parser."""

    system: TransitionSystem

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that Docs get."""

    def find_labels(
        self, examples: Iterable[Example], known: Iterable[str], policy: str, name: str
    ) -> list[str]:
        """The labels of the gold annotation and those known before, sorted.

        Logs what of it the system cannot learn. policy: for trees that the system cannot
        derive, see `apply_policy`. name: of the component.
        """

    def gold_batch(self, examples: Sequence[Example], policy: str) -> GoldBatch:
        """What `update` learns from; policy as for `find_labels`."""

    def parse(
        self,
        docs: Sequence[Doc],
        layouts: Sequence[Layout],
        scorer: Scorer,
        vectors: NDArray,
        beam: BeamSettings | None,
        threads: int,
    ) -> list[Any]:
        """Parse Docs without changing them.

        Args:
            layouts: what of each Doc is parsed as one.
            vectors: (n_words, width), of all words of the layouts.
            beam: how to search; None is greedy.
            threads: that search.
        """

    def k_best(
        self,
        doc: Doc,
        layout: Layout,
        scorer: Scorer,
        vectors: NDArray,
        beam: BeamSettings,
        threads: int,
    ) -> list[Any]:
        """The best parses of each unit of a Doc; ValueError where there is no such search."""

    def derive(
        self,
        docs: Sequence[Doc],
        layouts: Sequence[Layout],
        scorer: Scorer,
        vectors: NDArray,
        beam: BeamSettings | None,
        threads: int,
    ) -> list[list[ScoredDerivation]]:
        """How each unit of each Doc is parsed; arguments as for `parse`."""

    def confidences(
        self,
        docs: Sequence[Doc],
        layouts: Sequence[Layout],
        scorer: Scorer,
        vectors: NDArray,
        beam: BeamSettings | None,
        threads: int,
        temperature: float,
    ) -> list[Confidences]:
        """How likely heads and labels of all words of each Doc are right; see `DocDecoder`."""

    def nothing(self, doc: Doc) -> Any:
        """The parse of a Doc without words. All parses have `n_tokens`, those of the Doc.

        Raises:
            ConstraintError: Where arcs are fixed.
        """

    def write(self, doc: Doc, parse: Any) -> None:
        """Annotate a Doc with its parse."""


def make_target(system: TransitionSystem) -> Target:
    """Trees or graphs, as the system builds them."""
    from .graph_target import GraphTarget
    from .tree_target import TreeTarget

    return GraphTarget(system) if system.parameters.graph else TreeTarget(system)
