"""The tokenizer learns affixes, exceptions and multi-word tokens from a treebank."""

import pickle
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.training import Example
from udtools import udeval

from spacy_arceager.corpus.conllu import (
    doc_to_conllu,
    read_file,
    read_sentences,
    sentences_to_doc,
)
from spacy_arceager.evaluation.raw_alignment import paragraphs
from spacy_arceager.evaluation.raw_scores import RawParse
from spacy_arceager.pipe.tokenizer import create_language_tokenizer
from spacy_arceager.pipe.tokenizer_rules import learn_rules
from spacy_arceager.pipe.treebank_tokenizer import (
    TreebankTokenizer,
    match_case,
    split_tokens,
)
from tests.conftest import DATA

LEARNING = {"nlp": {"tokenizer": {"@tokenizers": "arceager.LanguageTokenizer.v1", "learn": True}}}
QUOTED = 'He said, "don\'t (go)!"'


def to_conllu(*sentences: str) -> str:
    """CoNLL-U of sentences in which `_` joins tokens and `=` stands before a token's words."""
    lines: list[str] = []
    for sentence in sentences:
        number = 0
        for string in sentence.split():
            *inner, last = string.split("_")
            for token, misc in [*((token, "SpaceAfter=No") for token in inner), (last, "_")]:
                form, _, words = token.partition("=")
                parts = words.split("+") if words else [form]
                if words:
                    span = f"{number + 1}-{number + len(parts)}"
                    lines.append("\t".join([span, form, *"_______", misc]))
                for part in parts:
                    number += 1
                    head, label = (0, "root") if number == 1 else (1, "dep")
                    row = [number, part, "_", "X", "_", "_", head, label, "_"]
                    lines.append("\t".join([*map(str, row), "_" if words else misc]))
        lines.append("")
    return "\n".join(lines) + "\n"


def read(nlp: Language, *sentences: str) -> Doc:
    """A gold Doc of sentences in the form of `to_conllu`."""
    return sentences_to_doc(nlp.vocab, list(read_sentences(to_conllu(*sentences).split("\n"))))


def learn(nlp: Language, *sentences: str) -> TreebankTokenizer:
    """A tokenizer that has seen some sentences, with a token of three letters between them."""
    doc = read(nlp, *sentences)
    tokenizer = TreebankTokenizer(nlp.tokenizer)
    tokenizer.initialize(lambda: [Example(doc, doc)], nlp=nlp)
    return tokenizer


def words(doc: Doc) -> list[str]:
    return [token.text for token in doc]


@pytest.fixture
def nlp() -> Language:
    return spacy.blank("xx")


def test_multi_word_tokens_become_their_words_and_ranges_of_conllu(nlp: Language) -> None:
    tokenizer = learn(nlp, "Il va au=à+le jardin du=de+le roi_.")
    doc = tokenizer("Elle sort du parc. DU pain, Au revoir")
    assert words(doc) == [
        "Elle", "sort", "de", "le", "parc", ".", "DE", "LE", "pain", ",", "À", "le", "revoir"
    ]
    written = doc_to_conllu(doc).splitlines()
    assert written[1] == "# text = Elle sort du parc. DU pain, Au revoir"
    assert [line.split("\t")[:2] for line in written if "-" in line.split("\t")[0]] == [
        ["3-4", "du"], ["7-8", "DU"], ["11-12", "Au"]
    ]
    assert not any("SpaceAfter" in line for line in written if line.split("\t")[1:2] == ["de"])


def test_no_sentence_starts_inside_of_a_multi_word_token(nlp: Language) -> None:
    nlp.tokenizer = learn(nlp, "va au=à+le jardin")
    senter = nlp.add_pipe("senter")
    example = Example.from_dict(
        nlp.make_doc("va au jardin"), {"sent_starts": [1, 1, 1, 1]}
    )
    optimizer = nlp.initialize(lambda: [example])
    nlp.tokenizer = learn(nlp, "va au=à+le jardin")
    for _ in range(20):
        nlp.update([example], sgd=optimizer)
    doc = nlp("va au jardin")
    assert senter.predict([doc])[0].tolist() == [1, 1, 1, 1]
    assert [token.is_sent_start for token in doc] == [True, True, False, True]
    lines = doc_to_conllu(doc).splitlines()
    assert [line for line in lines if line.startswith("# text")] == [
        "# text = va", "# text = au", "# text = jardin"
    ]


