"""Sentences of a few words, written with blanks between their columns."""

from collections.abc import Sequence

import spacy
from spacy.tokens import Doc

from spacy_arceager.corpus.conllu import ConlluSentence, read_sentences, sentences_to_doc

NLP = spacy.blank("xx")


def read(text: str) -> list[ConlluSentence]:
    lines = [line.strip() for line in text.splitlines()]
    rows = [line if line.startswith("#") else "\t".join(line.split()) for line in lines]
    return list(read_sentences(rows))


def to_doc(sentences: Sequence[ConlluSentence]) -> Doc:
    return sentences_to_doc(NLP.vocab, sentences)
