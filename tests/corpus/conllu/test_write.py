"""Docs are written as CoNLL-U."""

import re

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from spacy_arceager.annotation.confidence import set_confidences
from spacy_arceager.annotation.multi_word import set_multi_word_token
from spacy_arceager.corpus.conllu import (
    SurfaceText,
    doc_to_conllu,
    read_sentences,
    sentences_of_doc,
    sentences_to_doc,
    without_annotation,
)
from tests.corpus.sentences import CROSSING, NLP, PLAIN, RICH, conllu, read_doc


@pytest.mark.parametrize("text", [RICH, PLAIN, CROSSING, RICH + PLAIN + RICH])
def test_reading_and_writing_changes_nothing(text):
    assert text in doc_to_conllu(read_doc(text))


def test_stored_conllu_survives_bytes_and_docbin():
    doc = read_doc(RICH + CROSSING + RICH)
    text = doc_to_conllu(doc)
    from_bytes = Doc(spacy.blank("xx").vocab).from_bytes(doc.to_bytes())
    assert doc_to_conllu(from_bytes) == text
    data = DocBin(docs=[doc], store_user_data=True).to_bytes()
    from_bin = DocBin().from_bytes(data).get_docs(spacy.blank("xx").vocab)
    assert "".join(map(doc_to_conllu, from_bin)) == text


def test_partial_annotation_is_written_back():
    text = conllu("1 a _ X _ _ _ _ _ _\n2 b _ X _ _ 1 _ _ _\n3 c _ X _ _ 0 root _ _")
    assert doc_to_conllu(read_doc(text)).endswith(text)


def test_root_label_other_than_root_is_kept():
    text = conllu("1 a _ X _ _ 0 parataxis _ _")
    assert doc_to_conllu(read_doc(text)).endswith(text)


FEATS = ["Abbr=Yes", "Case=Acc,Nom", "Number=Sing", "Number[psor]=Plur", "NumType=Card"]
VALUES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=4)
FORMS = VALUES | st.sampled_from(["_", "10 000", "#", "1-2"])


@st.composite
def word_columns(draw, word_id: int, head: int | None) -> list[str]:
    upos = draw(st.sampled_from(["_", "NOUN", "X", "SYM"]))
    xpos = draw(st.sampled_from(["_", upos, "NN"]))
    feats = draw(st.lists(st.sampled_from(FEATS), unique=True))
    deprel = "_" if head is None else draw(st.sampled_from(["_", "dep", "obl:arg"]))
    return [
        str(word_id),
        draw(FORMS),
        draw(VALUES | st.just("_")),
        upos,
        xpos,
        "|".join(sorted(feats, key=str.lower)) or "_",
        "_" if head is None else str(head),
        "root" if head == 0 else deprel,
        draw(st.sampled_from(["_", "0:root", "0:root>a:b|0:root:z"])),
        draw(st.sampled_from(["_", "SpaceAfter=No", "Gloss=x|SpaceAfter=No"])),
    ]


@st.composite
def sentence_texts(draw) -> str:
    """CoNLL-U of one sentence: a random, perhaps partial, tree, and all kinds of lines."""
    size = draw(st.integers(1, 5))
    order = draw(st.permutations(range(1, size + 1)))
    heads: dict[int, int | None] = {order[0]: 0}
    for position in range(1, size):
        heads[order[position]] = draw(st.sampled_from([*order[:position], None]))
    rows = []
    covered = 0
    for word_id in range(1, size + 1):
        if word_id > covered and draw(st.booleans()):
            covered = draw(st.integers(word_id, size))
            rows.append(
                [f"{word_id}-{covered}", draw(FORMS), *"_______", "SpaceAfter=No"]
            )
        rows.append(draw(word_columns(word_id, heads[word_id])))
        if draw(st.booleans()):
            rows.append([f"{word_id}.1", draw(FORMS), *"______", "1:dep", "_"])
    comments = draw(st.lists(VALUES.map("# {}".format), min_size=1, max_size=2))
    return "\n".join([*comments, *map("\t".join, rows), "", ""])


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(sentence_texts(), min_size=1, max_size=3).map("".join))
def test_reading_and_writing_changes_nothing_in_any_file(text):
    doc = sentences_to_doc(NLP.vocab, list(read_sentences(text.split("\n"))))
    assert doc_to_conllu(doc) == text


# The writer on Docs that do not come from CoNLL-U
def body(doc: Doc) -> list[list[str]]:
    """Return ID, FORM, HEAD, DEPREL and MISC of every line that is a word."""
    lines = doc_to_conllu(doc).split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [[row[0], row[1], row[6], row[7], row[9]] for row in rows]


