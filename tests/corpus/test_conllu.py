import re
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_arceager.corpus.conllu import (
    ConlluError,
    doc_to_conllu,
    read_sentences,
    sentence_to_doc,
    sentences_to_doc,
    without_annotation,
)
from spacy_arceager.corpus.corpus import ConlluCorpus, create_conllu_corpus

NLP = spacy.blank("xx")


def conllu(text: str) -> str:
    """Make CoNLL-U of a readable table: columns by tabs, one empty line at the end."""
    lines = [line.strip() for line in text.strip().split("\n")]
    rows = [line if line.startswith("#") else "\t".join(line.split()) for line in lines]
    return "\n".join([*rows, "", ""])


# "Du coup, j'arrive." with a multi-word token, empty nodes and every column filled.
RICH = conllu("""
    # sent_id = fr-1
    # text = Du coup, j'arrive.
    0.1  _       _        _      _    _                      _  _       4:dep      _
    1-2  Du      _        _      _    _                      _  _       _          Typo=No
    1    De      de       ADP    P    _                      3  case    3:case     _
    2    le      le       DET    D    Gender=Masc|NumType=X  3  det     3:det      _
    3    coup    coup     NOUN   _    Number=Sing            5  obl:arg 5:obl|6:x  SpaceAfter=No
    4    ,       ,        PUNCT  PUNCT _                     5  punct   5:punct    _
    4.1  ça      ça       PRON   _    _                      _  _       5:nsubj    A=1|B=2
    4.2  _       _        _      _    _                      _  _       4.1:x      _
    5-6  j'arrive _       _      _    _                      _  _       _          SpaceAfter=No
    5    j'      je       PRON   _    Person=1               6  nsubj   6:nsubj    _
    6    arrive  arriver  VERB   _    _                      0  root    0:root     _
    7    .       .        PUNCT  Z    _                      6  punct   6:punct    SpaceAfter=No
""")

PLAIN = conllu("""
    1 She she PRON _ _ 2 nsubj _ _
    2 reads read VERB _ _ 0 root _ _
    3 books book NOUN _ _ 2 obj _ SpaceAfter=No
    4 . . PUNCT _ _ 2 punct _ _
""")

CROSSING = conllu("""
    1 a _ X _ _ 3 dep _ _
    2 b _ X _ _ 4 dep _ _
    3 c _ X _ _ 0 root _ _
    4 d _ X _ _ 3 dep _ _
""")


def read_doc(text: str) -> Doc:
    return sentences_to_doc(NLP.vocab, list(read_sentences(text.splitlines(True))))


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# Sentences to Docs


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


# Round trip


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


# Errors


@pytest.mark.parametrize(
    "text, line, fault",
    [
        ("", 1, "no sentence"),
        ("\n\n", 1, "no sentence"),
        ("# text = a\n\n" + PLAIN, 1, "no words"),
        ("1\ta\n", 1, "2 columns"),
        (PLAIN + "1  a\n", 6, "the line has no columns"),
        (PLAIN.replace("book\t", "\t"), 3, "empty"),
        (PLAIN.replace("3\tb", "x\tb"), 3, "ID 'x'"),
        (PLAIN.replace("3\tb", "4\tb"), 3, "ID 4 is out of order, expected 3"),
        (PLAIN.replace("2\tobj", "two\tobj"), 3, "HEAD 'two'"),
        (PLAIN.replace("2\tobj", "-1\tobj"), 3, "HEAD '-1'"),
        (PLAIN.replace("2\tobj", "5\tobj"), 3, "HEAD 5 is outside"),
        (PLAIN.replace("2\tobj", "3\tobj"), 3, "its own head"),
        (PLAIN.replace("2\tobj", "4\tobj").replace("2\tpunct", "3\tpunct"), 3, "cycle"),
        (PLAIN.replace("0\troot", "1\tdep"), 1, "no root"),
        (PLAIN.replace("2\tobj", "0\troot"), 3, "2 roots"),
        (PLAIN.replace("NOUN", "noun"), 3, "UPOS 'noun'"),
        (RICH.replace("Person=1", "Person"), 12, "FEATS has 'Person'"),
        (RICH.replace("Person=1", "Person="), 12, "FEATS has 'Person='"),
        (RICH.replace("Person=1", "Person=1=2"), 12, "FEATS has 'Person=1=2'"),
        (RICH.replace("Person=1", "A=1|A=2"), 12, "twice"),
        (RICH.replace("5-6", "6-7"), 11, "does not start at the next word"),
        (RICH.replace("5-6", "5-4"), 11, "does not start at the next word"),
        (RICH.replace("5-6", "5-8"), 14, "beyond the sentence"),
        (RICH.replace("1-2", "1-5"), 11, "overlaps"),
        (RICH.replace("4.2", "4.3"), 10, "empty node 4.3 is out of order"),
        (RICH.replace("4.1\tç", "3.1\tç"), 9, "empty node 3.1 is out of order"),
    ],
)
def test_faults_are_named_with_file_and_line(text, line, fault, tmp_path):
    path = write_file(tmp_path / "bad.conllu", text)
    with pytest.raises(ConlluError) as error:
        list(ConlluCorpus(path)(NLP))
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert fault in str(error.value)


