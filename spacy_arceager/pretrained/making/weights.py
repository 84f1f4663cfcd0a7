"""The weights of a transformer encoder, as all sources give them and as the graph takes them."""

from dataclasses import dataclass, replace

from ...token_vectors.layers import Array


@dataclass(frozen=True)
class Linear:
    """A linear layer: `weight` (inputs, outputs), `bias` (outputs,)."""

    weight: Array
    bias: Array


@dataclass(frozen=True)
class Norm:
    """A layer normalization: `gain` and `bias`, both (width,)."""

    gain: Array
    bias: Array


@dataclass(frozen=True)
class Block:
    """A transformer block, whose normalizations follow the sums (Vaswani et al. 2017, section 3).

    Attributes:
        output: joins what the heads of the attention found.
        attention_norm: normalizes the sum of that and of the block's input.
        inner: the first layer of the feed-forward network, followed by GELU.
        outer: its second layer.
        norm: normalizes the sum of that and of the network's input.
    """

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    attention_norm: Norm
    inner: Linear
    outer: Linear
    norm: Norm


@dataclass(frozen=True)
class EncoderWeights:
    """An encoder of the family of BERT (Devlin et al. 2019).

    Attributes:
        embeddings: (pieces, width).
        positions: (positions, width), the first one for the first piece of a sequence. The
            embedding of the first segment, which all texts are, is added already.
        norm: normalizes the sum of both.
        blocks: one for each layer.
        epsilon: what layer normalization adds to the variance.
    """

    embeddings: Array
    positions: Array
    norm: Norm
    blocks: tuple[Block, ...]
    n_heads: int
    epsilon: float

    @property
    def width(self) -> int:
        """How many numbers each vector has."""
        return self.embeddings.shape[1]

    def first_layers(self, n_layers: int) -> "EncoderWeights":
        """The same encoder without the blocks above the first `n_layers`.

        Raises:
            ValueError: If it has fewer.
        """
        if not 1 <= n_layers <= len(self.blocks):
            raise ValueError(f"{n_layers} layers are wanted, but it has {len(self.blocks)}")
        return replace(self, blocks=self.blocks[:n_layers])
