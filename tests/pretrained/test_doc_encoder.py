"""The vectors of words are means of a slow twin's, and do not depend on the batch."""

from pathlib import Path

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.pretrained import doc_encoder
from spacy_arceager.pretrained.doc_encoder import DocEncoder, default_layers, make_key
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.output_store import halve
from spacy_arceager.pretrained.reading import STOPS, Reading
from spacy_arceager.pretrained.words import find_ends

from . import numpy_encoder
from .tiny import make_encoder, make_weights

NLP = spacy.blank("xx")
README = Path(__file__).parents[2] / "README.md"
TEXTS = [
    "the undone ants' nest, in theories", "", "  ", "a", "one on one.", "   in  the\n\nend ",
    README.read_text(encoding="utf8")[:1500],
]


@pytest.fixture(scope="module")
def docs() -> list[Doc]:
    return [NLP(text) for text in TEXTS]


def slow_vectors(encoder: DocEncoder, doc: Doc, layers: list[int], pooling: str) -> numpy.ndarray:
    """(n_words, n_layers, width) of a Doc that fits into one window."""
    words = encoder._pieces.split(doc)
    assert encoder.reading.stops == ""
    pieces = numpy.array([0, *[piece for word in words for piece in word], 2])
    outputs = numpy_encoder.run(make_weights(), pieces)[layers].swapaxes(0, 1)[1:-1]
    vectors = numpy.zeros((len(doc), *outputs.shape[1:]))
    start = 0
    for n, word in enumerate(words):
        of_word = outputs[start:start + len(word)]
        start += len(word)
        if word:
            pooled = {"mean": of_word.mean(axis=0), "first": of_word[0], "last": of_word[-1]}
            vectors[n] = pooled[pooling]
    return vectors


@pytest.mark.parametrize("pooling", ["mean", "first", "last"])
@pytest.mark.parametrize("mixture", ["mean", "learned"])
def test_vectors_are_those_of_the_slow_twin(
    encoder: EncoderFiles, docs: list[Doc], mixture: str, pooling: str
) -> None:
    reader = DocEncoder(encoder, Reading((1, 3), mixture, pooling, stops=""))
    for doc, vectors in zip(docs[:-1], reader.encode(docs[:-1]), strict=True):
        expected = slow_vectors(reader, doc, [1, 3], pooling)
        if mixture == "mean":
            expected = expected.mean(axis=1)
        assert vectors.dtype == numpy.float32 and vectors.shape == (len(doc), *reader.shape)
        numpy.testing.assert_allclose(vectors, expected, atol=3e-5)


def test_white_space_has_zeros(encoder: EncoderFiles, docs: list[Doc]) -> None:
    for doc, vectors in zip(docs, DocEncoder(encoder, Reading()).encode(docs)):
        assert [not vector.any() for vector in vectors] == [word.is_space for word in doc]


def test_a_long_doc_is_read_in_windows(encoder: EncoderFiles, docs: list[Doc]) -> None:
    reader = DocEncoder(encoder, Reading(stops="", window=16, stride=5))
    cut = reader.cut(docs[-1])
    assert len(cut.windows) > 200 and {len(window) for window in cut.windows} == {16}
    (vectors,) = reader.encode([docs[-1]])
    outputs = numpy.concatenate([
        numpy_encoder.run(make_weights(), window)[[2, 3]].mean(axis=0) for window in cut.windows
    ])
    for n in range(0, len(docs[-1]), 7):
        rows = cut.rows[cut.starts[n]:cut.starts[n + 1]]
        if len(rows):
            numpy.testing.assert_allclose(vectors[n], outputs[rows].mean(axis=0), atol=3e-5)


def test_stretches_are_read_alone(encoder: EncoderFiles) -> None:
    words = ["The", "end", ".", "And", "so", "on", "?!", ".", "\n", ".5", "a...", "!"]
    doc = Doc(NLP.vocab, words)
    reader = DocEncoder(encoder, Reading())
    (vectors,) = reader.encode([doc])
    assert len(reader.cut(doc).windows) == 4
    assert find_ends(doc, STOPS) == [3, 7, 8, 12]
    alone = [doc[start:end].as_doc() for start, end in ((0, 3), (3, 7), (7, 8), (8, 12))]
    whole = reader.encode(alone)
    assert vectors.tobytes() == numpy.concatenate(whole).tobytes()
    assert len(DocEncoder(encoder, Reading(stops="")).cut(doc).windows) == 1


