"""Checks the files of an encoder: speed, bits, and distance from float32."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from tokenizers import Tokenizer

from ...token_vectors.layers import Ints
from ..encoder_files import EncoderFiles
from ..runner import Runner
from .source import EncoderSource


@dataclass(frozen=True)
class Check:
    """What a check has found.

    Attributes:
        words_per_second: how fast the whole encoder is on one core.
        same_bits: whether each sequence has the same vectors alone and in a batch.
        cosine: the mean cosine of the last layer's vectors with those in float32.
    """

    words_per_second: float
    same_bits: bool
    cosine: float


def encode_sentences(source: EncoderSource, sentences: Sequence[Sequence[str]]) -> list[Ints]:
    """The ids of the pieces of sentences, whose words are all preceded by spaces."""
    tokenizer = Tokenizer.from_str(source.tokenizer)
    longest = len(source.weights.positions) - 2
    sequences = []
    for words in sentences:
        split = tokenizer.encode_batch([" " + word for word in words], add_special_tokens=False)
        pieces = [piece for word in split for piece in word.ids]
        sequences.append(numpy.array([source.bos, *pieces[:longest], source.eos], dtype="i4"))
    return sequences


def check_encoder(
    files: EncoderFiles, source: EncoderSource, sentences: Sequence[Sequence[str]]
) -> Check:
    """Encode some sentences in several ways."""
    sequences = encode_sentences(source, sentences)
    runner, layers = Runner(files), [len(source.weights.blocks)]
    start = time.process_time()
    vectors = runner.encode(sequences, layers, mean=True)
    rate = sum(map(len, sentences)) / (time.process_time() - start)
    same = all(
        runner.encode([sequence], layers, mean=True)[0].tobytes() == together.tobytes()
        for sequence, together in zip(sequences, vectors)
    )
    expected = Runner(source.to_files()).encode(sequences, layers, mean=True)
    return Check(rate, same, find_cosine(numpy.concatenate(vectors), numpy.concatenate(expected)))


def find_cosine(first: numpy.ndarray, second: numpy.ndarray) -> float:
    """The mean cosine of the rows of two arrays."""
    lengths = numpy.linalg.norm(first, axis=1) * numpy.linalg.norm(second, axis=1)
    return float(((first * second).sum(axis=1) / lengths).mean())
