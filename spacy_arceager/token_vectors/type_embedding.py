"""Embeddings that compute one vector for all tokens of a word type.

Two tokens are of one type if the embedding reads the same of both. Its inputs are tables of hashed
attributes, the mean of hashed character n-grams and a projected static vector, or some of these. A
maxout layer with layer normalisation mixes them. In prediction the vectors of types are kept for
later batches; in training each type of a batch is computed once. The embedding computes on the CPU.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray
from spacy.attrs import LOWER, NORM, ORTH
from spacy.errors import Errors
from spacy.tokens import Doc
from spacy.vectors import Mode, Vectors
from spacy.vocab import Vocab
from thinc.api import Model, NumpyOps
from thinc.types import Floats2d

from ..kernels.maxout_norm import MaxoutNorm, MaxoutRecord
from ..kernels.model_cache import ModelCache
from ..kernels.parameters import add_gradient, get_array, open_gradient
from .floret import floret_rows
from .layers import (
    Array,
    Ints,
    backprop_maxout_norm,
    flatten,
    lay_out,
    no_backprop,
    wrap,
)
from .types import (
    TypeVectors,
    backprop_sum_rows_at,
    find_types,
    hash_affixes,
    hash_ngrams,
    read_keys,
    sum_rows_at,
)

Keys = NDArray[numpy.uint64]
Bools = NDArray[numpy.bool_]

CPU = NumpyOps()
WORDS = {ORTH, NORM, LOWER}    # attributes that tell the whole word
N_HASHES = 4         # a HashEmbed sums as many rows for each key
MAX_TYPES = 100_000  # how many types' vectors are kept


@dataclass
class Parts:
    """The nodes of an embedding and the attributes that they read.

    Attributes:
        attributes: spaCy's numbers of the attributes that have tables.
        tables: HashEmbeds of the attributes, then of the affixes.
        mix: nodes of maxout, layer normalisation and dropout.
        feature: spaCy's number of the attribute whose characters are read.
        ngrams: a HashEmbed, of which only the table is used: each hash selects one row.

    For the others see `subword_embed.build_subword_embed`.
    """

    attributes: list[int]
    tables: list[Model]
    mix: tuple[Model, Model, Model]
    feature: int = ORTH
    ngrams: Model | None = None
    min_n: int = 0
    max_n: int = 0
    prefixes: list[int] = field(default_factory=list)
    suffixes: list[int] = field(default_factory=list)
    static: Model | None = None
    word_dropout: float = 0.0
    ngram_dropout: float = 0.0

    def params(self) -> list[tuple[Model, str]]:
        """The layer and the name of each parameter."""
        maxout, norm, _ = self.mix
        return [
            *((table, "E") for table in self.tables),
            *([(self.ngrams, "E")] if self.ngrams else []),
            *([(self.static, "W")] if self.static else []),
            (maxout, "W"), (maxout, "b"), (norm, "G"), (norm, "b"),
        ]

    def spells(self) -> bool:
        """Whether the characters of words are read."""
        return bool(self.ngrams or self.prefixes or self.suffixes)


@dataclass
class Types:
    """Some types, as the embedding reads them.

    Attributes:
        keys: (n_types, n_attributes).
        words: the text of each type; empty if no characters are read.
        vectors: (n_types, n), static vectors, zeros for unknown words; None if none are read.
    """

    keys: Keys
    words: list[str]
    vectors: Array | None


@dataclass
class Sum:
    """One of the mixing layer's inputs: sums of rows of a table, for `sum_rows_at`."""

    node: Model
    columns: slice
    rows: Ints
    starts: Ints
    mean: bool


@dataclass
class Ready:
    """What prediction keeps from batch to batch: the mixing layer and the vectors of types."""

    mix: MaxoutNorm
    vectors: TypeVectors


