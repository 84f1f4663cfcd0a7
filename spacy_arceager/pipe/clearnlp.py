"""The component `arceager_clearnlp_labels`, which gives trees the labels of ClearNLP."""

from collections.abc import Iterator

import numpy
from spacy.lang.en.syntax_iterators import noun_chunks as english_noun_chunks
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from ..annotation.clearnlp.labels import CLEARNLP, CLEARNLP_ONLY
from ..annotation.clearnlp.rules import convert
from ..annotation.clearnlp.tree import Tree, Word
from ..annotation.label_strings import LabelStrings
from ..annotation.layout import find_layout, slices
from ..annotation.tokens import write_tree
from .noun_chunks import noun_chunks as ud_noun_chunks

UD_TREE = "arceager_ud_tree"

# What the component reads, and the components that set it.
NEEDED = (
    ("DEP", "a tree of Universal Dependencies", "'arceager_parser'"),
    ("POS", "UPOS", "'morphologizer', or 'tagger' and 'attribute_ruler',"),
)

Doc.set_extension(UD_TREE, default=None, force=True)


class ClearnlpLabels:
    """Rewrites trees of Universal Dependencies as trees with the labels of ClearNLP.

    spaCy's English pipelines have the labels of ClearNLP. So patterns and programs that were
    written for `en_core_web_sm` work, and `doc.noun_chunks` gives spaCy's English noun chunks.

    Attributes:
        keep_ud: whether `doc._.arceager_ud_tree` keeps the old tree, as a list of head (token
            index) and label for each token.
    """

    def __init__(self, vocab: Vocab, name: str, *, keep_ud: bool = False):
        self.name = name
        self.keep_ud = keep_ud
        self._strings = LabelStrings(sorted(CLEARNLP))
        vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]  # spaCy's is wrong

    def __call__(self, doc: Doc) -> Doc:
        """Rewrite the trees of a Doc.

        Raises:
            ValueError: If the Doc has no parse or no UPOS.
        """
        if len(doc) == 0:
            return doc
        self._check_annotation(doc)
        if self.keep_ud:
            doc._.set(UD_TREE, [[token.head.i, token.dep_] for token in doc])
        self._strings.add_to(doc.vocab)
        rewrite(doc)
        doc.noun_chunks_iterator = noun_chunks  # type: ignore[attr-defined]  # spaCy's lacks it
        return doc

    def _check_annotation(self, doc: Doc) -> None:
        """Raise ValueError if a Doc has no parse or no UPOS."""
        for attribute, what, components in NEEDED:
            if not doc.has_annotation(attribute):
                raise ValueError(
                    f"'{self.name}' needs {what}, and a Doc has none: '{doc.text:.60}'. Put "
                    f"{components} before it"
                )


def rewrite(doc: Doc) -> None:
    """Replace the UD trees by trees of ClearNLP. The sentence boundaries stay the same."""
    words, lengths, starts = find_layout(doc)
    heads = numpy.zeros_like(words)
    labels = numpy.zeros(words.shape, dtype="uint64")
    for sentence in slices(lengths):
        tree = tree_of([doc[int(i)] for i in words[sentence]])
        convert(tree)
        heads[sentence] = tree.heads
        labels[sentence] = [doc.vocab.strings.add(label) for label in tree.labels]
    write_tree(doc, words, heads, labels, lengths, starts)


def tree_of(tokens: list) -> Tree:
    """The tree of a sentence's words. A word whose head is not among them is a root."""
    places = {token.i: place for place, token in enumerate(tokens)}
    return Tree(
        [Word(token.lower_, token.pos_, token.tag_, token.lemma_.lower()) for token in tokens],
        [places.get(token.head.i, place) for place, token in enumerate(tokens)],
        [token.dep_ for token in tokens],
    )


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """The noun chunks of spaCy's English if a Doc has labels of ClearNLP, and else those of UD.

    The labels decide, because a Doc that comes from another process does not say whether this
    component has rewritten its trees.

    Raises:
        ValueError: If the Doc has no parse or no UPOS.
    """
    labels = {token.dep_ for token in doclike.doc}
    is_clearnlp = bool(labels & CLEARNLP_ONLY) or labels <= CLEARNLP
    return (english_noun_chunks if is_clearnlp else ud_noun_chunks)(doclike)
