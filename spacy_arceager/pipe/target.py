"""The interface of the two targets of a parser, trees and graphs."""

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
    """What a parser learns and annotates.

    Attributes:
        system: the system with the labels of the parser. Decoders in the methods have this system.
    """

    system: TransitionSystem

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that parsed Docs can have."""

    def find_labels(
        self, examples: Iterable[Example], known: Iterable[str], policy: str, name: str
    ) -> list[str]:
        """Find the labels of the gold annotation, and log what the system cannot learn of it.

        Args:
            examples: the gold annotation.
            known: labels that were known before.
            policy: what is done with trees that the system cannot derive, see `apply_policy`.
            name: the name of the component.

        Returns:
            The labels, including those known before, sorted.
        """

    def gold_batch(self, examples: Sequence[Example], policy: str) -> GoldBatch:
        """The gold trees or graphs that `update` learns from. policy: see `find_labels`."""

    def parse(self, decoder: Decoder, encoded: Encoded) -> list[Any]:
        """Parse Docs without changing them. A parse has `n_tokens`, the tokens of its Doc."""

    def k_best(self, decoder: Decoder, encoded: Encoded) -> list[Any]:
        """The best parses of each unit of one Doc. Raises ValueError for graphs."""

    def derive(self, decoder: Decoder, encoded: Encoded) -> list[list[ScoredDerivation]]:
        """The derivation of each unit of each Doc."""

    def confidences(
        self, decoder: Decoder, encoded: Encoded, temperature: float
    ) -> list[Confidences]:
        """How likely the heads and labels of the words are right, see `Decoder`."""

    def nothing(self, doc: Doc) -> Any:
        """The parse of a Doc without words.

        Raises:
            ConstraintError: If the Doc has fixed arcs.
        """

    def write(self, doc: Doc, parse: Any) -> None:
        """Write a parse to its Doc."""


def make_target(system: TransitionSystem) -> Target:
    """The target for the trees or the graphs that a system builds."""
    return GraphTarget(system) if system.parameters.graph else TreeTarget(system)
