"""Random lengths, weights, vectors, presets, gold trees and fixed arcs."""

from random import Random

import numpy
from numpy.typing import NDArray

from spacy_arceager.kernels.row_product import BYTES, HALVES, PRODUCTS
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import get_weights
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.systems.features import FRONT
from tests.conftest import random_scoring

WIDTH = 8
LABELS = ("a", "b", "c", "d")
WEIGHTS = ("normal", "normal", "normal", "ties", "zero", "tiny", "huge", "nan", "inf", "mixed")
WORDS = (FRONT.words, ["O1"], ["O1", "O2", "U1"], ["O3", "O2.left1", "O1.head", "U2"])
ATTRIBUTES = (FRONT.attributes, [], ["O1.label"], ["O2-O1", "O1.valency"])


def generator(rng: Random) -> numpy.random.Generator:
    return numpy.random.default_rng(rng.getrandbits(32))


def random_lengths(rng: Random, n_words: int, longest: int = 60) -> NDArray:
    """Words of each sentence: mostly few; together at least n_words."""
    lengths: list[int] = []
    left = n_words
    while left > 0:
        lengths.append(rng.randint(1, min(longest, rng.choice([3, 8, 8, 8, 20, 20, 60]))))
        left -= lengths[-1]
    return numpy.asarray(lengths, dtype="i")


def random_labels(rng: Random) -> tuple[str, ...]:
    return LABELS[: rng.randint(1, len(LABELS))]


def random_scorer(rng: Random, system: TransitionSystem, rounded: bool) -> tuple[Scorer, str]:
    """A model's weights, also such as no training makes, and of which kind they are.

    rounded: as parsing has them.
    """
    kind = rng.choice(WEIGHTS)
    model = random_scoring(
        system, rng.getrandbits(32), WIDTH, rng.choice([1, 5, 8, 17]), rng.randint(1, 3),
        rng.choice(WORDS), rng.choice(ATTRIBUTES),
    )
    numbers = generator(rng)
    for name in PARAMS:
        model.set_param(name, strange(numbers, model.get_param(name), kind))
    rounding = rng.choice([BYTES, HALVES]) if rounded else None
    return Scorer(get_weights(model), rounding, kernel=rng.choice(PRODUCTS)), kind


def strange(numbers: numpy.random.Generator, values: NDArray, kind: str) -> NDArray:
    """Values made extreme in one of the ways of WEIGHTS."""
    values = values.copy()
    some = numbers.random(values.shape) < 0.05
    if kind == "ties":
        values = numpy.sign(values)
    elif kind in ("zero", "tiny", "huge"):
        values *= {"zero": 0.0, "tiny": 1e-30, "huge": 1e37}[kind]
    elif kind == "nan":
        values[some] = numpy.nan
    elif kind == "inf":
        values[some] *= numpy.inf
    elif kind == "mixed":
        values[some] = numbers.choice([numpy.nan, numpy.inf, -numpy.inf, 1e37, -1e37, 0.0])
    return values.astype("f")


def random_vectors(rng: Random, n_words: int) -> NDArray:
    vectors = generator(rng).normal(size=(n_words, WIDTH))
    if rng.random() < 0.1:
        vectors[rng.randrange(n_words)] = rng.choice([numpy.nan, numpy.inf, 1e37, 0.0])
    return vectors.astype("f")


def first_words(lengths: NDArray) -> NDArray:
    return numpy.cumsum(lengths) - lengths


def random_presets(rng: Random, lengths: NDArray) -> NDArray:
    """Where sentences may (0), may not (1) and must (2) start, (n_words,)."""
    share = rng.choice([0.0, 0.1, 0.5, 1.0])
    flags = generator(rng).integers(1, 3, size=lengths.sum(), dtype="i")
    flags[generator(rng).random(flags.size) >= share] = 0
    flags[first_words(lengths)] = rng.choice([0, 2])
    return flags


def random_heads(rng: Random, n: int) -> NDArray:
    """Heads of n words: a tree, or with crossing arcs, cycles, more roots, missing heads."""
    numbers = generator(rng)
    heads = projective_heads(rng, n)
    kind = rng.choice(["tree", "tree", "crossing", "missing", "odd"])
    if kind == "crossing":
        shuffled = numbers.permutation(n)
        heads[shuffled] = shuffled[heads]
    elif kind == "missing":
        heads[numbers.random(n) < 0.3] = -1
    elif kind == "odd":
        heads = numbers.integers(-1, n, size=n, dtype="i")
    return heads


def projective_heads(rng: Random, n: int) -> NDArray:
    """A random projective tree; the root is its own head."""
    heads = numpy.zeros((n,), dtype="i")
    spans = [(0, n, -1)]
    while spans:
        start, end, head = spans.pop()
        while start < end:
            stop = rng.randint(start + 1, end) if head >= 0 else end
            word = rng.randrange(start, stop)
            heads[word] = head if head >= 0 else word
            spans += [(start, word, word), (word + 1, stop, word)]
            start = stop
    return heads


def random_gold(rng: Random, system: TransitionSystem, lengths: NDArray) -> GoldTrees:
    """Gold trees, or graphs, good and bad ones; boundaries that may not fit them."""
    n_words = int(lengths.sum())
    numbers = generator(rng)
    heads = numpy.concatenate([random_heads(rng, int(n)) for n in lengths])
    labels = numbers.integers(-1, len(system.labels), size=n_words, dtype="i")
    starts = numbers.random(n_words) < rng.choice([0.0, 0.1, 0.5])
    starts[first_words(lengths)] = True
    has_root = system.parameters.root != "none"
    if not system.parameters.graph:
        return GoldTrees(lengths, heads, labels, has_root, starts)
    nothing = numpy.full((n_words,), -1, dtype="i")
    return GoldTrees(lengths, nothing, nothing, arcs=random_arcs(rng, system, lengths))


def random_arcs(rng: Random, system: TransitionSystem, lengths: NDArray) -> NDArray:
    """Arcs of graphs: dependent, head and label, words numbered through all sentences."""
    arcs = []
    for first, length in zip(first_words(lengths).tolist(), lengths.tolist()):
        for _ in range(rng.randint(0, 2 * length)):
            ends = (first + rng.randrange(length) for _ in range(2))
            arcs.append((*ends, rng.randrange(len(system.labels))))
    return numpy.asarray(arcs, dtype="i").reshape(-1, 3)


def random_fixed(
    rng: Random, system: TransitionSystem, lengths: NDArray
) -> tuple[NDArray, NDArray]:
    """Heads and labels fixed in advance, -1 where free."""
    heads = numpy.concatenate([projective_heads(rng, int(n)) for n in lengths])
    heads[generator(rng).random(heads.size) < rng.choice([0.3, 0.7, 0.95])] = -1
    labels = generator(rng).integers(-1, len(system.labels), size=heads.size, dtype="i")
    labels[heads < 0] = -1
    return heads, labels


def within_arcs(heads: NDArray, lengths: NDArray) -> NDArray:
    """Words where no sentence can start, as an arc passes; heads of several texts."""
    passed = numpy.zeros(heads.shape, dtype=bool)
    for first, length in zip(first_words(lengths), lengths):
        for word, head in enumerate(heads[first : first + length]):
            if head >= 0:
                passed[first + min(word, head) + 1 : first + max(word, head) + 1] = True
    return passed
