"""Documents with words become Docs as those that a pipeline is evaluated on."""

import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_arceager.corpus.conllu import read_sentences, sentence_to_doc, without_annotation
from spacy_arceager.formats.document import Document, Tokens, make_doc

NLP = spacy.blank("en")


def test_no_space_follows_the_last_word() -> None:
    """A model may read the spaces, and in raw text there is none."""
    (sentence,) = read_sentences(["1\tGo\t_\t_\t_\t_\t0\troot\t_\t_",
                                  "2\ton\t_\t_\t_\t_\t1\tadvmod\t_\t_", ""])
    doc = make_doc(NLP, Document(sentence, {}))
    assert doc.text == without_annotation(sentence_to_doc(Vocab(), sentence)).text == "Go on"


def test_unknown_boundaries_stay_unknown() -> None:
    given = [True, None, False, True]
    doc = Doc(Vocab(), words=[*"abcd"])
    for token, start in zip(doc, given):
        token.is_sent_start = start
    found = make_doc(NLP, Document(Tokens.of(doc), {}))
    assert [token.is_sent_start for token in found][1:] == given[1:]
    found = make_doc(NLP, Document(Tokens.of(Doc(Vocab(), words=["a", "b"])), {}))
    assert not found.has_annotation("SENT_START")