def test_unparsed_doc_is_one_sentence_without_heads():
    doc = Doc(NLP.vocab, words=["Hi", "!"], spaces=[False, False])
    assert doc_to_conllu(doc) == "# sent_id = 1\n# text = Hi!\n" + conllu("""
        1 Hi _ _ _ _ _ _ _ SpaceAfter=No
        2 ! _ _ _ _ _ _ _ _
    """)


def test_empty_doc_is_written_as_nothing():
    assert doc_to_conllu(Doc(NLP.vocab)) == ""
    assert doc_to_conllu(Doc(NLP.vocab, words=[" ", "\n"])) == ""


def test_whitespace_tokens_are_left_out_and_heads_renumbered():
    doc = Doc(
        NLP.vocab,
        words=["\n", "So", "\n\n", "it", "goes"],
        spaces=[False, True, False, True, False],
        heads=[1, 4, 1, 2, 4],
        deps=["dep", "advmod", "dep", "nsubj", "ROOT"],
    )
    assert body(doc) == [
        ["1", "So", "3", "advmod", r"SpacesAfter=\s\n\n"],
        ["2", "it", "1", "nsubj", "_"],
        ["3", "goes", "0", "root", "_"],
    ]
    assert "# text = So it goes\n" in doc_to_conllu(doc)


def test_an_empty_line_begins_a_paragraph_where_a_sentence_begins():
    words = ["Go", "on", "\n\n", "Stop", "\n", "Now", "\n\n", "here"]
    starts = [True, False, False, True, False, True, False, False]
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words), sent_starts=starts)
    assert [block.startswith("# newpar\n") for block in doc_to_conllu(doc).split("\n\n")[:3]] == [
        False, True, False
    ]


def test_first_word_below_a_whitespace_root_becomes_the_root():
    doc = Doc(
        NLP.vocab,
        words=["a", "\n", "b"],
        heads=[1, 1, 1],
        deps=["x", "ROOT", "y"],
    )
    assert [row[2:4] for row in body(doc)] == [["0", "root"], ["1", "y"]]


def test_moved_sentence_boundaries_drop_only_what_no_longer_fits():
    doc = without_annotation(read_doc(RICH + PLAIN))
    for token in doc:
        token.is_sent_start = token.i in (0, 5)
    written = doc_to_conllu(doc)
    assert re.findall("sent_id = (.*)", written) == ["1", "2"]
    assert "# text = Du coup, j'\n" in written
    assert "# text = arrive.She reads books.\n" in written
    assert "1-2\tDu\t" in written and "j'arrive" not in written


def test_retokenised_doc_is_written_without_the_stored_conllu():
    doc = read_doc(RICH)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert "# text = Dele coup, j'arrive.\n" in doc_to_conllu(doc)


def test_a_doc_retokenised_to_as_many_tokens_is_written_without_the_stored_conllu() -> None:
    doc = read_doc(conllu("\n".join(
        f"{i} {word} _ _ _ _ _ _ _ Gloss={word.lower()}"
        for i, word in enumerate(["New", "York", "cant", "wait"], 1)
    )))
    assert "Gloss=york" in doc_to_conllu(doc)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
        retokenizer.split(doc[2], ["ca", "nt"], heads=[(doc[2], 0), (doc[2], 0)])
    assert len(doc) == 4 and "Gloss" not in doc_to_conllu(doc)


def test_head_in_another_sentence_is_an_error():
    doc = Doc(NLP.vocab, words=["a", "b"], heads=[0, 0], deps=["ROOT", "dep"])
    sentences = Doc(NLP.vocab, words=["a", "b"], sent_starts=[True, True])
    doc.from_array(["SENT_START"], sentences.to_array(["SENT_START"]))
    with pytest.raises(ValueError, match="in another sentence"):
        doc_to_conllu(doc)


def test_tab_in_a_word_is_an_error():
    for word in ("a\tb", "a\nb", "a\rb"):
        with pytest.raises(ValueError, match=f"no way to write {re.escape(repr(word))}: .* tab"):
            doc_to_conllu(Doc(NLP.vocab, words=["good", word]))


