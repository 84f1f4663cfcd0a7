"""What a published encoder gives, whatever the format of its files."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from ...token_vectors.layers import Ints
from ..encoder_files import EncoderFiles, EncoderMeta, Origin, hash_graph
from .graph import build_graph
from .quantize import Int8Products, find_largest
from .weights import EncoderWeights


@dataclass(frozen=True)
class EncoderSource(Origin):
    """A published encoder.

    Attributes:
        weights: all of them, in float32.
        tokenizer: the JSON of the library `tokenizers`.
    """

    weights: EncoderWeights
    tokenizer: str

    def first_layers(self, n_layers: int) -> "EncoderSource":
        """The same encoder without the blocks above the first `n_layers`."""
        return replace(self, weights=self.weights.first_layers(n_layers))

    def to_files(self) -> EncoderFiles:
        """The files that run this encoder in float32."""
        return self._with_graph(build_graph(self.weights), "float32")

    def to_int8(self, sequences: Sequence[Ints]) -> EncoderFiles:
        """The files that run this encoder in int8.

        Args:
            sequences: ids of the pieces of some texts, with `bos` and `eos`. They tell which values
                must be told apart. A few hundred sentences are enough.
        """
        largest = find_largest(self.weights, sequences)
        return self._with_graph(build_graph(self.weights, Int8Products(largest)), "int8")

    def _with_graph(self, graph: bytes, precision: str) -> EncoderFiles:
        weights = self.weights
        meta = EncoderMeta(
            **{field.name: getattr(self, field.name) for field in fields(Origin)},
            n_layers=len(weights.blocks), width=weights.width, n_pieces=len(weights.embeddings),
            max_pieces=len(weights.positions), precision=precision, sha256=hash_graph(graph),
        )
        return EncoderFiles(graph, self.tokenizer, meta)