def test_spaces_after_a_multi_word_token_stand_in_its_line(nlp: Language) -> None:
    tokenizer = learn(nlp, "va au=à+le jardin")
    rows = [line.split("\t") for line in doc_to_conllu(tokenizer("va au\n\nlit au")).splitlines()]
    misc = {row[0]: row[9] for row in rows if len(row) == 10}
    assert misc["2-3"] == r"SpacesAfter=\n\n" and misc["2"] == misc["3"] == "_"
    assert misc["5-6"] == "_"      # the text ends


def test_a_multi_word_token_may_be_several_tokens_of_the_rules() -> None:
    nlp = spacy.blank("en")
    tokenizer = learn(nlp, "We don't=do+n't go")
    assert words(nlp.tokenizer("don't")) == ["do", "n't"]
    assert words(tokenizer("I Don't go")) == ["I", "Do", "n't", "go"]
    assert "2-3\tDon't\t" in doc_to_conllu(tokenizer("I Don't go"))


def test_words_are_explained() -> None:
    tokenizer = learn(spacy.blank("en"), "We don't=do+n't go")
    text = " I Don't  go, don't."
    assert [word for _, word in tokenizer.explain(text)] == [
        token.text for token in tokenizer(text) if not token.is_space
    ]
    assert tokenizer.explain("Don't go,")[1:] == [
        ("MULTI-WORD", "n't"), ("TOKEN", "go"), ("SUFFIX", ",")
    ]


def test_what_is_more_often_one_word_stays_one(nlp: Language) -> None:
    tokenizer = learn(nlp, "des=de+les amis", "des amis", "des gens", "du=de+le pain")
    assert words(tokenizer("des amis du roi")) == ["des", "amis", "de", "le", "roi"]


@pytest.mark.parametrize("form, parts, expected", [
    ("du", ["de", "le"], ["de", "le"]), ("Du", ["de", "le"], ["De", "le"]),
    ("DU", ["de", "le"], ["DE", "LE"]), ("Don't", ["do", "n't"], ["Do", "n't"]),
    ("DON'T", ["do", "n't"], ["DO", "N'T"]), ("À", ["a", "a"], ["A", "a"]),
    ("İyidir", ["i̇yi", "dir"], ["İyi", "dir"]), ("DİR", ["di̇", "r"], ["Dİ", "R"]),
])
def test_capitals_are_kept(form: str, parts: list[str], expected: list[str]) -> None:
    assert match_case(form, parts) == expected


def test_affixes_are_learnt_where_they_are_nearly_always_tokens(nlp: Language) -> None:
    prefixes = ["l-_aħħar jum", "l-_ewwel darba", "L-_omm tiekla", "b-_a x", "b-ka", "b-la"]
    suffixes = ["i_'r tŷ", "o_'r môr", "a_'r plant", "yw", "e_'z z", "e'z", "c'z"]
    tokenizer = learn(nlp, *prefixes, *suffixes)
    assert words(tokenizer("l-iben L-art i'r a'r")) == [
        "l-", "iben", "L-", "art", "i", "'r", "a", "'r"
    ]
    # `b-` and `'z` are tokens once, and parts of other tokens more often.
    assert words(tokenizer("b-na u'z")) == words(spacy.blank("xx").tokenizer("b-na u'z"))


def test_an_affix_that_the_rules_mostly_find_is_not_learnt_for_what_they_leave_whole(
    nlp: Language,
) -> None:
    texts = [f"wort{letter}_." for letter in "abcdefghijklmnopqrstuvwxyz"]
    tokenizer = learn(nlp, *texts, "J. K. L. M_. N_. P_.")
    assert [token.text for token in tokenizer("wort. J. K. Q.")] == ["wort", ".", "J.", "K.", "Q."]


def test_infixes_are_learnt(nlp: Language) -> None:
    tokenizer = learn(nlp, *(f"{a}_·_{b}" for a, b in ("ab", "cd", "ef")))
    assert words(tokenizer("xx·yy")) == ["xx", "·", "yy"]