def test_confidences_of_an_earlier_parse_are_replaced_in_misc():
    misc = "HeadConfidence=0.1000|SpaceAfter=No|LabelConfidence=0.2"
    text = PLAIN.replace("SpaceAfter=No", misc)
    doc = read_doc(text)
    assert doc_to_conllu(doc) == text
    set_confidences(doc, [0, 2], [0.5, 0.75], [1.0, 0.25])
    assert [line.split("\t")[9] for line in doc_to_conllu(doc).split("\n") if line] == [
        "HeadConfidence=0.5000|LabelConfidence=1.0000", "_",
        "SpaceAfter=No|HeadConfidence=0.7500|LabelConfidence=0.2500", "_",
    ]
    bare = without_annotation(read_doc(text.replace("nsubj\t_\t_", "nsubj\t_\tHeadConfidence=1")))
    assert [row[4] for row in body(bare)] == ["_", "_", "SpaceAfter=No", "_"]


def test_multi_word_tokens_with_other_words_are_not_written():
    doc = Doc(NLP.vocab, words=["a", "b", "c", "d"])
    set_multi_word_token(doc[0:2], "ab")
    set_multi_word_token(doc[2:4], "cd")

    def ids_of(doc: Doc) -> list[str]:
        return [line.split("\t")[0] for line in doc_to_conllu(doc).split("\n")[2:-2]]

    assert ids_of(doc) == ["1-2", "1", "2", "3-4", "3", "4"]
    assert ids_of(doc[:3].as_doc(copy_user_data=True)) == ["1-2", "1", "2", "3"]
    assert ids_of(doc[2:].as_doc(copy_user_data=True)) == ["1-2", "1", "2"]
    assert ids_of(doc[1:].as_doc(copy_user_data=True)) == ["1", "2-3", "2", "3"]


def test_the_text_of_words_has_the_forms_of_multi_word_tokens() -> None:
    text = SurfaceText(read_doc(RICH))
    assert text.of(range(7)) == "Du coup, j'arrive."
    assert text.of([0, 1]) == "Du" and text.of([2, 3]) == "coup,"
    assert text.of([1, 2]) == "le coup"     # half of a multi-word token is a word
    assert text.of([]) == ""


def test_sentences_come_with_their_words_and_are_numbered_from_one() -> None:
    doc = Doc(NLP.vocab, words=["Go", "\n", "on"], spaces=[False] * 3, sent_starts=[1, -1, 1])
    (first, one), (second, two) = sentences_of_doc(doc)
    assert (first, second) == ([0], [2])
    assert "# sent_id = 1\n" in one and "# sent_id = 2\n" in two
    assert [text.splitlines()[0] for _, text in sentences_of_doc(doc, "a-", 7)] == [
        "# sent_id = a-7", "# sent_id = a-8",
    ]


def test_a_graph_of_another_program_is_written_as_deps() -> None:
    doc = Doc(NLP.vocab, words=["she", "left"])
    doc._.arceager_graph = [[[1, "nsubj"], [1, "agent"]], [[1, "root"]]]
    rows = [line.split("\t") for line in doc_to_conllu(doc).split("\n") if "\t" in line]
    assert [row[8] for row in rows] == ["2:agent|2:nsubj", "0:root"]


def test_a_prefix_names_only_sentences_that_have_no_id_of_their_own():
    assert RICH in doc_to_conllu(read_doc(RICH), "a-")
    written = doc_to_conllu(read_doc("# text = She reads books.\n# by = us\n" + PLAIN), "a-", 5)
    assert written.startswith("# sent_id = a-5\n# text = She reads books.\n# by = us\n1\t")
    assert doc_to_conllu(read_doc("# by = us\n" + PLAIN), "").startswith(
        "# by = us\n# sent_id = 1\n1\t"
    )


def test_all_white_space_behind_a_word_is_written():
    words = ["\t", "a", "\n", "\t", "b", "\n", "c", "\n"]
    doc = Doc(NLP.vocab, words=words, spaces=[i in (1, 2, 7) for i in range(8)])
    assert [row[4] for row in body(doc)] == [
        r"SpacesAfter=\s\n\s\t", r"SpacesAfter=\n", r"SpacesAfter=\n\s",
    ]


@pytest.mark.parametrize(("words", "misc"), [
    (["Bye", "."], "_"), (["Bye", ".", "\n"], r"SpacesAfter=\n"),
    (["Bye", ".", " ", "\n\n"], r"SpacesAfter=\s\n\n"),
])
def test_white_space_at_the_end_is_written_as_it_is(words: list[str], misc: str) -> None:
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    assert body(doc)[-1][4] == misc


def test_a_part_of_a_text_has_the_white_space_around_it() -> None:
    doc = Doc(NLP.vocab, words=["Bye", "."], spaces=[False, False])
    written = doc_to_conllu(doc, space_before="\n\n", goes_on=True)
    assert written.startswith("# newpar\n") and written.endswith("SpaceAfter=No\n\n")
