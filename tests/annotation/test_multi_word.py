"""Multi-word tokens stay with their words."""

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from spacy_arceager.annotation.multi_word import find_multi_word_tokens, set_multi_word_token
from spacy_arceager.corpus.conllu import doc_to_conllu, without_annotation

VOCAB = spacy.blank("fr").vocab


def make_doc(text: str) -> Doc:
    """A Doc in which *au* is *à le* and *du* is *de le*."""
    words: list[str] = []
    tokens = []
    for token in text.split():
        split = {"au": ["à", "le"], "du": ["de", "le"]}.get(token, [token])
        if len(split) > 1:
            tokens.append((len(words), len(words) + 2, token))
        words += split
    spaces = [i not in {start for start, _, _ in tokens} for i in range(len(words))]
    doc = Doc(VOCAB, words, spaces)
    for start, end, token in tokens:
        set_multi_word_token(doc[start:end], token)
    return doc


def text_of(doc: Doc) -> str:
    lines = doc_to_conllu(doc).splitlines()
    texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    return " ".join(texts)


def test_a_span_of_its_words_tells_the_token() -> None:
    doc = make_doc("il va au parc du roi")
    assert [*find_multi_word_tokens(doc)] == [(2, 4, "au"), (5, 7, "du")]
    assert doc[2:4]._.arceager_multi_word_token == "au"
    for start, end in ((2, 3), (2, 5), (1, 4), (0, 1)):
        assert doc[start:end]._.arceager_multi_word_token is None


def test_they_stay_where_a_doc_is_cut_joined_retokenised_or_saved() -> None:
    doc = make_doc("un jardin va au parc")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert text_of(doc) == "un jardin va au parc"
    assert text_of(Doc(VOCAB).from_bytes(doc.to_bytes())) == "un jardin va au parc"
    saved = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (loaded,) = DocBin().from_bytes(saved).get_docs(VOCAB)
    assert text_of(loaded) == "un jardin va au parc"
    assert text_of(without_annotation(doc)) == "un jardin va au parc"
    long = make_doc("il va au lac du roi")
    cut = long[3:].as_doc(copy_user_data=True)
    assert text_of(cut) == "le lac du roi"
    begun = long[:3].as_doc(copy_user_data=True)
    assert text_of(begun) == "il va à"
    joined = Doc.from_docs([make_doc("il va au"), cut, begun, make_doc("va du parc")])
    assert text_of(joined) == "il va au le lac du roi il va à va du parc"


@pytest.mark.parametrize(("start", "end"), [(2, 4), (1, 3), (3, 5)])
def test_a_token_whose_words_change_is_one_no_more(start: int, end: int) -> None:
    doc = make_doc("il va au parc du roi")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[start:end])
    assert text_of(doc) == "il va àle parc du roi"