def test_exceptions_are_learnt_from_two_occurrences(nlp: Language) -> None:
    tokenizer = learn(nlp, "'n boom", "is 'n huis", "'x y")
    assert words(tokenizer("'n hond, 'x")) == ["'n", "hond", ",", "'", "x"]


def test_a_tokenizer_without_rules_learns_multi_word_tokens() -> None:
    nlp = spacy.blank("zh")
    tokenizer = learn(nlp, "您好=您+好 吗")
    assert words(tokenizer("您好")) == ["您", "好"]


@given(st.text("ab'-. du", max_size=20))
def test_no_character_is_lost(text: str) -> None:
    nlp = spacy.blank("xx")
    tokenizer = learn(nlp, "du=de+le a", "b-_a", "b-_u", "b-_d")
    sentences = list(read_sentences(doc_to_conllu(tokenizer(f"x {text}")).split("\n")))
    assert "".join("".join(paragraphs(sentences)).split()) == "x" + "".join(text.split())


def test_what_was_learnt_is_saved(nlp: Language, tmp_path: Path) -> None:
    sentences = ("au=à+le l-_a", "l-_b", "l-_c", "'n d", "'n e")
    tokenizer = learn(nlp, *sentences)
    text = "au l-x 'n"
    expected = words(tokenizer(text))
    assert expected == ["à", "le", "l-", "x", "'n"]
    blank = spacy.blank("xx", config=LEARNING)
    assert words(blank(text)) != expected
    blank.tokenizer = tokenizer
    blank.to_disk(tmp_path / "nlp")
    loaded = spacy.load(tmp_path / "nlp")
    assert words(loaded(text)) == expected
    assert words(spacy.blank("xx", config=LEARNING).from_bytes(blank.to_bytes())(text)) == expected
    assert words(pickle.loads(pickle.dumps(tokenizer))(text)) == expected
    assert [words(doc) for doc in loaded.pipe([text, "du"], n_process=2)] == [expected, ["du"]]
    learn_anew(loaded, read(loaded, "a"))     # a treebank without multi-word tokens
    assert loaded.tokenizer.table == {}


def learn_anew(nlp: Language, doc: Doc) -> None:
    """Initialise a pipeline with one gold Doc."""
    nlp.initialize(lambda: [Example(doc, doc)])


def test_what_was_learnt_stays_where_no_conllu_is_read(nlp: Language) -> None:
    nlp.tokenizer = learn(nlp, "au=à+le jardin")
    learn_anew(nlp, Doc(nlp.vocab, ["à", "le"]))
    assert nlp.tokenizer.table == {"au": ["à", "le"]}


def test_nothing_is_learnt_of_conllu_that_is_no_longer_the_docs(nlp: Language) -> None:
    doc = read(nlp, "va au=à+le jardin")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[:2])
    nlp.tokenizer = TreebankTokenizer(nlp.tokenizer)
    learn_anew(nlp, doc)
    assert nlp.tokenizer.table == {}


