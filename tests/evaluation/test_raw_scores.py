"""Scores of raw text: those of the official evaluation, with other tokens and multi-word tokens."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from udtools import udeval

from spacy_arceager.corpus.conllu import ConlluSentence, read_file, read_sentences
from spacy_arceager.evaluation.breakdown import by_label
from spacy_arceager.evaluation.outcomes import DifferentWordsError
from spacy_arceager.evaluation.raw_alignment import (
    common_subsequence,
    paragraphs,
    starts_paragraph,
)
from spacy_arceager.evaluation.raw_scores import RawParse
from tests.conftest import DATA

LETTERS = "ab"
LABELS = ["nsubj", "case", "obl:agent", "punct", "det", "mark"]
TAGS = ["NOUN", "ADP", "VERB"]
FEATS = ["_", "Case=Nom", "Case=Nom|Own=Yes", "Number=Sing"]


def official(gold: str, parse: str) -> dict[str, Any]:
    return udeval.evaluate(*(
        udeval.load_conllu(StringIO(text), "text", {}) for text in (gold, parse)
    ))


def read(text: str) -> list[ConlluSentence]:
    return list(read_sentences(text.split("\n")))


@st.composite
def treebanks(draw: st.DrawFn, text: str) -> str:
    """CoNLL-U of a text, with random sentences, tokens, multi-word tokens, columns and trees."""
    rest, lines = text, []
    while rest:
        n_words = 0
        for _ in range(draw(st.integers(1, 4))):
            size = draw(st.integers(1, 3))
            token, rest = rest[:size], rest[size:]
            if not token:
                break
            n_parts = draw(st.sampled_from([1, 1, 1, 2, 3]))
            if n_parts > 1:
                columns = [f"{n_words + 1}-{n_words + n_parts}", token, *"________"]
                lines.append("\t".join(columns))
            forms = [token] if n_parts == 1 else draw(
                st.lists(st.text(LETTERS, min_size=1, max_size=2), min_size=n_parts,
                         max_size=n_parts)
            )
            for form in forms:
                n_words += 1
                head = draw(st.integers(1, n_words - 1)) if n_words > 1 else 0
                lines.append("\t".join([
                    str(n_words), form, draw(st.sampled_from(["_", "a", "b"])),
                    draw(st.sampled_from(TAGS)), draw(st.sampled_from(["x", "y"])),
                    draw(st.sampled_from(FEATS)), str(head),
                    draw(st.sampled_from(LABELS)) if head else "root", "_", "_",
                ]))
        lines.append("")
    return "\n".join(lines) + "\n"


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    text = draw(st.text(LETTERS, min_size=1, max_size=14))
    return draw(treebanks(text)), draw(treebanks(text))


@given(pairs())
@settings(max_examples=400, deadline=None)
def test_all_scores_are_those_of_the_official_evaluation(pair: tuple[str, str]) -> None:
    gold, parse = pair
    expected = official(gold, parse)
    for name, score in RawParse(read(gold), read(parse)).scores().items():
        theirs = expected[name]
        assert (score.correct, score.gold, score.predicted) == (
            theirs.correct, theirs.gold_total, theirs.system_total
        ), name
        assert score.f1 == pytest.approx(theirs.f1, abs=1e-9)
        assert score.precision == pytest.approx(theirs.precision, abs=1e-9)
        assert score.recall == pytest.approx(theirs.recall, abs=1e-9)
        if name != "Words":     # the official evaluation gives no accuracy of alignment itself
            assert (score.aligned_accuracy or 0) == pytest.approx(theirs.aligned_accuracy or 0)


@given(pairs())
@settings(max_examples=100, deadline=None)
def test_outcomes_and_kinds_add_up_to_the_scores(pair: tuple[str, str]) -> None:
    parse = RawParse(*map(read, pair))
    scores = parse.scores()
    for measure in ("uas", "las"):
        assert parse.outcomes(measure).right.sum() == scores[measure.upper()].correct
    assert parse.outcomes("las_full").right.sum() <= scores["LAS"].correct
    assert len(set(parse.outcomes().sentence)) == len(read(pair[0]))
    groups = by_label([parse.arcs()])
    right = sum(row.gold * row.recall for row in groups if row.recall)
    assert right == pytest.approx(scores["LAS"].correct)


def test_the_words_of_multi_word_tokens_are_aligned_by_their_forms() -> None:
    rows = {
        "1-2": "du", "1": "de", "2": "le", "3": "chat",
    }
    gold = "".join(
        f"{i}\t{form}" + "\t_" * 8 + "\n" if "-" in i else
        f"{i}\t{form}\t_\tX\t_\t_\t{0 if i == '3' else 3}\t{'root' if i == '3' else 'dep'}\t_\t_\n"
        for i, form in rows.items()
    ) + "\n"
    parse = "1\tdu\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tchat\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    scores = RawParse(read(gold), read(parse)).scores()
    assert scores["Tokens"].f1 == 1
    assert (scores["Words"].correct, scores["Words"].gold, scores["Words"].predicted) == (1, 3, 2)
    assert scores["LAS"].correct == 1


@pytest.mark.parametrize("token, correct", [("1-2\tdela" + "\t_" * 8 + "\n", 1), ("", 2)])
def test_spaces_in_forms_count_in_multi_word_tokens_alone(token: str, correct: int) -> None:
    gold, parse = (
        f"{token}1\tde\t_\tX\t_\t_\t2\tcase\t_\t_\n"
        f"2\t{form}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for form in ("l a", "la")
    )
    assert RawParse(read(gold), read(parse)).scores()["Words"].correct == correct
    assert official(gold, parse)["Words"].correct == correct


def test_other_texts_are_refused_with_the_place() -> None:
    gold = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    message = "from character 2 on, .*: 'b' in the treebank, 'c' in the parse"
    with pytest.raises(DifferentWordsError, match=message):
        RawParse(read(gold), read(gold.replace("ab", "ac")))


def test_paragraphs_begin_where_the_treebank_says() -> None:
    sentence = "1\tab\t_\tX\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t.\t_\tX\t_\t_\t1\tpunct\t_\t_\n\n"
    text = (
        "# newdoc id = a\n" + sentence + "# newpar\n" + sentence + "# text = newdoc\n" + sentence
    )
    assert list(paragraphs(read(text))) == ["ab.", "ab. ab."]
    assert list(paragraphs([])) == []


@pytest.mark.parametrize("comment, is_start", [
    ("# newdoc", True), ("# newdoc id = x", True), ("#newpar id=3", True), ("# newpar", True),
    ("# text = newpar", False), ("# newdocument = 1", False), ("# sent_id = newdoc", False),
])
def test_comments_that_begin_paragraphs(comment: str, is_start: bool) -> None:
    assert starts_paragraph(comment) is is_start


def test_raw_text_of_our_treebanks_has_all_characters() -> None:
    for path in sorted(Path(DATA).glob("*.conllu")):
        sentences = list(read_file(path))
        forms = RawParse(sentences, sentences)
        assert all(score.f1 in (0, 1) for score in forms.scores().values())
        assert "".join("".join(paragraphs(sentences)).split()) == forms.gold.text.characters


@pytest.mark.parametrize("first, second, expected", [
    ("", "ab", []), ("ab", "ab", [(0, 0), (1, 1)]), ("abc", "bc", [(1, 0), (2, 1)]),
    ("ab", "ba", [(1, 0)]), ("xay", "zay", [(1, 1), (2, 2)]),
])
def test_common_subsequence(first: str, second: str, expected: list[tuple[int, int]]) -> None:
    assert list(common_subsequence(first, second)) == expected


def sentence_of(*rows: tuple[str, str, str]) -> list[ConlluSentence]:
    """A sentence of words with these forms, heads and relations."""
    return read("".join(
        f"{i}\t{form}\t_\tX\t_\t_\t{head}\t{deprel}\t_\t_\n"
        for i, (form, head, deprel) in enumerate(rows, 1)
    ) + "\n")


def test_words_that_the_parse_gives_no_head_are_wrong() -> None:
    gold = sentence_of(("cat", "0", "root"), ("the", "3", "det"), ("mat", "1", "obl"))
    bare = sentence_of(("cat", "_", "root"), ("the", "_", "det"), ("mat", "_", "obl"))
    parse = RawParse(gold, bare)
    assert parse.scores()["UAS"] == (0, 3, 3, 3)
    assert not parse.outcomes("uas").right.any()
    assert parse.arcs().predicted == {}
    partial = sentence_of(("cat", "0", "root"), ("the", "_", "det"), ("mat", "1", "obl"))
    scores = RawParse(gold, partial).scores()
    assert scores["UAS"].correct == 2
    assert scores["MLAS"].correct == 1      # the article does not hang on "mat"


def test_gold_words_without_a_head_are_left_out_of_the_arcs() -> None:
    gold = sentence_of(("a", "0", "root"), ("b", "_", "_"), ("c", "1", "dep"), ("d", "1", "dep"))
    parse = RawParse(gold, sentence_of(("a", "0", "root"), ("b", "3", "dep"), ("cd", "1", "dep")))
    arcs = parse.arcs()
    assert arcs.gold.keys() == {0, 2, 3} and arcs.sentences == [[0, 2, 3]]
    assert arcs.predicted == {0: (0, "root")} and arcs.n_predicted == 2


def test_a_head_that_is_no_gold_word_is_minus_one() -> None:
    gold = sentence_of(("a", "0", "root"), ("b", "1", "dep"), ("c", "1", "dep"))
    parse = RawParse(gold, sentence_of(("ab", "0", "root"), ("c", "1", "dep")))
    assert parse.arcs().predicted == {2: (-1, "dep")}
    assert parse.arcs().n_predicted == 2
    assert parse.arcs().sentences == [[0, 1, 2]]
