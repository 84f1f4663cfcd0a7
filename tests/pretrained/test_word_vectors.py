"""Static vectors are means over occurrences, and principal components keep what is large."""

from collections import defaultdict

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.pretrained import word_vectors
from spacy_arceager.pretrained.doc_encoder import DocEncoder
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.reading import Reading
from spacy_arceager.pretrained.word_vectors import average_vectors, principal_components

NLP = spacy.blank("xx")
TEXTS = ["the ants in the nest", "in the nest", "", "the ants", " the\n", "undone"]


@pytest.mark.parametrize("most", [100, 3, 1])
@pytest.mark.parametrize("at_once", [2, 256])
def test_a_word_has_the_mean_of_its_occurrences(
    encoder: EncoderFiles, monkeypatch: pytest.MonkeyPatch, most: int, at_once: int
) -> None:
    monkeypatch.setattr(word_vectors, "DOCS_AT_ONCE", at_once)
    reader = DocEncoder(encoder, Reading())
    docs: list[Doc] = [NLP(text) for text in TEXTS]
    found = defaultdict(list)
    for doc in docs:
        for token, vector in zip(doc, reader.encode([doc])[0], strict=True):
            found[token.text].append(vector)
    words, vectors = average_vectors(reader, docs, most)
    assert words == ["the", "ants", "in", "nest", "undone"][:most]
    for word, vector in zip(words, vectors, strict=True):
        assert numpy.allclose(vector, numpy.mean(found[word], axis=0), atol=1e-5)


def test_all_components_keep_all_distances_and_the_first_the_most_variance() -> None:
    rng = numpy.random.default_rng(0)
    vectors = (rng.normal(size=(50, 6)) * [1, 5, 0.1, 3, 1, 2] + 7).astype("f")
    whole = principal_components(vectors, 10)
    assert whole.shape == (50, 6) and whole.dtype == numpy.float32
    assert numpy.allclose(whole.mean(axis=0), 0, atol=1e-5)
    assert (whole**2).mean() == pytest.approx(1)
    distances = [numpy.linalg.norm(table[:, None] - table, axis=-1) for table in (vectors, whole)]
    ratio = distances[1][0, 1] / distances[0][0, 1]
    assert numpy.allclose(distances[0] * ratio, distances[1], atol=1e-3)
    variances = whole.var(axis=0)
    assert (numpy.diff(variances) < 0).all()
    part = principal_components(vectors, 2)
    assert part.shape == (50, 2) and part.flags.c_contiguous
    for column in range(2):
        assert abs(numpy.corrcoef(part[:, column], whole[:, column])[0, 1]) > 0.9999