def test_windows_are_no_longer_than_the_encoder_reads(
    encoder: EncoderFiles, docs: list[Doc]
) -> None:
    reader = DocEncoder(encoder, Reading(stops="", window=500, stride=498))
    assert {len(window) for window in reader.cut(docs[-1]).windows} == {encoder.meta.max_pieces}


@pytest.mark.parametrize("mixture", ["mean", "learned"])
@pytest.mark.parametrize("at_once", [1, 300, doc_encoder.PIECES_AT_ONCE])
def test_the_same_bits_in_any_batch(
    encoder: EncoderFiles, docs: list[Doc], mixture: str, at_once: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = DocEncoder(encoder, Reading(mixture=mixture, window=20, stride=12))
    alone = [reader.encode([doc])[0] for doc in docs]
    monkeypatch.setattr(doc_encoder, "PIECES_AT_ONCE", at_once)
    order = numpy.random.default_rng(0).permutation(3 * len(docs))
    together = reader.encode([docs[n % len(docs)] for n in order])
    for n, vectors in zip(order, together, strict=True):
        assert vectors.tobytes() == alone[n % len(docs)].tobytes()


def test_each_doc_is_encoded_once(
    encoder: EncoderFiles, docs: list[Doc], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = DocEncoder(encoder, Reading(), limit=10**6)
    expected = [halve(vectors).astype("f") for vectors in reader.encode(docs)]
    encoded: list[Doc] = []
    encode = reader.encode

    def note(some: list[Doc]) -> list[numpy.ndarray]:
        encoded.extend(some)
        return encode(some)

    monkeypatch.setattr(reader, "encode", note)
    for batch in (docs[:2], [*docs, *docs], docs[::-1]):
        order = [docs.index(doc) for doc in batch]
        for n, vectors in zip(order, reader.encode_once(batch), strict=True):
            assert vectors.dtype == numpy.float32
            assert vectors.tobytes() == expected[n].tobytes()
    assert len(encoded) == len(docs) == len(reader.store)


def test_what_had_no_room_is_encoded_again(encoder: EncoderFiles, docs: list[Doc]) -> None:
    reader = DocEncoder(encoder, Reading(), limit=1000)
    first, second = reader.encode_once(docs), reader.encode_once(docs)
    assert 0 < len(reader.store) < len(docs)
    for vectors, others in zip(first, second, strict=True):
        assert vectors.tobytes() == others.tobytes()


def test_keys_tell_words_and_spaces_apart() -> None:
    docs = [
        Doc(NLP.vocab, words, spaces) for words, spaces in (
            (["a", "b"], [True, True]), (["a", "b"], [False, True]), (["ab"], [True]),
            (["a ", "b"], [False, True]), (["a", "b"], [True, False]), (["b", "a"], [True, True]),
            ([], []), (["a", "\0", "b"], [False, False, False]), (["a\0b"], [False]),
            (["a"], [True]), (["a", "1 b"], [True, False]), (["a", "1", "b"], [True, True, False]),
        )
    ]
    assert len({make_key(doc) for doc in docs}) == len(docs)
    assert make_key(docs[0]) == make_key(Doc(spacy.blank("en").vocab, ["a", "b"], [True, True]))


def test_default_layers() -> None:
    expected = {12: (5, 6, 7, 8), 8: (5, 6, 7, 8), 6: (4, 5, 6), 5: (3, 4, 5), 2: (2,), 1: (1,)}
    assert {n: default_layers(n) for n in expected} == expected


def test_layers_that_the_encoder_lacks() -> None:
    with pytest.raises(ValueError, match=r"layers=\[2, 3\], but tiny has only 2"):
        DocEncoder(make_encoder(n_layers=2), Reading((2, 3)))
