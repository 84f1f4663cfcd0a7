"""The page and the drawings are complete, and safe whatever the words are."""

import base64
import hashlib
import json
import re
from xml.etree import ElementTree

import pytest

from spacy_arceager.systems import arc_eager, arc_hybrid, easy_first
from spacy_arceager.visual.figure import lifetimes
from spacy_arceager.visual.page import DerivationPage
from tests.conftest import Trained, get_parser, unparsed
from tests.visual.views import NASTY, oracle_view

SVG = "{http://www.w3.org/2000/svg}"


def data_of(html: str) -> list[dict]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)
    return json.loads(text)


def test_a_page_is_one_file_that_needs_no_other() -> None:
    html = DerivationPage([[oracle_view()]]).to_html()
    urls = set(re.findall(r"https?://[^\s\"'<)]+", html))
    assert urls <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|href)\s*=(?! `#)|@import|url\(", html)
    (digest,) = re.findall(r"script-src 'sha256-([^']+)'", html)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert base64.b64decode(digest) == hashlib.sha256(script.encode()).digest()
    assert "default-src 'none'" in html


def test_sentences_without_words_are_left_out() -> None:
    empty = DerivationPage([[], []])
    assert empty._repr_html_() == "<p>There is no derivation to show.</p>"
    with pytest.raises(ValueError, match="no derivation"):
        empty.to_html()
    page = DerivationPage([[], [oracle_view()]])
    assert page.title == "She reads good books" and len(data_of(page.to_html())) == 1


def test_the_data_are_the_derivation() -> None:
    view = oracle_view()
    ((one,),) = (sentence["views"] for sentence in data_of(DerivationPage([[view]]).to_html()))
    assert one["names"] == ["She", "reads", "good", "books", "ROOT"]
    assert one["roots"] == [1] and one["wrong"] == [] and one["judged"] and not one["scored"]
    for step, found in zip(view.derivation.steps, one["steps"], strict=True):
        assert found["stack"] == step.stack and found["buffer"] == step.buffer
        assert found["arcs"] == [list(arc) for arc in step.arcs]


def test_sentences_and_systems_side_by_side() -> None:
    views = [oracle_view(system) for system in (arc_eager(), arc_hybrid(), easy_first())]
    html = DerivationPage([views, views[:1]], title="A & B").to_html()
    assert [len(sentence["views"]) for sentence in data_of(html)] == [3, 1]
    assert html.count("<article") == 4 and "<title>A &amp; B</title>" in html
    assert html.count("<option") == 2


def test_the_sentence_is_shown_as_it_was_written(english: Trained) -> None:
    nlp = english.copy()
    doc = nlp.make_doc("They don't sleep.\n They  eat.")
    doc[5].is_sent_start = True
    page = get_parser(nlp).derivation_page([doc])
    assert page.title == "They don't sleep. (and 1 more)"
    html = page.to_html()
    assert re.findall(r"<option .*>(.*)</option>", html) == [
        "1: They don&#39;t sleep.", "2: They eat."
    ]
    view = oracle_view()
    assert view.text == "She reads good books" and DerivationPage([[view]]).title == view.text


def test_the_legend_explains_the_transitions_of_the_page() -> None:
    html = DerivationPage([[oracle_view()]]).to_html()
    moves = re.findall(r'<dt id="(.*?)" tabindex="-1">(.*?)</dt><dd>(.+?)</dd>', html)
    assert [move for move, _, _ in moves] == ["SHIFT", "LEFT", "RIGHT", "REDUCE"]
    assert [name for _, name, _ in moves][1:3] == ["LEFT-ARC", "RIGHT-ARC"]


def test_nothing_of_a_text_gets_into_the_page_as_markup() -> None:
    view = oracle_view(words=NASTY, label="<u>&")
    html = DerivationPage([[view]], title="<i>").to_html()
    assert html.count("<script") == 2 and html.count("</script>") == 2
    for markup in ("<img", "<u>", "<i>", "<b>", "\x00"):
        assert markup not in html
    names = data_of(html)[0]["views"][0]["names"]
    assert names[:2] == NASTY[:2] and "\\x00" in names[3]
    srcdoc = DerivationPage([[view]])._repr_html_()
    assert srcdoc.count("<") == 2 and srcdoc.count('"') == 8


@pytest.mark.parametrize(
    "words", [("She", "reads", "good", "books"), NASTY, ["日本", "ﷺ", "é", "א"]]
)
def test_a_drawing_of_each_step(words: list[str]) -> None:
    view = oracle_view(words=words)
    page = DerivationPage([[view]])
    for number in range(len(view.derivation.steps)):
        tree = ElementTree.fromstring(page.to_svg(number))
        there = [life for life in lifetimes(view) if life.is_there(number)]
        arcs = [group for group in tree.iter(f"{SVG}g") if "arc" in group.get("class", "").split()]
        assert len(arcs) == len(there)
        assert [arc.find(f"{SVG}text").text for arc in arcs] == ["x"] * len(there)
        assert f"step {number}:" in tree.find(f"{SVG}title").text
        shown = [text for text in tree.iter(f"{SVG}text") if text.get("class") == "word"]
        assert len(shown) == 4
    assert page.to_svg() == page.to_svg(number)
    with pytest.raises(IndexError, match="There is no derivation 0 of a sentence 99"):
        page.to_svg(sentence=99)
    with pytest.raises(IndexError, match=f"There is no step {number + 1}"):
        page.to_svg(number + 1)


def test_a_page_without_derivations() -> None:
    with pytest.raises(ValueError, match="There is no derivation"):
        DerivationPage([]).to_html()


def test_the_page_of_a_parser(english: Trained) -> None:
    nlp = english.copy()
    docs = unparsed(english, nlp)[:2]
    html = get_parser(nlp).derivation_page(docs).to_html()
    sentences = data_of(html)
    assert len(sentences) == 2 and sentences[0]["views"][0]["scored"]
    taken = [
        choice["probability"]
        for step in sentences[0]["views"][0]["steps"] for choice in step["choices"]
        if choice["taken"] and choice["probability"] is not None
    ]
    assert taken and all(0 < probability <= 1 for probability in taken)