def test_file_that_is_not_utf8_is_named_with_the_line(tmp_path):
    path = tmp_path / "latin1.conllu"
    path.write_bytes(RICH.encode("latin-1"))
    with pytest.raises(ConlluError, match=re.escape(f"{path}, line 9: ") + ".*UTF-8"):
        list(ConlluCorpus(path)(NLP))


# The corpus


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf# text = x\n" + PLAIN.encode(),
        b"\n\n" + PLAIN.encode() + b"\n\n",
    ],
)
def test_line_ends_byte_order_mark_and_blank_lines_make_no_difference(data, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(data)
    (example,) = ConlluCorpus(path)(NLP)
    assert [token.text for token in example.reference] == ["She", "reads", "books", "."]
    assert example.reference.text == "She reads books. "


@pytest.mark.parametrize(
    "size, lengths", [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (9, [5])]
)
def test_docs_have_the_wanted_number_of_sentences(size, lengths, tmp_path):
    path = write_file(tmp_path / "a.conllu", (CROSSING + RICH) * 2 + PLAIN)
    references = [
        example.reference for example in ConlluCorpus(path, sentences_per_doc=size)(NLP)
    ]
    assert [len(list(doc.sents)) for doc in references] == lengths
    assert "".join(map(doc_to_conllu, references)).count("sent_id") == 2


def test_limit_counts_docs_and_max_length_leaves_out_sentences(tmp_path):
    path = write_file(tmp_path / "a.conllu", PLAIN + RICH + PLAIN + PLAIN)
    corpus = ConlluCorpus(path, sentences_per_doc=2, limit=1, max_length=4)
    assert [len(example) for example in corpus(NLP)] == [8]
    assert len(list(ConlluCorpus(path)(NLP))) == 4


def test_predicted_docs_have_the_gold_words_and_no_annotation(tmp_path):
    path = write_file(tmp_path / "a.conllu", RICH)
    (example,) = create_conllu_corpus(path)(NLP)
    predicted = example.predicted
    assert predicted.text == example.reference.text
    assert [token.text for token in predicted] == [t.text for t in example.reference]
    for attribute in ["TAG", "POS", "MORPH", "LEMMA", "DEP", "HEAD", "SENT_START"]:
        assert not predicted.has_annotation(attribute)
    written = doc_to_conllu(predicted)
    assert "1-2\tDu\t" in written and "# sent_id = fr-1\n" in written
    assert "5:nsubj" not in written and "\tcase\t" not in written


def test_folder_is_read_in_the_order_of_names(tmp_path):
    (tmp_path / "b").mkdir()
    write_file(tmp_path / "b" / "1.conllu", PLAIN)
    write_file(tmp_path / "c.conllu", CROSSING)
    write_file(tmp_path / "a.conllu", RICH)
    write_file(tmp_path / "notes.txt", "not CoNLL-U")
    lengths = [len(example) for example in ConlluCorpus(tmp_path)(NLP)]
    assert lengths == [7, 4, 4]


@pytest.mark.parametrize("name", ["", "missing.conllu"])
def test_path_without_conllu_is_an_error(name, tmp_path):
    with pytest.raises(FileNotFoundError, match="No CoNLL-U"):
        list(ConlluCorpus(tmp_path / name)(NLP))


def test_null_path_says_where_to_set_it():
    with pytest.raises(ValueError, match="--paths.train"):
        create_conllu_corpus(None)


def test_docs_without_sentences_are_refused(tmp_path):
    with pytest.raises(ValueError, match="sentences_per_doc"):
        create_conllu_corpus(tmp_path, sentences_per_doc=0)


def test_config_can_name_the_reader(tmp_path):
    path = write_file(tmp_path / "a.conllu", PLAIN)
    block = {"@readers": "arceager.ConlluCorpus.v1", "path": str(path), "limit": 3}
    corpus = spacy.registry.resolve({"corpus": block})["corpus"]
    assert len(list(corpus(NLP))) == 1


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
        2 ! _ _ _ _ _ _ _ SpaceAfter=No
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
        ["3", "goes", "0", "root", "SpaceAfter=No"],
    ]
    assert "# text = So it goes\n" in doc_to_conllu(doc)


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


def test_head_in_another_sentence_is_an_error():
    doc = Doc(NLP.vocab, words=["a", "b"], heads=[0, 0], deps=["ROOT", "dep"])
    sentences = Doc(NLP.vocab, words=["a", "b"], sent_starts=[True, True])
    doc.from_array(["SENT_START"], sentences.to_array(["SENT_START"]))
    with pytest.raises(ValueError, match="in another sentence"):
        doc_to_conllu(doc)


def test_tab_in_a_word_is_an_error():
    with pytest.raises(ValueError, match="tab"):
        doc_to_conllu(Doc(NLP.vocab, words=["a\tb"]))


def test_one_sentence_makes_a_doc():
    (sentence,) = read_sentences(PLAIN.splitlines())
    assert doc_to_conllu(sentence_to_doc(NLP.vocab, sentence)).endswith(PLAIN)
