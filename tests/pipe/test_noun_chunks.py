"""Noun chunks on UD trees, and in every copy of a pipeline."""

from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

import spacy_arceager
from spacy_arceager.pipe.noun_chunks import noun_chunks
from tests.round_trips import through_disk, through_pickle

SENTENCE = "She ate the red apple in the old garden with her best friend."
CHUNKS = ["She", "the red apple", "the old garden", "her best friend"]
SETTING = {"nlp": {"after_creation": {"@callbacks": "arceager.ud_noun_chunks.v1"}}}

# Word, UPOS, head (counted from 1, 0 for the root) and relation of each word; chunks.
TREES = {
    "possessor": (
        "John/PROPN/3/nmod:poss 's/PART/1/case car/NOUN/4/nsubj broke/VERB/0/root",
        ["John 's car"],
    ),
    "coordination": (
        "apples/NOUN/4/nsubj and/CCONJ/3/cc pears/NOUN/1/conj fell/VERB/0/root",
        ["apples", "pears"],
    ),
    "coordinated adjectives": (
        "a/DET/6/det red/ADJ/6/amod ,/PUNCT/5/punct and/CCONJ/5/cc green/ADJ/2/conj "
        "hat/NOUN/0/root ./PUNCT/6/punct",
        ["a red , and green hat"],
    ),
    "copula": (
        "she/PRON/5/nsubj is/AUX/5/cop not/PART/5/advmod a/DET/5/det teacher/NOUN/0/root",
        ["she", "a teacher"],
    ),
    "adverb within": (
        "the/DET/3/det then/ADV/3/advmod president/NOUN/4/nsubj left/VERB/0/root",
        ["the then president"],
    ),
    "name": (
        "Ada/PROPN/3/nsubj Lovelace/PROPN/1/flat wrote/VERB/0/root page/NOUN/3/obj "
        "3/NUM/4/nummod",
        ["Ada Lovelace", "page 3"],
    ),
    "apposition and prepositions": (
        "my/PRON/2/nmod:poss friend/NOUN/7/nsubj ,/PUNCT/4/punct king/NOUN/2/appos "
        "of/ADP/6/case Spain/PROPN/4/nmod slept/VERB/0/root",
        ["my friend", "king", "Spain"],
    ),
    "relative clause": (
        "letters/NOUN/5/nsubj that/PRON/4/obj she/PRON/4/nsubj wrote/VERB/1/acl:relcl "
        "came/VERB/0/root",
        ["letters", "that", "she"],
    ),
    "adjective after the noun (Spanish)": (
        "la/DET/2/det casa/NOUN/6/nsubj grande/ADJ/2/amod y/CCONJ/5/cc roja/ADJ/3/conj "
        "arde/VERB/0/root",
        ["la casa grande y roja"],
    ),
    "adjective with a complement": (
        "something/PRON/0/root good/ADJ/1/amod for/ADP/4/case you/PRON/2/obl",
        ["something", "you"],
    ),
    "possessor before the noun (Turkish)": (
        "evin/NOUN/3/nmod:poss eski/ADJ/3/amod kapısı/NOUN/4/nsubj açıldı/VERB/0/root",
        ["evin eski kapısı"],
    ),
    "compound": (
        "cat/NOUN/2/compound food/NOUN/3/nsubj:pass eaten/VERB/0/root by/ADP/5/case "
        "cats/NOUN/3/obl:agent",
        ["cat food", "cats"],
    ),
    "comma between adjectives": (
        "a/DET/5/det big/ADJ/5/amod ,/PUNCT/5/punct red/ADJ/5/amod hat/NOUN/0/root",
        ["a big , red hat"],
    ),
    "comma between adjectives after the noun": (
        "casa/NOUN/0/root grande/ADJ/1/amod ,/PUNCT/4/punct roja/ADJ/2/conj",
        ["casa grande , roja"],
    ),
    "quotation mark before all": (
        "\"/PUNCT/3/punct red/ADJ/3/amod hat/NOUN/0/root \"/PUNCT/3/punct", ["red hat"],
    ),
    "interrupted": (
        "a/DET/3/det came/VERB/0/root man/NOUN/2/nsubj", ["man"],
    ),
    "a root that is labelled conj": ("cats/NOUN/0/conj", []),
    "no noun": ("run/VERB/0/root fast/ADV/1/advmod", []),
}


