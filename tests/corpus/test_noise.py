"""Docs of varying length, and Docs without case or full stops, for training."""

import random
from pathlib import Path

import pytest
import spacy
from thinc.api import Config

from spacy_arceager.corpus.conllu import ConlluSentence, read_file, read_sentences
from spacy_arceager.corpus.conllu.read import read_tolerantly
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.corpus.noise import create_noise, in_lower_case, without_full_stop

DATA = Path(__file__).parents[1] / "data"
TRAIN = DATA / "en_small-train.conllu"
NLP = spacy.blank("xx")


def test_sizes_are_drawn_for_each_doc() -> None:
    random.seed(0)
    examples = list(ConlluCorpus(TRAIN, sentences_per_doc=[1, 3])(NLP))
    sizes = [len(list(example.reference.sents)) for example in examples]
    assert set(sizes) == {1, 2, 3}
    assert sum(sizes) == len(list(read_file(TRAIN)))


@pytest.mark.parametrize("wrong", [0, [0, 2], [3, 1], [1], [1, 2, 3], []])
def test_what_is_no_size_is_refused(wrong) -> None:
    with pytest.raises(ValueError, match="sentences_per_doc"):
        ConlluCorpus(TRAIN, sentences_per_doc=wrong)


def test_words_lose_their_capitals_and_nothing_else() -> None:
    for sentence in read_file(TRAIN):
        lower = in_lower_case(sentence)
        assert [word.form for word in lower.words] == [w.form.lower() for w in sentence.words]
        assert [word.head for word in lower.words] == [word.head for word in sentence.words]
        assert not any(line.startswith("# text =") for line in lower.comments)


def test_a_full_stop_goes_only_where_nothing_needs_it() -> None:
    shorter = 0
    for sentence in read_file(TRAIN):
        found = without_full_stop(sentence)
        if found is sentence:
            continue
        shorter += 1
        assert found.words[:-1] == sentence.words[:-2]
        assert found.words[-1].form == sentence.words[-2].form
        assert sentence.words[-1].upos == "PUNCT"
        assert all(word.head <= len(found.words) for word in found.words)
    assert shorter > 0


@pytest.mark.parametrize(
    "last",
    [
        "2\t.\t.\tPUNCT\t_\t_\t0\troot\t_\t_",           # the root
        "2\tthere\tthere\tADV\t_\t_\t1\tadvmod\t_\t_",   # no punctuation
    ],
)
def test_what_is_needed_stays(tmp_path: Path, last: str) -> None:
    head = 2 if "root" in last else 0
    first = f"1\tGo\tgo\tVERB\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_"
    path = tmp_path / "a.conllu"
    path.write_text(f"# text = Go.\n{first}\n{last}\n\n")
    (sentence,) = read_tolerantly(path)
    assert without_full_stop(sentence) is sentence


def test_what_a_graph_needs_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    for head, goes in (("2", False), ("0", True)):
        path.write_text(
            f"1\tGo\tgo\tVERB\t_\t_\t0\troot\t{head}:root\t_\n"
            "2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_\n\n"
        )
        (sentence,) = read_tolerantly(path)
        assert (len(without_full_stop(sentence).words) == 1) == goes


@pytest.mark.parametrize(
    "setting",
    [{"lower_case": 1.5}, {"no_full_stop": -0.1}, {"both": 1.1}, {"lower_case": 0.6, "both": 0.5}],
)
def test_what_is_no_share_is_refused(setting) -> None:
    with pytest.raises(ValueError, match=next(iter(setting))):
        create_noise(**setting)


def test_a_config_asks_for_noise() -> None:
    config = Config().from_str(
        """
        [train]
        @readers = "arceager.ConlluCorpus.v1"
        sentences_per_doc = [1,4]

        [train.noise]
        @misc = "arceager.doc_noise.v1"
        lower_case = 0.2
        no_full_stop = 0.2
        both = 0.3
        """
    )
    config["train"]["path"] = str(TRAIN)
    corpus = spacy.registry.resolve(config)["train"]
    random.seed(0)
    kinds = set()
    for example in corpus(NLP):
        texts = [sent.text.strip() for sent in example.reference.sents]
        has_case = {not text.islower() for text in texts}
        assert len(has_case) == 1       # the sentences of a Doc are of one kind
        kinds.add((*has_case, any(text.endswith((".", "?", "!")) for text in texts)))
    assert len(kinds) == 4


FULL_STOP = "2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_"
GO = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_"


def sentence_of(*lines: str) -> ConlluSentence:
    (sentence,) = read_sentences(["# text = Go.", "#text=Go.", *lines, ""])
    return sentence