class TypeEmbedding:
    """An embedding's forward function."""

    def __init__(self, find_parts: Callable[[Model], Parts]) -> None:
        self.find_parts = find_parts
        self._ready: ModelCache[Ready] = ModelCache()

    def __call__(
        self, model: Model[list[Doc], list[Floats2d]], docs: Sequence[Doc], is_train: bool
    ) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
        """A vector for each word of the Docs, and the backward pass."""
        parts = self.find_parts(model)
        vocab = docs[0].vocab if docs else None
        read = attributes_read(parts, vocab)
        keys, lengths = read_keys(docs, numpy.array(read, dtype="i"))
        like: list[Floats2d] = []
        if not is_train:
            vectors = self.predict(model, parts, docs, keys, lengths, read)
            return wrap(model.ops, vectors, like, lengths), no_backprop
        vectors, backprop_vectors = update(parts, docs, keys, lengths, read)

        def backprop(dY: list[Floats2d]) -> list[Doc]:
            backprop_vectors(flatten(model.ops, dY, vectors.shape[1])[0])
            return []

        return wrap(model.ops, vectors, like, lengths), backprop

    def predict(
        self, model: Model, parts: Parts, docs: Sequence[Doc], keys: Keys, lengths: Ints,
        read: list[int],
    ) -> Array:
        """The vectors of all tokens, (n_tokens, width); vectors of new types are kept."""
        static = docs[0].vocab.vectors if parts.static and docs else None
        ready = self._ready.get(
            model, parts.params(), lambda: make_ready(parts, len(read)),
            others=[static, getattr(static, "data", None)],
            size=getattr(static, "n_keys", 0),
        )
        out = numpy.empty((len(keys), ready.mix.n_hidden), dtype="f")
        unknown = ready.vectors.find(keys, out)
        if len(unknown):
            firsts, numbers = find_types(keys[unknown])
            tokens = unknown[firsts]
            types = read_types(parts, docs, keys, lengths, read, tokens)
            vectors = numpy.empty((len(tokens), ready.mix.n_hidden), dtype="f")
            inputs, _ = sum_inputs(parts, types, ready.mix.n_inputs)
            if types.vectors is not None:
                inputs[:, -types.vectors.shape[1]:] = types.vectors
            ready.mix.apply(inputs, vectors)
            ready.vectors.add(types.keys, vectors)
            out[unknown] = vectors[numbers]
        return out


def attributes_read(parts: Parts, vocab: Vocab | None) -> list[int]:
    """The attributes that distinguish types.

    They are the attributes with tables, the one whose characters are read, and the key of the
    static vectors.
    """
    read = list(parts.attributes)
    if parts.spells() and parts.feature not in read:
        read.append(parts.feature)
    if parts.static:
        key = getattr(vocab.vectors, "attr", ORTH) if vocab is not None else ORTH
        if key not in read:
            read.append(key)
    return read


def make_ready(parts: Parts, n_read: int) -> Ready:
    """Prepare prediction. The projection of static vectors is multiplied into the mixing layer."""
    maxout, norm, _ = parts.mix
    W = get_array(maxout, "W")
    if parts.static:
        projection = get_array(parts.static, "W")
        start = W.shape[2] - len(projection)
        W = numpy.concatenate((W[..., :start], W[..., start:] @ projection), axis=2)
    mix = MaxoutNorm(W, get_array(maxout, "b"), get_array(norm, "G"), get_array(norm, "b"))
    return Ready(mix, TypeVectors(n_read, mix.n_hidden, MAX_TYPES))


def read_types(
    parts: Parts, docs: Sequence[Doc], keys: Keys, lengths: Ints, read: list[int], tokens: Ints
) -> Types:
    """Read the types of some tokens, (n_types,), that are of different types."""
    type_keys = keys[tokens]
    words: list[str] = []
    vectors = None
    if parts.spells():
        ends = numpy.cumsum(lengths)
        spelled = type_keys[:, read.index(parts.feature)].tolist()
        words = [
            docs[d].vocab.strings[key]
            for d, key in zip(numpy.searchsorted(ends, tokens, side="right"), spelled)
        ]
    if parts.static and docs:
        table = docs[0].vocab.vectors
        if table.shape[1] != parts.static.get_dim("nM"):
            raise RuntimeError(Errors.E896)
        vectors = static_vectors(table, type_keys[:, read.index(getattr(table, "attr", ORTH))])
    return Types(type_keys, words, vectors)


def static_vectors(table: Vectors, keys: Keys) -> Array:
    """The vectors of some keys, as spaCy's StaticVectors finds them."""
    if not isinstance(table, Vectors):
        return CPU.asarray2f(table.get_batch(keys))
    if table.mode == Mode.default:
        rows = table.find(keys=keys)
        vectors = CPU.asarray2f(table.data[rows])
        vectors[CPU.asarray1i(rows) < 0] = 0
        return vectors
    rows, starts = floret_rows([table.strings[key] for key in keys.tolist()], table)
    vectors = numpy.empty((len(keys), table.shape[1]), dtype="f")
    sum_rows_at(CPU.asarray2f(table.data), rows, starts, vectors, mean=True)
    return vectors


