"""What the words of Docs are to the rules about dependents: tags, features, white space."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from spacy.attrs import MORPH, POS, SPACY
from spacy.parts_of_speech import NAMES
from spacy.tokens import Doc
from spacy.training import Example

from ..machine.rules import kind_of
from .layout import Layout, find_layout, word_rows
from .tokens import same_words

COLUMNS = [POS, MORPH, SPACY]


def word_kinds(docs: Sequence[Doc], layouts: Sequence[Layout]) -> NDArray[numpy.int32]:
    """The Kind of each word of all layouts, Doc after Doc: (n_words,)."""
    words = [layout.words for layout in layouts]
    rows = numpy.concatenate(
        [numpy.zeros((0, len(COLUMNS)), "uint64"), *(doc.to_array(COLUMNS) for doc in docs)]
    )[word_rows(docs, words)]
    tags, features, spaces = rows.T
    owner = numpy.repeat(numpy.arange(len(docs)), [of_doc.size for of_doc in words])
    # One key for both, as there are few tags. Both are the same in all vocabularies, but only that
    # of its own Doc must have the text of a hash.
    keys = features * numpy.uint64(len(NAMES)) + tags
    _, firsts, numbers = numpy.unique(keys, return_index=True, return_inverse=True)
    kinds = numpy.asarray(
        [kind_of(NAMES[int(tags[i])], read_features(docs[owner[i]], features[i])) for i in firsts],
        dtype="i",
    )[numbers]
    # White space is a token of its own, or belongs to the token before it. The last word of a Doc
    # has none behind it, but no word either.
    tokens = numpy.concatenate([numpy.zeros((0,), "i"), *words])
    touches = (spaces[:-1] == 0) & (numpy.diff(tokens) == 1)
    kinds[:-1] += kind_of("", "", touches=True) * touches
    return kinds


def read_features(doc: Doc, features: int) -> str:
    """The features of a hash of spaCy, as CoNLL-U has them; "" for no features."""
    return doc.vocab.strings[int(features)] if features else ""


def training_kinds(examples: Sequence[Example]) -> NDArray[numpy.int32]:
    """The Kind of each token of the predicted Docs of Examples: (n_tokens,).

    The tags are those of the predicted Doc if it has any, as when a component annotates it in
    training. Otherwise they are gold tags, if both Docs have the same tokens.
    """
    docs = [tagged(example) for example in examples]
    layouts = [find_layout(doc) for doc in docs]
    kinds = numpy.zeros((sum(map(len, docs)),), dtype="i")
    kinds[word_rows(docs, [layout.words for layout in layouts])] = word_kinds(docs, layouts)
    return kinds


def tagged(example: Example) -> Doc:
    """The Doc of an Example that its tags are taken from."""
    predicted, gold = example.predicted, example.reference
    has_tags = predicted.has_annotation("POS") or not same_words(predicted, gold)
    return predicted if has_tags else gold
