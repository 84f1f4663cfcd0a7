"""Static vectors are means over occurrences, of which principal components keep what is large.

A table of n-grams comes as near to them as it can.
"""

from collections import defaultdict

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.pretrained import word_vectors
from spacy_arceager.pretrained.doc_encoder import DocEncoder
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.reading import Reading
from spacy_arceager.pretrained.word_vectors import (
    PENALTY,
    average_vectors,
    fit_table,
    make_word_vectors,
    principal_components,
)

NLP = spacy.blank("xx")
TEXTS = ["the ants in the nest", "in the nest", "", "", "", "the ants", " the\n", "undone"]


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
    words, counts, vectors = average_vectors(reader, docs, most)
    assert words == ["the", "ants", "in", "nest", "undone"][:most]
    assert counts.tolist() == [5, 2, 2, 2, 1][:most]
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


def test_a_table_is_fitted_by_ridge_regression() -> None:
    rng = numpy.random.default_rng(1)
    rows = numpy.array([0, 1, 1, 2, 3, 0, 2, 3, 3, 4], dtype="i")    # of means of 1 to 4 rows
    starts = numpy.array([0, 1, 3, 5, 9, 10], dtype="i")
    targets = rng.normal(size=(5, 3)).astype("f")
    weights = numpy.array([1.0, 4.0, 2.0, 1.0, 9.0])
    means = numpy.zeros((5, 6))
    for n in range(5):
        for row in rows[starts[n]:starts[n + 1]]:
            means[n, row] += 1 / (starts[n + 1] - starts[n])
    expected = numpy.linalg.solve(
        means.T @ (weights[:, None] * means) + PENALTY * numpy.eye(6),
        means.T @ (weights[:, None] * targets),
    )
    table = fit_table(rows, starts, 6, targets, weights)
    assert table.dtype == numpy.float32 and table.flags.c_contiguous
    assert numpy.allclose(table, expected, atol=1e-4)
    assert not table[5].any()    # no mean has this row


def test_each_word_has_a_vector_and_known_ones_are_near_to_the_encoder(
    encoder: EncoderFiles,
) -> None:
    nlp = spacy.blank("xx")
    docs = [nlp(text) for text in TEXTS]
    reader = DocEncoder(encoder, Reading())
    vectors = make_word_vectors(reader, docs, n_rows=2000, width=3)
    nlp.vocab.vectors = vectors
    assert nlp.vocab.vectors is vectors and vectors.shape == (2000, 3)
    words, _, means = average_vectors(reader, docs, 10)
    targets = principal_components(means, 3)
    found = numpy.array([nlp.vocab[word].vector for word in words])
    lengths = numpy.linalg.norm(found, axis=1) * numpy.linalg.norm(targets, axis=1)
    assert ((found * targets).sum(axis=1) / lengths > 0.99).all()
    assert nlp.vocab["undo"].vector @ nlp.vocab["undone"].vector > 0    # shared n-grams
    with pytest.raises(ValueError, match="fewer than two words"):
        make_word_vectors(reader, [nlp("one one")], n_rows=10, width=3)
