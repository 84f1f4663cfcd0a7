"""Static vectors of words: means of a pretrained encoder's vectors over all occurrences in texts.

They bring what the encoder knows into embeddings that read a word alone (Bommasani et al. 2020,
section 3). Vectors of character n-grams, whose mean is near to a word's, give one to every word
(Zhao et al. 2018, "Generalizing word embeddings using bag of subwords").
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy
from spacy.tokens import Doc
from spacy.util import minibatch
from spacy.vectors import Vectors

from ..token_vectors.floret import floret_rows
from ..token_vectors.layers import Array, Ints
from .doc_encoder import DocEncoder

DOCS_AT_ONCE = 256
MOST_WORDS = 200_000    # that count: the most frequent ones
MIN_N, MAX_N = 2, 5     # characters of an n-gram, with the marks of the word's ends
PENALTY = 0.03          # of large numbers in the table of n-grams
STEPS = 60


def make_word_vectors(
    encoder: DocEncoder, docs: Sequence[Doc], n_rows: int, width: int
) -> Vectors:
    """Make floret vectors that are near to the mean vectors of words in texts.

    Args:
        n_rows: of their table.
        width: numbers of a vector, at most as many as the encoder's have.

    Raises:
        ValueError: For texts of fewer than two words.
    """
    words, counts, means = average_vectors(encoder, docs, MOST_WORDS)
    if len(words) < 2:
        raise ValueError("the texts have fewer than two words")
    targets = principal_components(means, width)
    vectors = Vectors(
        data=numpy.zeros((n_rows, targets.shape[1]), dtype="f"),
        mode="floret", minn=MIN_N, maxn=MAX_N,
    )
    vectors.data = fit_table(*floret_rows(words, vectors), n_rows, targets, counts**0.5)
    return vectors


def average_vectors(
    encoder: DocEncoder, docs: Sequence[Doc], most: int
) -> tuple[list[str], Ints, Array]:
    """The mean vector of each word over its occurrences.

    Args:
        most: how many words get a vector, at most.

    Returns:
        The words, most frequent first, how often they occur, (n_words,), and their vectors,
        (n_words, width).
    """
    counts = Counter(token.text for doc in docs for token in doc if not token.is_space)
    words = [word for word, _ in counts.most_common(most)]
    rows = {word: row for row, word in enumerate(words)}
    sums = numpy.zeros((len(words), *encoder.shape))
    for batch in minibatch(docs, DOCS_AT_ONCE):
        vectors = numpy.concatenate(encoder.encode(batch))
        places = numpy.array([rows.get(token.text, -1) for token in chain(*batch)], dtype="i")
        numpy.add.at(sums, places[places >= 0], vectors[places >= 0])
    occurrences = numpy.array([counts[word] for word in words], dtype="i")
    return words, occurrences, (sums / occurrences[:, None]).astype("f")


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


def fit_table(rows: Ints, starts: Ints, n_rows: int, targets: Array, weights: Array) -> Array:
    """The table of which means of rows are near to given vectors: weighted ridge regression.

    Args:
        rows: of each mean, one after the other.
        starts: (n + 1,), where the rows of each mean begin.
        n_rows: of the table.
        targets: (n, width), the vectors.
        weights: (n,), of the squares of the distances.

    Returns:
        (n_rows, width).
    """
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import lsqr

    roots = weights**0.5
    lengths = numpy.diff(starts)
    means = csr_array(
        (numpy.repeat(roots / lengths, lengths), rows, starts), shape=(len(targets), n_rows)
    )
    columns = [
        lsqr(means, roots * target, damp=PENALTY**0.5, iter_lim=STEPS)[0] for target in targets.T
    ]
    return numpy.ascontiguousarray(numpy.transpose(columns), dtype="f")
