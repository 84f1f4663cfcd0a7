"""Sentences of CoNLL-U become Docs."""

import pytest
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_arceager.corpus.conllu import (
    USER_DATA_KEY,
    doc_to_conllu,
    given_arcs,
    read_sentences,
    sentence_to_doc,
    text_to_doc,
    without_annotation,
)
from tests.corpus.sentences import CROSSING, NLP, PLAIN, RICH, conllu, read_doc


def test_columns_become_token_attributes():
    doc = read_doc(RICH)
    noun = doc[2]
    assert (noun.text, noun.lemma_, noun.pos_, str(noun.morph)) == (
        "coup",
        "coup",
        "NOUN",
        "Number=Sing",
    )
    assert (noun.head.i, noun.dep_) == (4, "obl:arg")
    assert str(doc[1].morph) == "Gender=Masc|NumType=X"


def test_tag_is_xpos_or_else_upos():
    assert [token.tag_ for token in read_doc(RICH)[:4]] == ["P", "D", "NOUN", "PUNCT"]


def test_features_are_missing_where_upos_is_missing_too() -> None:
    rows = "1 a _ X _ _ 0 root _ _\n2 b _ _ _ _ 1 dep _ _\n3 c _ _ _ A=B 1 dep _ _"
    doc = read_doc(conllu(rows))
    assert [token.has_morph() for token in doc] == [True, False, True]
    assert [str(token.morph) for token in doc] == ["", "", "A=B"]
    # A morphologizer learns nothing from such a word.
    morphologizer = NLP.create_pipe("morphologizer")
    morphologizer.initialize(lambda: [Example(doc, doc)])
    assert morphologizer.labels == ("POS=X", "A=B")


def test_root_is_its_own_head():
    root = read_doc(PLAIN)[1]
    assert (root.head, root.dep_) == (root, "ROOT")


def test_space_of_a_multi_word_token_comes_after_its_last_word():
    doc = read_doc(RICH)
    assert doc.text == "Dele coup, j'arrive."
    assert doc[5].whitespace_ == "" and doc[1].whitespace_ == " "


def test_missing_lemma_stays_missing_but_the_word_underscore_keeps_it():
    doc = read_doc(conllu("1 a _ X _ _ 0 root _ _\n2 _ _ X _ _ 1 dep _ _"))
    assert [token.lemma_ for token in doc] == ["", "_"]


def test_missing_heads_and_labels_stay_missing():
    reference = read_doc(
        conllu("""
            1 a _ X _ _ 2 dep _ _
            2 b _ X _ _ 0 _ _ _
            3 c _ X _ _ _ _ _ _
            4 d _ X _ _ 2 _ _ _
            5 e _ X _ _ _ dep _ _
        """)
    )
    assert [token.has_head() for token in reference] == [True, True, False, False, False]
    example = Example(without_annotation(reference), reference)
    heads, deps = example.get_aligned_parse(projectivize=False)
    assert heads == [1, 1, 2, 3, 4]
    assert deps == ["dep", "ROOT", "", "", ""]


def test_sentence_without_any_parse_has_no_parse():
    doc = read_doc(conllu("1 a _ X _ _ _ _ _ _\n2 b _ X _ _ _ _ _ _"))
    assert not doc.has_annotation("DEP")
    assert len(list(doc.sents)) == 1


@pytest.mark.parametrize("second", [PLAIN, CROSSING, PLAIN.replace("0\troot", "_\t_")])
def test_sentence_boundaries_do_not_depend_on_the_trees(second):
    doc = read_doc(CROSSING + second + PLAIN)
    assert [sentence.start for sentence in doc.sents] == [0, 4, 8]


def test_one_sentence_makes_a_doc():
    (sentence,) = read_sentences(PLAIN.splitlines())
    assert doc_to_conllu(sentence_to_doc(NLP.vocab, sentence)).endswith(PLAIN)


def test_what_spacy_has_no_place_for_is_stored_with_its_tokens() -> None:
    doc = read_doc(PLAIN + RICH)
    plain, rich = doc.user_data[USER_DATA_KEY]
    assert (plain["start"], plain["end"], plain["multi_word_tokens"]) == (0, 4, [])
    assert (rich["start"], rich["end"]) == (4, 11)
    tokens = [(token["start"], token["end"]) for token in rich["multi_word_tokens"]]
    assert tokens == [(4, 6), (8, 10)]
    assert [doc[start:end].text for start, end in tokens] == ["Dele", "j'arrive"]
    assert rich["multi_word_tokens"][1]["columns"][:2] == ["j'arrive", "_"]


def test_a_doc_has_a_graph_where_any_word_has_deps():
    assert read_doc(PLAIN)._.arceager_graph is None
    graph = read_doc(PLAIN + RICH)._.arceager_graph
    assert graph[:4] == [[], [], [], []]
    assert graph[4:6] == [[[6, "case"]], [[6, "det"]]]
    assert graph[9] == [[9, "root"]]


def test_every_boundary_is_told_true_or_false():
    assert [token.is_sent_start for token in read_doc(CROSSING + PLAIN)] == [
        True, False, False, False, True, False, False, False,
    ]


def test_the_arcs_that_a_sentence_gives_are_those_it_has() -> None:
    (sentence,) = read_sentences(
        conllu("""
            1 a _ X _ _ 2 dep _ _
            2 b _ X _ _ 0 root _ _
            3 c _ X _ _ _ _ _ _
            4 d _ X _ _ 1 _ _ _
            5 e _ X _ _ _ obj _ _
        """).splitlines()
    )
    assert given_arcs(sentence) == [(0, 1, "dep"), (1, 1, "root"), (3, 0, ""), (4, None, "obj")]


def test_a_copy_without_annotation_has_no_space_behind_its_last_word() -> None:
    doc = Doc(NLP.vocab, words=["a", "b", "c"], spaces=[True, False, True])
    assert [token.whitespace_ for token in without_annotation(doc)] == [" ", "", ""]


@pytest.mark.parametrize("text", [PLAIN, RICH, CROSSING, conllu("1 Hi _ _ _ _ _ _ _ _")])
def test_text_alone_is_as_the_annotated_doc_without_its_annotation(text: str) -> None:
    (sentence,) = read_sentences(text.splitlines())
    bare = without_annotation(sentence_to_doc(Vocab(), sentence))
    vocab = Vocab()
    doc = text_to_doc(vocab, sentence)
    assert [token.text_with_ws for token in doc] == [token.text_with_ws for token in bare]
    assert doc.user_data == bare.user_data
    assert [token.is_sent_start for token in doc] == [True, *[False] * (len(doc) - 1)]
    assert not doc.has_annotation("LEMMA") and not doc.has_annotation("DEP")
    lemmas = {word.lemma for word in sentence.words} - {word.form for word in sentence.words}
    assert not any(lemma in vocab.strings for lemma in lemmas - {"_"})