def test_shares_that_make_one_are_taken() -> None:
    create_noise(0.33, 0.56, 0.11)      # their sum as floats is above 1


def test_a_full_stop_goes_with_its_text() -> None:
    found = without_full_stop(sentence_of(GO, FULL_STOP))
    assert [word.form for word in found.words] == ["Go"]
    assert found.comments == []


@pytest.mark.parametrize(
    "lines",
    [
        [GO, FULL_STOP.replace("1\tpunct", "_\t_")],                           # without head
        [GO.replace("0\troot", "2\tx"), FULL_STOP.replace("1\tpunct", "0\troot")],
        [GO.replace("0\troot", "_\t_"), FULL_STOP.replace("1\tpunct", "0\troot")],
        [GO, "2\tnow\t_\tADV\t_\t_\t3\tx\t_\t_",
         FULL_STOP.replace("2\t.", "3\t.")],                                  # now hangs on it
        [GO, "2-3\tnow.\t_\t_\t_\t_\t_\t_\t_\t_", "2\tnow\t_\tADV\t_\t_\t1\tx\t_\t_",
         FULL_STOP.replace("2\t.", "3\t.")],                                  # ends a token
        [GO, FULL_STOP, "2.1\te\t_\t_\t_\t_\t_\t_\t1:x\t_"],                # an empty node after it
        [GO, "1.1\te\t_\t_\t_\t_\t_\t_\t2:x\t_", FULL_STOP],                # one that hangs on it
        [GO.replace("root\t_", "root\t0:root|2:x"), FULL_STOP],               # an arc of a graph
        [FULL_STOP.replace("2\t.", "1\t.").replace("1\tpunct", "0\troot")],  # nothing else
    ],
)
def test_a_full_stop_that_something_needs_stays(lines: list[str]) -> None:
    sentence = sentence_of(*lines)
    assert without_full_stop(sentence) is sentence


@pytest.mark.parametrize("name", ["lower_case", "no_full_stop", "both"])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_so_many_docs_are_changed(name: str, share: float) -> None:
    random.seed(0)
    sentence = sentence_of(GO, FULL_STOP)
    noise = create_noise(**{name: share})
    n_changed = sum(noise([sentence])[0] is not sentence for _ in range(1000))
    # The share may differ from its mean by five standard deviations.
    assert abs(n_changed - 1000 * share) <= 5 * (1000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize(
    ("shares", "forms"),
    [
        ({"lower_case": 1}, ["go", "."]),
        ({"no_full_stop": 1}, ["Go"]),
        ({"both": 1}, ["go"]),
    ],
)
def test_a_doc_loses_what_its_share_says(shares: dict[str, float], forms: list[str]) -> None:
    for changed in create_noise(**shares)([sentence_of(GO, FULL_STOP)] * 2):
        assert [word.form for word in changed.words] == forms


@pytest.mark.parametrize("token", [[], ["1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tTypo=No|SpaceAfter=No"]])
@pytest.mark.parametrize("has_space", [True, False])
def test_the_space_behind_a_full_stop_stays(token: list[str], has_space: bool) -> None:
    stop = "3\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t" + ("_" if has_space else "SpaceAfter=No")
    words = ["1\tde\t_\tADP\t_\t_\t0\troot\t_\t_", "2\tle\t_\tX\t_\t_\t1\tx\t_\tSpaceAfter=No"]
    found = without_full_stop(sentence_of(*token, *words, stop))
    assert len(found.words) == 2
    *_, last = found.surface_tokens()
    assert last.has_space_after == has_space
    for token_of_two in found.multi_word_tokens:
        misc = "Typo=No" if has_space else "Typo=No|SpaceAfter=No"
        assert token_of_two.columns == ["du", *"_______", misc]


def test_multi_word_tokens_lose_their_capitals() -> None:
    sentence = sentence_of(
        "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\tTypo=No", "1\tDe\t_\tADP\t_\t_\t0\troot\t_\t_",
        "2\tle\t_\tDET\t_\t_\t1\tx\t_\t_",
    )
    assert in_lower_case(sentence).multi_word_tokens[0].columns == ["du", *"_______", "Typo=No"]


@pytest.mark.parametrize(("misc", "expected"), [
    ("_", "_"), ("SpaceAfter=No", "_"), ("A=b|SpaceAfter=No|C=d", "A=b|C=d"),
])
def test_a_space_takes_the_place_of_the_full_stop(misc: str, expected: str) -> None:
    found = without_full_stop(sentence_of(GO.removesuffix("_") + misc, FULL_STOP))
    assert [word.misc for word in found.words] == [expected]