def test_it_is_saved_in_a_pipeline_with_spacys_tokenizer(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.tokenizer = learn(nlp, "l-_a", "l-_b", "l-_c", "au=à+le")
    expected = words(nlp.make_doc(f"l-x {QUOTED}"))
    assert expected == ["l-", "x", *words(spacy.blank("en").make_doc(QUOTED))]
    nlp.to_disk(tmp_path)
    assert words(spacy.load(tmp_path).make_doc(f"l-x {QUOTED}")) == expected


def test_spacys_tokenizer_is_saved_in_a_pipeline_with_it(tmp_path: Path) -> None:
    nlp = spacy.blank("en", config=LEARNING)
    nlp.tokenizer = Tokenizer(nlp.vocab)
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert loaded.tokenizer.table == {}
    assert words(loaded.make_doc(QUOTED)) == QUOTED.split()


def test_the_older_format_is_loaded(nlp: Language) -> None:
    tokenizer = learn(nlp, "au=à+le l-_a", "l-_b", "l-_c")
    data = {"table": tokenizer.table, "tokenizer": tokenizer.tokenizer.to_bytes()}
    loaded = spacy.blank("xx", config=LEARNING).tokenizer
    loaded.from_bytes(srsly.msgpack_dumps(data))
    assert words(loaded("au l-x")) == ["à", "le", "l-", "x"]


def test_it_is_saved_above_a_tokenizer_that_is_not_spacys() -> None:
    nlp = spacy.blank("zh")
    data = learn(nlp, "您好=您+好 吗").to_bytes()
    loaded = TreebankTokenizer(spacy.blank("zh").tokenizer).from_bytes(data)
    assert words(loaded("您好")) == ["您", "好"]


def test_it_has_the_attributes_of_the_tokenizer_below(nlp: Language) -> None:
    tokenizer = TreebankTokenizer(nlp.tokenizer)
    tokenizer.add_special_case("ab", [{"ORTH": "a"}, {"ORTH": "b"}])
    assert words(tokenizer("ab")) == ["a", "b"]
    assert [words(doc) for doc in tokenizer.pipe(["ab", "c"])] == [["a", "b"], ["c"]]
    with pytest.raises(AttributeError, match="no_such"):
        _ = tokenizer.no_such


def test_words_of_our_treebank_are_found_as_the_official_evaluation_counts_them() -> None:
    nlp = spacy.blank("en")
    path = DATA / "en_small-train.conllu"
    train = [sentences_to_doc(nlp.vocab, [one]) for one in read_file(path)]
    gold = list(read_file(DATA / "en_small-dev.conllu"))
    scores = []
    for tokenizer in (nlp.tokenizer, TreebankTokenizer(spacy.blank("en").tokenizer)):
        if isinstance(tokenizer, TreebankTokenizer):
            tokenizer.initialize(lambda: [Example(doc, doc) for doc in train], nlp=nlp)
        docs = [tokenizer(text) for text in paragraphs(gold)]
        for doc in docs:
            for token in doc:
                token.head, token.dep_ = doc[0], "dep" if token.i else "ROOT"
        text = "".join(map(doc_to_conllu, docs))
        score = RawParse(gold, read_sentences(text.split("\n"))).scores()["Words"]
        official = udeval.evaluate(
            udeval.load_conllu_file(str(DATA / "en_small-dev.conllu")),
            udeval.load_conllu(StringIO(text), "parse", {}),
        )["Words"]
        assert (score.correct, score.predicted) == (official.correct, official.system_total)
        scores.append(score.f1)
    assert scores[1] >= scores[0]


def test_korean_words_stand_between_spaces() -> None:
    from spacy.lang.ko import Korean
    nlp = Korean.from_config({"nlp": {"lang": "ko", "pipeline": [], "tokenizer": {
        "@tokenizers": "arceager.LanguageTokenizer.v1", "learn": True
    }}, "components": {}}, auto_fill=True)
    assert words(nlp.make_doc("나는 집에 간다.")) == ["나는", "집에", "간다", "."]


def test_rules_of_nothing_change_nothing(nlp: Language) -> None:
    before = nlp.tokenizer.to_bytes()
    learn_rules(nlp.tokenizer, Counter())
    assert nlp.tokenizer.to_bytes() == before
    doc = nlp.make_doc("a b")
    assert split_tokens(doc, {"c": ["d", "e"]}) is doc
    assert create_language_tokenizer()(nlp).to_bytes() == before


def test_other_words_keep_their_norms() -> None:
    nlp = spacy.blank("en")
    nlp.tokenizer = learn(nlp, "We can't=ca+n't go")
    alone, beside = nlp("He’ll come."), nlp("We can't. He’ll come.")
    assert [token.norm_ for token in alone] == ["he", "will", "come", "."]
    assert [token.norm_ for token in beside[4:]] == ["he", "will", "come", "."]
    assert [token.norm_ for token in beside[1:3]] == ["ca", "n't"]     # as read from CoNLL-U


def test_settings_are_those_of_the_tokenizer_below() -> None:
    nlp = spacy.blank("en")
    nlp.tokenizer = tokenizer = learn(nlp, "We don't=do+n't go", "du=de+le pain")
    tokenizer.infix_finditer = re.compile("QQ").finditer
    assert words(nlp.make_doc("fooQQbar")) == ["foo", "QQ", "bar"]
    tokenizer.add_special_case("don't", [{"ORTH": "don't"}])
    assert words(nlp.make_doc("I don't know du")) == ["I", "don't", "know", "de", "le"]
    assert words(pickle.loads(pickle.dumps(tokenizer))("don't fooQQbar du")) == [
        "don't", "foo", "QQ", "bar", "de", "le"
    ]
