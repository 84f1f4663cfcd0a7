"""Static vectors of words: means of a pretrained encoder's vectors over all occurrences in texts.

They bring what the encoder knows into embeddings that read a word alone (Bommasani et al. 2020,
section 3).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy
from spacy.tokens import Doc
from spacy.util import minibatch

from ..token_vectors.layers import Array
from .doc_encoder import DocEncoder

DOCS_AT_ONCE = 256


def average_vectors(
    encoder: DocEncoder, docs: Sequence[Doc], most: int
) -> tuple[list[str], Array]:
    """The mean vector of each word over its occurrences.

    Args:
        most: how many words get a vector, at most.

    Returns:
        The words, most frequent first, and their vectors, (n_words, width).
    """
    counts = Counter(token.text for doc in docs for token in doc if not token.is_space)
    words = [word for word, _ in counts.most_common(most)]
    rows = {word: row for row, word in enumerate(words)}
    sums = numpy.zeros((len(words), *encoder.shape))
    for batch in minibatch(docs, DOCS_AT_ONCE):
        vectors = numpy.concatenate(encoder.encode(batch))
        places = numpy.array([rows.get(token.text, -1) for token in chain(*batch)])
        numpy.add.at(sums, places[places >= 0], vectors[places >= 0])
    means = sums / numpy.array([[counts[word]] for word in words])
    return words, means.astype("f")


def principal_components(vectors: Array, width: int) -> Array:
    """The first principal components of vectors, centred, and divided by one number for all.

    Args:
        vectors: (n, width of the encoder), of at least two different words.
        width: how many components are kept, at most as many as there are.

    Returns:
        (n, width), with a mean square of one.
    """
    centred = vectors - vectors.mean(axis=0)
    _, directions = numpy.linalg.eigh(numpy.cov(centred, rowvar=False))     # the largest is last
    components = centred @ directions[:, ::-1][:, :width]
    return numpy.ascontiguousarray(components / (components**2).mean() ** 0.5, dtype="f")
