"""What a parser predicts: trees or graphs, behind one interface."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from spacy.tokens import Doc
from spacy.training import Example

from ..decoding.confidence import Confidences
from ..decoding.decoder import Decoder, ScoredDerivation
from ..decoding.encoding import Encoded
from ..gold.batch import GoldBatch
from ..machine.system import TransitionSystem
from .graph_target import GraphTarget
from .tree_target import TreeTarget


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

    def parse(self, decoder: Decoder, encoded: Encoded) -> list[Any]:
        """Parse Docs without changing them. decoder: of the system of this target, as below."""

    def k_best(self, decoder: Decoder, encoded: Encoded) -> list[Any]:
        """The best parses of each unit of one Doc; ValueError where there is no such search."""

    def derive(self, decoder: Decoder, encoded: Encoded) -> list[list[ScoredDerivation]]:
        """How each unit of each Doc is parsed."""

    def confidences(
        self, decoder: Decoder, encoded: Encoded, temperature: float
    ) -> list[Confidences]:
        """How likely heads and labels of all words of each Doc are right; see `Decoder`."""

    def nothing(self, doc: Doc) -> Any:
        """The parse of a Doc without words. All parses have `n_tokens`, those of the Doc.

        Raises:
            ConstraintError: Where arcs are fixed.
        """

    def write(self, doc: Doc, parse: Any) -> None:
        """Annotate a Doc with its parse."""


def make_target(system: TransitionSystem) -> Target:
    """Trees or graphs, as the system builds them."""
    return GraphTarget(system) if system.parameters.graph else TreeTarget(system)
