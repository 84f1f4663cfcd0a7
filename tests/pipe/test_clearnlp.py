"""The component `arceager_clearnlp_labels`: in a pipeline, saved, in processes; noun chunks."""

from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from spacy.lang.en.syntax_iterators import noun_chunks as english_noun_chunks
from spacy.language import Language
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc, DocBin

import spacy_arceager
from spacy_arceager.annotation.clearnlp.labels import CLEARNLP
from tests.round_trips import through_disk, through_pickle

NAME = "arceager_clearnlp_labels"
SENTENCE = "She gave the old book in the garden to her best friend."
CHUNKS = ["She", "the old book", "the garden", "her best friend"]
TEXTS = [
    SENTENCE,
    "",
    " ",
    "\n\nThe soup is too hot.  \n It was made by Tom ; nobody\t ate it.\n",
    "Who is she? I think he left. (See p. 5.) \"No!\" said Tom.",
    "on off on off of of to to is is was , , ; and and",
    "Call 555-1234 or write to me@example.org, http://example.org !!! :-)",
    "a\nb\nc",
]


def triples(nlp: Language, doc: Doc) -> set[tuple[str, ...]]:
    """What a pattern written for en_core_web_sm finds."""
    matcher = DependencyMatcher(nlp.vocab)
    matcher.add("svo", [[
        {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"POS": "VERB"}},
        {"LEFT_ID": "verb", "REL_OP": ">", "RIGHT_ID": "subject", "RIGHT_ATTRS": {"DEP": "nsubj"}},
        {"LEFT_ID": "verb", "REL_OP": ">", "RIGHT_ID": "object", "RIGHT_ATTRS": {"DEP": "dobj"}},
    ]])
    return {tuple(doc[i].text for i in tokens) for _, tokens in matcher(doc)}


@pytest.fixture(scope="module")
def nlp() -> Language:
    nlp = spacy_arceager.load("en")
    nlp.add_pipe(NAME)
    return nlp


def check_trees(doc: Doc) -> None:
    """Each sentence is one tree with ClearNLP's labels."""
    for sentence in doc.sents:
        roots = [token for token in sentence if token.head.i == token.i]
        assert [token.dep_ for token in roots] == ["ROOT"]
        assert all(roots[0].is_ancestor(token) for token in sentence if token != roots[0])
    assert {token.dep_ for token in doc} <= CLEARNLP


def test_patterns_of_spacys_english_match(nlp: Language) -> None:
    assert not triples(nlp, spacy_arceager.load("en")(SENTENCE))
    assert triples(nlp, nlp(SENTENCE)) == {("gave", "She", "book")}


@pytest.mark.parametrize("text", TEXTS)
def test_each_sentence_is_one_tree(nlp: Language, text: str) -> None:
    doc, plain = nlp(text), spacy_arceager.load("en")(text)
    check_trees(doc)
    assert [sentence.text for sentence in doc.sents] == [sentence.text for sentence in plain.sents]


def test_the_sentences_of_the_benchmark_are_trees(nlp: Language) -> None:
    path = Path(__file__).parents[2] / "benchmarks" / "clearnlp_sentences.txt"
    for doc in nlp.pipe(path.read_text(encoding="utf8").splitlines()):
        check_trees(doc)


def test_noun_chunks_are_those_of_spacys_english(nlp: Language) -> None:
    doc = nlp(SENTENCE)
    assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS
    assert [chunk.text for chunk in doc[3:].noun_chunks] == CHUNKS[2:]
    assert [doc[start:end].text for start, end, _ in english_noun_chunks(doc)] == CHUNKS


def test_noun_chunks_of_a_doc_do_not_depend_on_other_sentences(nlp: Language) -> None:
    for text in ("Dogs, I think.", "Dogs, I think. She likes cats.", "Chapter 3"):
        doc = nlp(text)
        expected = [doc[start:end].text for start, end, _ in english_noun_chunks(doc)]
        assert [chunk.text for chunk in doc.noun_chunks] == expected


def test_noun_chunks_of_ud_trees_in_the_same_pipeline(nlp: Language) -> None:
    with nlp.select_pipes(disable=NAME):
        doc = nlp(SENTENCE)
    assert "obj" in {token.dep_ for token in doc}
    assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS


def test_docs_that_were_made_before(nlp: Language) -> None:
    plain = spacy_arceager.load("en")
    doc = plain(SENTENCE)
    nlp.get_pipe(NAME)(doc)
    assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS


def sourced(nlp: Language, folder: Path) -> Language:
    copy = spacy_arceager.load("en")
    copy.add_pipe(NAME, source=nlp)
    return copy


@pytest.mark.parametrize("travel", [through_disk, through_pickle, sourced])
def test_it_travels(travel: Callable[[Language, Path], Language], tmp_path: Path) -> None:
    nlp = spacy_arceager.load("en")
    nlp.add_pipe(NAME, config={"keep_ud": True})
    doc = travel(nlp, tmp_path)(SENTENCE)
    assert triples(nlp, doc) == {("gave", "She", "book")}
    assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS
    assert doc._.arceager_ud_tree[3:5] == [[4, "amod"], [1, "obj"]]


def test_docs_in_a_doc_bin(nlp: Language) -> None:
    found = DocBin().from_bytes(DocBin(docs=[nlp(SENTENCE)]).to_bytes())
    (doc,) = found.get_docs(nlp.vocab)
    assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS


@pytest.mark.slow
def test_worker_processes(nlp: Language) -> None:
    for doc in nlp.pipe([SENTENCE] * 4, n_process=2):
        assert triples(nlp, doc) == {("gave", "She", "book")}
        assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS


def test_the_ud_tree_is_kept_if_asked(nlp: Language) -> None:
    assert nlp(SENTENCE)._.arceager_ud_tree is None
    plain = spacy_arceager.load("en")
    before = [[token.head.i, token.dep_] for token in plain(SENTENCE)]
    plain.add_pipe(NAME, config={"keep_ud": True})
    doc = plain(SENTENCE)
    assert doc._.arceager_ud_tree == before
    copy = Doc(doc.vocab).from_bytes(doc.to_bytes())      # as from another process
    assert copy._.arceager_ud_tree == before
    assert before != [[token.head.i, token.dep_] for token in doc]


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ({"pos": ["NOUN"]}, f"'{NAME}' needs a tree .*'arceager_parser' before"),
        ({"heads": [0], "deps": ["ROOT"]}, f"'{NAME}' needs UPOS.*'morphologizer'"),
    ],
)
def test_without_a_parse_or_upos_there_is_a_message(annotation: dict, message: str) -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe(NAME)
    with pytest.raises(ValueError, match=message):
        component(Doc(nlp.vocab, words=["Ada"], **annotation))


def test_what_it_needs_is_analysed() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    problems = nlp.analyze_pipes()["problems"][NAME]
    assert {"token.dep", "token.head", "token.pos", "token.tag"} == set(problems)


def test_a_root_may_have_any_label(nlp: Language) -> None:
    doc = Doc(
        nlp.vocab, ["I", "think"], heads=[1, 1], deps=["nsubj", "parataxis"],
        pos=["PRON", "VERB"], lemmas=["I", "think"],
    )
    check_trees(nlp.get_pipe(NAME)(doc))