def doc_of(tree: str) -> Doc:
    rows = [word.split("/") for word in tree.split()]
    heads = [i if row[2] == "0" else int(row[2]) - 1 for i, row in enumerate(rows)]
    doc = Doc(
        spacy.blank("xx").vocab,
        words=[row[0] for row in rows],
        pos=[row[1] for row in rows],
        heads=heads,
        deps=["ROOT" if row[3] == "root" else row[3] for row in rows],
    )
    doc.noun_chunks_iterator = noun_chunks
    return doc


@pytest.mark.parametrize(("tree", "chunks"), TREES.values(), ids=TREES.keys())
def test_constructions(tree: str, chunks: list[str]) -> None:
    assert [chunk.text.strip() for chunk in doc_of(tree).noun_chunks] == chunks


@pytest.mark.parametrize("place", range(7))
def test_white_space_ends_no_chunk_and_begins_none(place: int) -> None:
    """Of a parser, white space depends on the word before it, or on the first one."""
    rows = ["the/DET/3", "old/ADJ/3", "friend/NOUN/0", "Alan/PROPN/3", "Porter/PROPN/4", "s/X/3"]
    labels = ["det", "amod", "root", "flat", "flat", "dep"]
    words = [tuple(row.split("/")) for row in rows]
    heads = [int(head) - 1 if head != "0" else i for i, (_, _, head) in enumerate(words)]
    shift = [i + (i >= place) for i in range(len(words))]
    new = [shift[head] for head in heads]
    new.insert(place, max(place - 1, 0) if place else 1)
    texts, tags = [word for word, *_ in words], [tag for _, tag, _ in words]
    for values, value in ((texts, "\n"), (tags, "PROPN"), (labels, "dep")):
        values.insert(place, value)
    labels = ["ROOT" if label == "root" else label for label in labels]
    doc = Doc(spacy.blank("xx").vocab, texts, pos=tags, heads=new, deps=labels)
    doc.noun_chunks_iterator = noun_chunks
    (chunk,) = doc.noun_chunks
    assert chunk.text.split() == ["the", "old", "friend", "Alan", "Porter"]
    assert not chunk[0].is_space and not chunk[-1].is_space


def test_a_span_has_the_chunks_within_it() -> None:
    doc = doc_of(TREES["apposition and prepositions"][0])
    assert [chunk.text.strip() for chunk in doc[3:].noun_chunks] == ["king", "Spain"]


@pytest.mark.parametrize(
    ("annotation", "message"),
    [({"pos": ["NOUN"]}, "dependency parse"), ({"heads": [0], "deps": ["ROOT"]}, "pos tagging")],
)
def test_without_a_parse_or_upos_there_is_a_message(annotation: dict, message: str) -> None:
    doc = Doc(spacy.blank("xx").vocab, words=["Ada"], **annotation)
    doc.noun_chunks_iterator = noun_chunks
    with pytest.raises(ValueError, match=message):
        list(doc.noun_chunks)


def to_bytes(nlp: Language, folder: Path) -> Language:
    return spacy.blank("en", config=SETTING).from_bytes(nlp.to_bytes(exclude=["tokenizer"]))


def same(nlp: Language, folder: Path) -> Language:
    return nlp


@pytest.mark.parametrize("travel", [same, through_disk, through_pickle])
def test_the_english_pipeline_has_them(
    travel: Callable[[Language, Path], Language], tmp_path: Path
) -> None:
    nlp = travel(spacy_arceager.load("en"), tmp_path)
    assert [chunk.text for chunk in nlp(SENTENCE).noun_chunks] == CHUNKS


@pytest.mark.slow
def test_worker_processes_have_them() -> None:
    nlp = spacy_arceager.load("en")
    for doc in nlp.pipe([SENTENCE] * 2, n_process=2):
        assert [chunk.text for chunk in doc.noun_chunks] == CHUNKS


def test_chunks_are_merged() -> None:
    nlp = spacy_arceager.load("en")
    nlp.add_pipe("merge_noun_chunks")
    words = [token.text for token in nlp(SENTENCE)]
    assert words == ["She", "ate", "the red apple", "in", "the old garden", "with",
                     "her best friend", "."]


@pytest.mark.parametrize("travel", [same, through_disk, through_pickle, to_bytes])
def test_one_setting_gives_them_to_any_pipeline(
    travel: Callable[[Language, Path], Language], tmp_path: Path
) -> None:
    nlp = travel(spacy.blank("en", config=SETTING), tmp_path)
    assert nlp.vocab.get_noun_chunks is noun_chunks