def sum_inputs(
    parts: Parts, types: Types, n_inputs: int, is_train: bool = False
) -> tuple[Array, list[Sum]]:
    """Fill the sums of table rows among the mixing layer's inputs.

    Returns:
        The inputs, (n_types, n_inputs), in which the columns of static vectors are not filled yet,
        and the sums that fill the other columns.
    """
    sums = []
    end = 0

    def add(
        node: Model, rows: NDArray[numpy.integer], starts: Ints, is_kept: Bools | None, mean: bool
    ) -> None:
        nonlocal end
        start, end = end, end + node.get_dim("nO")
        if is_kept is not None:
            rows = rows[is_kept]
            starts = numpy.concatenate(([0], numpy.cumsum(is_kept)))[starts].astype("i")
        sums.append(Sum(node, slice(start, end), rows.astype("i"), starts, mean))

    words_kept = None
    if is_train and (parts.word_dropout or parts.ngram_dropout):
        words_kept = draw_kept(len(types.keys), parts.word_dropout)
    hashed = types.keys[:, :len(parts.attributes)]
    if parts.prefixes or parts.suffixes:
        affixes = hash_affixes(types.words, parts.prefixes, parts.suffixes)
        hashed = numpy.concatenate((hashed, affixes), axis=1)
    starts = numpy.arange(0, (len(hashed) + 1) * N_HASHES, N_HASHES, dtype="i")
    is_word = [attribute in WORDS for attribute in parts.attributes]
    is_word += [False] * (len(parts.tables) - len(is_word))
    for table, column, droppable in zip(
        parts.tables, numpy.ascontiguousarray(hashed.T), is_word, strict=True
    ):
        rows = CPU.hash(column, table.attrs["seed"]) % table.get_dim("nV")
        is_kept = None
        if droppable and words_kept is not None:
            is_kept = numpy.repeat(words_kept, N_HASHES)
        add(table, rows.reshape(-1), starts, is_kept, mean=False)
    if parts.ngrams:
        hashes, starts = hash_ngrams(types.words, parts.min_n, parts.max_n)
        is_kept = None
        if words_kept is not None:
            is_kept = draw_kept(len(hashes), parts.ngram_dropout)
            is_kept[starts[:-1]] = words_kept    # the first hash of a word is of the whole word
        add(parts.ngrams, hashes % parts.ngrams.get_dim("nV"), starts, is_kept, mean=True)
    inputs = numpy.empty((len(hashed), n_inputs), dtype="f")
    for part in sums:
        sum_rows_at(get_array(part.node, "E"), part.rows, part.starts, inputs[:, part.columns],
                    part.mean)
    return inputs, sums


def draw_kept(n: int, dropout: float) -> Bools:
    """Draw which of n items dropout keeps: (n,) bool."""
    return numpy.random.uniform(size=n) >= dropout


def update(
    parts: Parts, docs: Sequence[Doc], keys: Keys, lengths: Ints, read: list[int]
) -> tuple[Array, Callable[[Array], None]]:
    """The vectors of all tokens in training, with dropout, and the backward pass.

    Returns:
        (n_tokens, width), and a function of their gradient that adds to those of the parameters.
    """
    maxout, norm, dropout = parts.mix
    tokens, numbers = find_types(keys)
    types = read_types(parts, docs, keys, lengths, read, tokens)
    weight = lay_out(maxout, norm)
    inputs, sums = sum_inputs(parts, types, weight.n_inputs, is_train=True)
    static = slice(sums[-1].columns.stop, weight.n_inputs)
    if types.vectors is not None and parts.static:
        inputs[:, static] = types.vectors @ get_array(parts.static, "W").T
    mask = draw_masks(parts, sums)
    inputs *= mask
    record = MaxoutRecord(len(tokens), weight.n_hidden)
    mixed = numpy.empty((len(tokens), weight.n_hidden), dtype="f")
    weight.apply(inputs, mixed, record=record)
    rate = dropout.attrs["dropout_rate"] if dropout.attrs["is_enabled"] else 0.0
    token_mask = CPU.get_dropout_mask((len(keys), weight.n_hidden), rate)
    starts = numpy.arange(len(keys) + 1, dtype="i")

    def backprop(d_vectors: Array) -> None:
        d_mixed = numpy.zeros_like(mixed)
        backprop_sum_rows_at(d_mixed, numbers, starts, d_vectors * token_mask)
        d_inputs = backprop_maxout_norm(maxout, norm, weight, record, d_mixed, inputs)
        d_inputs *= mask
        for part in sums:
            with open_gradient(part.node, "E") as d_table:
                backprop_sum_rows_at(d_table, part.rows, part.starts, d_inputs[:, part.columns],
                                     part.mean)
        if types.vectors is not None and parts.static:
            add_gradient(parts.static, "W", d_inputs[:, static].T @ types.vectors)

    return mixed[numbers] * token_mask, backprop


def draw_masks(parts: Parts, sums: list[Sum]) -> Array:
    """Draw the dropout of the mixing layer's inputs, (n_inputs,).

    All words have the same mask, as in thinc's HashEmbed and spaCy's StaticVectors.
    """
    nodes = [part.node for part in sums] + ([parts.static] if parts.static else [])
    return numpy.concatenate([
        CPU.get_dropout_mask((node.get_dim("nO"),), node.attrs.get("dropout_rate"))
        for node in nodes
    ])
