"""What the pipeline makes of a text is what it makes of it elsewhere, under the constraints."""

import re
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.multi_word import set_multi_word_token
from spacy_arceager.formats.k_best import KBest
from spacy_arceager.serve.errors import ServeError
from spacy_arceager.serve.limits import Limits
from spacy_arceager.serve.pipeline import ServedPipeline
from spacy_arceager.serve.schema import ParseRequest
from spacy_arceager.serve.udpipe.service import process
from tests.conftest import PARSER, TINY_MODEL, blank_pipeline, get_parser

TEXT = "She saw the man with a telescope.\nNobody read them."


def ask(**settings: Any) -> ParseRequest:
    return ParseRequest(**{"text": TEXT, **settings})


def heads(answer: Any) -> dict[int, int]:
    return {word.index: word.head for one in answer.sentences for word in one.words}


def test_the_answer_is_the_parse(pipeline: ServedPipeline, nlp: Any) -> None:
    answer = pipeline.parse(ask(k_best=2))
    doc = nlp(TEXT)
    words = [word for sentence in answer.sentences for word in sentence.words]
    assert [
        (w.index, w.text, w.lemma, w.upos, w.xpos, w.feats, w.head, w.label) for w in words
    ] == [
        (t.i, t.text, t.lemma_, t.pos_, t.tag_, str(t.morph), t.head.i, t.dep_)
        for t in doc if not t.is_space
    ]
    assert [w.head_confidence for w in words] == [
        t._.arceager_confidence for t in doc if not t.is_space
    ]
    assert [one.confidence for one in answer.sentences] == [
        sent._.arceager_confidence for sent in doc.sents
    ]
    assert [one.text for one in answer.sentences] == TEXT.split("\n")
    best = list(KBest(pipeline.parser, 2).find(doc))
    assert [[(tree.heads, tree.labels, tree.scores) for tree in one.trees]
            for one in answer.sentences] == [
        [(one.tree.heads, one.tree.labels, one.scores) for one in trees] for trees in best
    ]
    assert all(one.drawing is None for one in answer.sentences)
    rows = re.findall(r"^\d+\t(\S+).*\n", answer.conllu, re.MULTILINE)
    assert rows == [word.text for word in words]


def test_what_is_fixed_or_forbidden_holds(pipeline: ServedPipeline) -> None:
    free = heads(pipeline.parse(ask()))
    assert free[6] == 1
    fixed = pipeline.parse(ask(fixed=[{"word": 6, "head": 3, "label": "nmod"}]))
    assert heads(fixed)[6] == 3
    assert fixed.sentences[0].words[6].label == "nmod"
    assert heads(pipeline.parse(ask(forbidden=[{"word": 6, "head": 1}])))[6] != 1
    labelled = pipeline.parse(ask(fixed=[{"word": 3, "label": "iobj"}]))
    assert labelled.sentences[0].words[3].label == "iobj"
    assert heads(pipeline.parse(ask(fixed=[{"word": 3, "head": 3}])))[3] == 3
    assert heads(pipeline.parse(ask())) == free     # nothing is remembered


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fixed": [{"word": 99, "head": 0}]}, "tokens from 0 to"),
        ({"fixed": [{"word": 0}]}, "is not"),
        ({"fixed": [{"word": 0, "head": 10}]}, "crosses a sentence boundary"),
        ({"fixed": [{"word": 0, "head": 1, "label": "nsbj"}]}, "Do you mean 'nsubj'"),
        ({"fixed": [{"word": 0, "head": 1}, {"word": 1, "head": 0}]}, "have a cycle"),
        ({"text": "word " * 1001}, "1,001 words. Send at most 1,000"),
        ({"text": "a" * 1001}, "without white space"),
        ({"text": "a " * 5001}, "10,002 characters"),
    ],
)
def test_what_cannot_be_met_is_refused(
    pipeline: ServedPipeline, settings: Any, message: str
) -> None:
    for answer in (pipeline.parse, pipeline.derive):
        with pytest.raises(ServeError, match=message) as caught:
            answer(ask(**settings))
        assert caught.value.status == (413 if "text" in settings else 422)


def test_a_message_about_very_many_arcs_is_cut(pipeline: ServedPipeline) -> None:
    fixed = [{"word": word, "label": "obj"} for word in range(300)]
    with pytest.raises(ServeError, match="Found no tree") as caught:
        pipeline.parse(ask(text="word " * 300, fixed=fixed))
    assert len(caught.value.message) < 1_100


def test_a_derivation_page_follows_the_constraints(pipeline: ServedPipeline) -> None:
    page = pipeline.derive(ask(fixed=[{"word": 6, "head": 3}]))
    assert page.startswith("<!doctype html>") and "She saw the man" in page
    assert page != pipeline.derive(ask())
    with pytest.raises(ServeError, match="no derivation"):
        pipeline.derive(ask(text=" \n"))


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_a_text_without_words_has_no_sentence(pipeline: ServedPipeline, text: str) -> None:
    answer = pipeline.parse(ask(text=text, k_best=2, draw="down"))
    assert (answer.sentences, answer.conllu) == ([], "")


def test_multi_word_tokens_are_words_of_the_parse_and_forms_of_the_text() -> None:
    nlp = blank_pipeline("fr")
    get_parser(nlp).add_label("dep")
    nlp.initialize()
    make_doc = nlp.make_doc

    def split_au(text: str) -> Doc:
        (at,) = [token.i for token in make_doc(text) if token.text == "au"]
        words = [token.text for token in make_doc(text)]
        doc = Doc(nlp.vocab, [*words[:at], "à", "le", *words[at + 1:]])
        set_multi_word_token(doc[at:at + 2], "au")
        return doc

    nlp.make_doc = split_au     # type: ignore[method-assign]
    served = ServedPipeline(nlp, "fr", Limits())
    (sentence,) = served.parse(ask(text="Va au jardin", draw="down")).sentences
    assert sentence.text == "Va au jardin"
    assert [word.text for word in sentence.words] == ["Va", "à", "le", "jardin"]
    assert "<h1 dir=\"auto\">Va au jardin</h1>" in served.derive(ask(text="Va au jardin"))
    served_text = process(served, {
        "data": "Va au jardin", "tokenizer": "ranges", "output": "conllu", "parser": ""
    })["result"]
    assert "2-3\tau\t_\t_\t_\t_\t_\t_\t_\tTokenRange=3:5\n" in served_text


def test_strings_of_texts_are_forgotten(pipeline: ServedPipeline, nlp: Any) -> None:
    pipeline.parse(ask())
    before = len(nlp.vocab.strings)
    pipeline.parse(ask(text="Zxqvrty brgl wxzzt."))
    assert len(nlp.vocab.strings) == before


def test_pipelines_that_cannot_be_served() -> None:
    with pytest.raises(ValueError, match="no arceager_parser"):
        ServedPipeline(spacy.blank("xx"), "xx", Limits())
    nlp = spacy.blank("xx")
    nlp.add_pipe(PARSER, config={"system": "dag", "model": TINY_MODEL})
    with pytest.raises(ValueError, match="builds graphs"):
        ServedPipeline(nlp, "xx", Limits())
