"""Trees of `k_best` as Docs."""

import pytest
from spacy.tokens import Doc

import spacy_arceager
from spacy_arceager.corpus.conllu import doc_to_conllu, read_file, sentences_to_doc
from spacy_arceager.errors import ConstraintError
from tests.conftest import (
    DATA,
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    read_corpus,
    train,
)


def test_a_tree_becomes_a_doc_of_its_sentence(english: Trained) -> None:
    nlp = english.copy()
    words = [" ", "She", "reads", " ", "books", ".", "\n", "We", "wrote", "letters", "."]
    doc = Doc(nlp.vocab, words=words, sent_starts=[i in (0, 7) for i in range(11)],
              tags=[word.upper() for word in words])
    doc = nlp(doc)
    heads = [token.head.i for token in doc]
    for sentence, trees in zip(doc.sents, get_parser(nlp).k_best(doc, 4), strict=True):
        assert len(trees) > 1
        for tree in trees:
            made = tree.to_doc(doc)
            assert made.text == sentence.text_with_ws
            assert [token.tag_ for token in made] == [token.tag_ for token in sentence]
            assert [*made.sents] == [made[:]]
            of_words = [token for token in made if not token.is_space]
            assert [token.head.i + sentence.start for token in of_words] == tree.heads
            assert [token.dep_ for token in of_words] == tree.labels
        best = trees[0].to_doc(doc)
        assert trees[0].score_per_word * len(trees[0].words) == trees[0].score
        assert len({tuple(tree.heads + tree.labels) for tree in trees}) == len(trees)
        assert best.user_data.keys() <= doc.user_data.keys()
    assert [token.head.i for token in doc] == heads


def test_sentences_that_a_parser_found_have_trees_of_their_own() -> None:
    system = {"@misc": "arceager.arc_eager.v1", "segment": True}
    nlp = blank_pipeline(system=system, beam={"@misc": "arceager.beam.v1", "width": 4})
    examples = read_corpus(nlp, "en_small-train.conllu", limit=24, sentences_per_doc=4)
    train(nlp, examples, epochs=8)
    parser = get_parser(nlp)
    doc = nlp(examples[0].predicted.copy())
    sentences = [*doc.sents]
    assert len(sentences) > 1
    found = parser.k_best(doc, 4)
    assert [trees[0].words for trees in found] == [[t.i for t in one] for one in sentences]
    for trees in parser.k_best(doc, 4):
        for tree in trees:
            made = tree.to_doc(doc)
            assert sum(head == word for word, head in zip(tree.words, tree.heads)) == 1
            assert [*made.sents] == [made[:]]
    assert [*doc.sents] == sentences


def test_constraints_are_of_the_sentences_that_k_best_parses() -> None:
    system = {"@misc": "arceager.arc_eager.v1", "segment": True}
    nlp = blank_pipeline(system=system, beam={"@misc": "arceager.beam.v1", "width": 4})
    examples = read_corpus(nlp, "en_small-train.conllu", limit=24, sentences_per_doc=4)
    train(nlp, examples, epochs=8)
    doc = nlp(examples[0].predicted.copy())
    first, second, *_ = doc.sents
    doc._.arceager_fixed_arcs = [(first.start, second.start)]
    with pytest.raises(ConstraintError, match="outside|another sentence|boundar"):
        get_parser(nlp).k_best(doc, 4)


def test_white_space_alone_has_no_tree(english: Trained) -> None:
    nlp = english.copy()
    doc = Doc(nlp.vocab, words=["Go", ".", "\n", "Stay", "."],
              sent_starts=[True, False, True, True, False])
    trees = get_parser(nlp).k_best(nlp(doc), 2)
    assert [len(one[0].words) for one in trees] == [2, 2]
    doc = nlp(Doc(nlp.vocab, words=["\n", " "], sent_starts=[True, True]))
    assert get_parser(nlp).k_best(doc, 2) == []


def test_no_tree_of_a_sentence_comes_twice() -> None:
    nlp = spacy_arceager.load("en")
    (trees,) = get_parser(nlp).k_best(nlp("Where did you put the key?"), 20)
    assert len({(*tree.heads, *tree.labels) for tree in trees}) == len(trees) > 8
    assert [tree.score for tree in trees] == sorted((tree.score for tree in trees), reverse=True)


def test_sentences_keep_what_is_stored_of_their_text() -> None:
    nlp = spacy_arceager.load("en")
    parser = get_parser(nlp)
    doc = nlp("The paper doesn't know it. We can't say more.")
    found = [doc_to_conllu(trees[0].to_doc(doc)) for trees in parser.k_best(doc, 2)]
    assert ["# text = The paper doesn't know it." in one for one in found] == [True, False]
    assert "\n3-4\tdoesn't\t" in found[0] and "\n2-3\tcan't\t" in found[1]
    sentences = [*read_file(DATA / "en_small-dev.conllu")][:3]
    doc = nlp(sentences_to_doc(nlp.vocab, sentences))
    for sentence, trees in zip(sentences, parser.k_best(doc, 1), strict=True):
        lines = doc_to_conllu(trees[0].to_doc(doc)).splitlines()
        assert lines[: len(sentence.comments)] == sentence.comments
        assert [line.split("\t")[9] for line in lines if line.split("\t")[0].isdecimal()] == [
            word.misc for word in sentence.words
        ]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    for trees in parser.k_best(doc, 1):     # what was stored no longer fits
        assert "# sent_id = 1\n" in doc_to_conllu(trees[0].to_doc(doc))


def test_every_sentence_has_one_root_under_a_constraint() -> None:
    """The sentences are those of the boundaries that are set, even if this parser has set them."""
    system = {"@misc": "arceager.named_system.v1", "name": "arc_eager_nm", "segment": True}
    nlp = blank_pipeline(system=system)
    examples = read_corpus(nlp, "en_small-train.conllu", sentences_per_doc=4)
    train(nlp, examples[:8], epochs=3)
    n_trees = 0
    for example in examples[:12]:
        doc = example.predicted.copy()
        doc._.arceager_fixed_arcs = [(1, None, "nsubj")]
        doc = nlp(doc)
        before = annotation(nlp(doc.copy()))
        for trees in get_parser(nlp).k_best(doc, 8):
            n_trees += len(trees)
            for tree in trees:
                assert sum(map(int.__eq__, tree.heads, tree.words)) == 1
        assert annotation(nlp(doc)) == before       # and the Doc is as it was
    assert n_trees > 50
