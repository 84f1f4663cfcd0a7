"""A tiny encoder with random weights, and a tokenizer with few pieces."""

import numpy
from tokenizers import Tokenizer
from tokenizers.decoders import Metaspace as MetaspaceDecoder
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace

from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.making.source import EncoderSource
from spacy_arceager.pretrained.making.weights import Block, EncoderWeights, Linear, Norm

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?!'-"
SUBWORDS = ["▁", "▁the", "▁th", "▁a", "▁in", "er", "ing", "ed", "▁un", "on", "es"]
PIECES = [*SPECIAL, *SUBWORDS, *LETTERS]


def make_tokenizer() -> str:
    """A Unigram tokenizer as XLM-R has it: a word begins with "▁", and longer pieces win."""
    scores = [(piece, 0.0 if piece in SPECIAL else -5.0 + 0.5 * len(piece)) for piece in PIECES]
    tokenizer = Tokenizer(Unigram(scores, unk_id=3))
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.decoder = MetaspaceDecoder()
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer.to_str()


def make_weights(
    n_pieces: int = len(PIECES), n_layers: int = 3, width: int = 32, n_heads: int = 4,
    n_positions: int = 64, hidden: int = 64, seed: int = 0,
) -> EncoderWeights:
    """Random weights of a size at which each part of a block tells in its output."""
    rng = numpy.random.default_rng(seed)

    def draw(*shape: int, scale: float = 1.0) -> numpy.ndarray:
        return (scale * rng.standard_normal(shape)).astype("f")

    def linear(n_in: int, n_out: int) -> Linear:
        return Linear(draw(n_in, n_out, scale=1.5 / n_in**0.5), draw(n_out, scale=0.2))

    def norm() -> Norm:
        return Norm(1 + draw(width, scale=0.2), draw(width, scale=0.2))

    def block() -> Block:
        return Block(
            linear(width, width), linear(width, width), linear(width, width), linear(width, width),
            norm(), linear(width, hidden), linear(hidden, width), norm(),
        )

    return EncoderWeights(
        draw(n_pieces, width), draw(n_positions, width, scale=0.5), norm(),
        tuple(block() for _ in range(n_layers)), n_heads, 1e-5,
    )


def make_source(n_layers: int = 3, n_positions: int = 64, seed: int = 0) -> EncoderSource:
    """A tiny encoder of width 32 with a Unigram tokenizer."""
    return EncoderSource(
        weights=make_weights(n_layers=n_layers, n_positions=n_positions, seed=seed),
        tokenizer=make_tokenizer(),
        name="tiny", source="random weights", license="MIT", languages=("en",),
        family="xlm-roberta", bos=0, eos=2, pad=1, unk=3,
    )


def make_encoder(n_layers: int = 3, n_positions: int = 64, seed: int = 0) -> EncoderFiles:
    """Its files, in float32."""
    return make_source(n_layers, n_positions, seed).to_files()


def draw_pieces(n_sequences: int, longest: int = 64, seed: int = 0) -> list[numpy.ndarray]:
    """Random sequences of pieces."""
    rng = numpy.random.default_rng(seed)
    lengths = rng.integers(2, longest + 1, n_sequences)
    return [rng.integers(0, len(PIECES), length).astype("i4") for length in lengths]
