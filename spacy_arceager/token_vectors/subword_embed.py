"""An embedding of words and of their parts: "arceager.SubwordEmbed.v1"."""

from collections.abc import Sequence

from spacy.attrs import intify_attr
from spacy.ml.staticvectors import StaticVectors
from spacy.tokens import Doc
from thinc.api import HashEmbed, Maxout, Model
from thinc.types import Floats2d

from ..checks import check_least, check_shares
from ..kernels.model_cache import UpdateCount
from .type_embedding import Parts, TypeEmbedding

FIRST_SEED = 8    # the seed of the first table's hashes, as in spaCy's MultiHashEmbed
PIECES = 3        # of the maxout that mixes the tables, as there


def build_subword_embed(
    width: int,
    attrs: Sequence[str | int],
    rows: Sequence[int],
    include_static_vectors: bool = False,
    min_n: int = 2,
    max_n: int = 5,
    ngram_rows: int = 20_000,
    feature: str | int = "NORM",
    prefixes: Sequence[int] = (),
    suffixes: Sequence[int] = (),
    affix_rows: int = 2500,
    word_dropout: float = 0.0,
    ngram_dropout: float = 0.0,
) -> Model[list[Doc], list[Floats2d]]:
    """Build an embedding of hashed attributes and of the characters of a word.

    It is spaCy's MultiHashEmbed with more tables. One has a vector for each character n-gram and
    for the word itself, which are averaged (Bojanowski et al. 2017). Others, if asked for, have
    prefixes and suffixes of several lengths.

    Args:
        width: of each table and of the result.
        attrs: attributes with a table.
        rows: how many rows the table of each attribute has.
        include_static_vectors: whether the vocabulary's vectors, projected to `width`, are added.
        min_n: the fewest characters of an n-gram; the marks of the word's ends count.
        max_n: the most characters of an n-gram, or 0 for no n-grams.
        ngram_rows: how many rows the table of n-grams has.
        feature: the attribute whose characters are read.
        prefixes: numbers of characters, each with a table of affix_rows rows.
        suffixes: numbers of characters, each with a table of affix_rows rows.
        affix_rows: how many rows the table of each prefix or suffix has.
        word_dropout: in training, the share of a batch's word types that are embedded without the
            rows of the whole word (ORTH, NORM, LOWER). A static vector stays.
        ngram_dropout: in training, the share of the n-grams that are left out.

    Raises:
        ValueError: For settings that do not fit together, or are out of range.
    """
    if len(rows) != len(attrs):
        raise ValueError(f"{len(attrs)} attrs, but {len(rows)} rows")
    for attr in (*attrs, feature):
        if intify_attr(attr) is None:
            raise ValueError(f"'{attr}' is no attribute of tokens; use such as NORM or SHAPE")
    check_least(1, width=width, ngram_rows=ngram_rows, affix_rows=affix_rows)
    for size in rows:
        check_least(1, rows=size)
    check_shares(word_dropout=word_dropout, ngram_dropout=ngram_dropout)
    check_parts(min_n, max_n, prefixes, suffixes)
    n_affixes = len(prefixes) + len(suffixes)
    sizes = [*rows, *[affix_rows] * n_affixes, *([ngram_rows] if max_n else [])]
    if not sizes:
        raise ValueError("Nothing to embed: no attrs, prefixes, suffixes or n-grams")
    tables: list[Model] = [
        HashEmbed(width, size, seed=seed, dropout=0.0)
        for seed, size in enumerate(sizes, FIRST_SEED)
    ]
    static = [StaticVectors(width, dropout=0.0)] if include_static_vectors else []
    n_inputs = width * (len(tables) + len(static))
    mix = Maxout(width, n_inputs, nP=PIECES, dropout=0.0, normalize=True)
    return Model(
        "subword_embed",
        TypeEmbedding(subword_embed_parts),
        init=init,
        layers=[*tables, *static, mix],
        dims={"nO": width},
        shims=[UpdateCount()],
        attrs={
            "attrs": [intify_attr(attr) for attr in attrs],
            "static": include_static_vectors,
            "min_n": min_n,
            "max_n": max_n,
            "feature": intify_attr(feature),
            "prefixes": list(prefixes),
            "suffixes": list(suffixes),
            "word_dropout": word_dropout,
            "ngram_dropout": ngram_dropout,
        },
    )


def check_parts(
    min_n: int, max_n: int, prefixes: Sequence[int], suffixes: Sequence[int]
) -> None:
    """Raise ValueError for numbers of characters that no part of a word has."""
    if max_n and not 1 <= min_n <= max_n:
        raise ValueError(f"min_n={min_n}, max_n={max_n}; use 1 <= min_n <= max_n, or max_n=0")
    if any(n < 1 for n in (*prefixes, *suffixes)):
        raise ValueError(f"prefixes={prefixes}, suffixes={suffixes}; use 1 or more characters")


def init(model: Model, X: list[Doc] | None = None, Y: object = None) -> None:
    """Initialize each table, then the layer that mixes them."""
    for layer in model.layers[:-1]:
        layer.initialize(X=X if layer.name == "static_vectors" else None)
    model.layers[-1].initialize()


def subword_embed_parts(model: Model) -> Parts:
    """Find the nodes of the embedding."""
    attrs = model.attrs
    *tables, mix = model.layers
    static = tables.pop() if attrs["static"] else None
    ngrams = tables.pop() if attrs["max_n"] else None
    normalized, dropout = mix.layers
    maxout, norm = normalized.layers
    return Parts(
        attributes=attrs["attrs"],
        tables=tables,
        mix=(maxout, norm, dropout),
        static=static,
        ngrams=ngrams,
        **{name: attrs[name] for name in (
            "feature", "min_n", "max_n", "prefixes", "suffixes", "word_dropout",
            "ngram_dropout")},
    )
