"""A parser's own derivations: what it did, and that doing it again gives the same parse."""

from dataclasses import replace

import numpy
import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import fix_random_seed

from spacy_arceager.annotation.projective import deprojectivized
from spacy_arceager.corpus.conllu import read_sentences, sentence_to_doc, without_annotation
from spacy_arceager.decoding.decoder import ScoredDerivation
from spacy_arceager.errors import ConstraintError
from spacy_arceager.formats.derivations.text import to_text
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.pipe.derived import Gold, describe
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.visual import trace
from tests.conftest import (
    WIDE_MODEL,
    Trained,
    blank_pipeline,
    get_parser,
    randomise,
    read_corpus,
    train,
    unparsed,
)

ROOT = "ROOT"


def rebuilt(parser: ArcEagerParser, doc: Doc, derivation: ScoredDerivation) -> list[tuple]:
    """(token, head, label) of the tree that the steps make, its lifted arcs put back."""
    configuration = parser.system.initial(len(derivation.words))
    for step in derivation.steps:
        configuration.apply(step.transition, step.label)
    assert configuration.is_terminal
    heads, labels = configuration.tree(), configuration.labels
    names = [ROOT if head == word else labels[word] or "" for word, head in enumerate(heads)]
    heads, names = deprojectivized(doc.vocab, numpy.asarray(heads, "i"), names)
    words = derivation.words
    return [(words[i], words[head], name) for i, (head, name) in enumerate(zip(heads, names))]


def assert_derives_the_parse(nlp: Language, docs: list[Doc]) -> list[list[ScoredDerivation]]:
    parser = get_parser(nlp)
    found = parser.derivations(docs)
    assert not any(doc.has_annotation("DEP") for doc in docs if len(doc))
    for doc, derivations, parsed in zip(docs, found, nlp.pipe(doc.copy() for doc in docs)):
        trees = [arc for derivation in derivations for arc in rebuilt(parser, doc, derivation)]
        assert trees == [(t.i, t.head.i, t.dep_) for t in parsed if not t.is_space]
        assert all(derivation.score <= 0 for derivation in derivations)
    return found


@pytest.mark.parametrize("width", [None, 4])
def test_a_derivation_makes_the_parse(german: Trained, width: int | None) -> None:
    nlp = german.copy()
    get_parser(nlp).beam = BeamSettings(width) if width else None
    found = assert_derives_the_parse(nlp, unparsed(german, nlp))
    lifted = [step for one in found for d in one for step in d.steps if "||" in (step.label or "")]
    assert lifted


def test_sentences_of_a_doc_have_one_each(english: Trained) -> None:
    nlp = english.copy()
    doc = Doc(nlp.vocab, words=["She", "left", "\n", "He", "stayed", "."])
    for token in doc:
        token.is_sent_start = token.i in (0, 3)
    found = assert_derives_the_parse(nlp, [doc, Doc(nlp.vocab, words=[]), doc.copy()])
    assert [[derivation.words for derivation in one] for one in found] == [
        [[0, 1], [3, 4, 5]], [], [[0, 1], [3, 4, 5]],
    ]


def test_boundaries_that_the_parser_finds() -> None:
    system = {"@misc": "arceager.arc_eager.v1", "segment": True}
    nlp = blank_pipeline(system=system, model=WIDE_MODEL)
    examples = read_corpus(nlp, "en_small-train.conllu", limit=40, sentences_per_doc=4)
    train(nlp, examples, 3)
    found = assert_derives_the_parse(nlp, [example.predicted for example in examples])
    names = [str(step.transition) for (derivation,) in found for step in derivation.steps]
    assert "BREAK" in names and "UNSHIFT" in names


def test_greedy_and_a_beam_of_one_agree(english: Trained) -> None:
    nlp = english.copy()
    docs = unparsed(english, nlp)
    parser = get_parser(nlp)
    greedy = parser.derivations(docs)
    parser.beam = BeamSettings(1)
    for (one,), (other,) in zip(greedy, parser.derivations(docs)):
        assert one.steps == other.steps
        assert one.score == pytest.approx(other.score, abs=1e-4)
    trees = parser.k_best(docs[0], width=1)
    assert trees[0][0].score == pytest.approx(greedy[0][0].score, abs=1e-4)


def test_fixed_arcs_hold_in_the_derivation(english: Trained) -> None:
    nlp = english.copy()
    doc = unparsed(english, nlp)[0]
    root = next(token.i for token in nlp(doc.copy()) if token.dep_ == ROOT)
    fixed = next(i for i in range(len(doc)) if i != root)
    doc._.arceager_fixed_arcs = [(fixed, fixed)]
    ((derivation,),) = get_parser(nlp).derivations([doc])
    tree = {word: head for word, head, _ in rebuilt(get_parser(nlp), doc, derivation)}
    assert tree[fixed] == fixed != root
    doc._.arceager_fixed_arcs = [(0, 2), (1, 3), (2, 0)]
    with pytest.raises(ConstraintError):
        get_parser(nlp).derivations([doc])


def test_arcs_that_are_lifted_for_a_derivation_are_named(english: Trained) -> None:
    parser = get_parser(english.nlp)
    doc = Doc(english.nlp.vocab, words=["x", "a", "b", "c", "d"],
              sent_starts=[True, True, False, False, False])
    doc._.arceager_fixed_arcs = [(1, 3), (2, 4), (3, 3), (4, 3)]
    free, fixed = describe(parser.system, doc, *parser.derivations([doc]))
    assert free.lifted_words(free.trace()) == [] == [*free.view().lifted]
    assert fixed.lifted_words(fixed.trace()) == [1] == [*fixed.view().lifted]
    assert parser.derivation_page([doc]).to_html().count('"lifted": [1]') == 1
    assert "fixed" not in to_text(1, free, ascii_only=False)
    last = to_text(2, fixed, ascii_only=False).rstrip("\n").splitlines()[-1]
    assert last == (
        "arc_eager does not derive the fixed tree, so arcs are lifted here. The parse keeps the "
        "fixed heads of these words: b"
    )


@pytest.mark.parametrize("segment", [False, True])
def test_what_a_parser_splits_itself_is_called_a_document(segment: bool) -> None:
    nlp = blank_pipeline(system={"@misc": "arceager.arc_eager.v1", "segment": segment})
    nlp.initialize()
    parser, doc = get_parser(nlp), Doc(nlp.vocab, words=["She", "left"], sent_starts=[True, False])
    (derived,) = describe(parser.system, doc, *parser.derivations([doc]))
    unit = "document" if segment else "sentence"
    assert to_text(3, derived, ascii_only=False).startswith(f"# {unit} 3, arc_eager")
    with_gold = derived._replace(gold=Gold([1, 1], ["x", None], False))
    assert to_text(3, with_gold, ascii_only=False).startswith("# sentence 3, arc_eager")


def test_repairs_and_unshift_are_shown() -> None:
    system = {"@misc": "arceager.named_system.v1", "name": "arc_eager_nm"}
    nlp = blank_pipeline(system=system)
    examples = read_corpus(nlp, "en_small-train.conllu", limit=12)
    fix_random_seed(0)
    nlp.initialize(lambda: examples)
    parser = get_parser(nlp)
    derivations = []
    for seed in range(12):      # together they do everything that is legal
        randomise(parser.model.get_ref("scoring"), seed)
        docs = [example.predicted for example in examples]
        derivations += assert_derives_the_parse(nlp, docs)
    steps = [
        step
        for (derivation,) in derivations
        for step in trace(
            parser.system, len(derivation.words),
            [(step.transition, step.label) for step in derivation.steps],
        ).steps
    ]
    assert any(step.lost for step in steps)
    assert any(step.arcs for step in steps if step.transition == "REDUCE")
    assert any(step.transition == "UNSHIFT" for step in steps)


def test_a_parser_trained_with_a_beam_scores_by_sums(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    docs = unparsed(english, nlp)[:1]
    parser.beam = replace(BeamSettings(3), update="early")
    ((derivation,),) = parser.derivations(docs)
    scores = [step.taken.score for step in derivation.steps if step.taken]
    assert derivation.score == pytest.approx(sum(scores), rel=1e-5)


def test_a_sentence_of_white_space_is_left_out(english: Trained) -> None:
    parser = get_parser(english.nlp)
    doc = Doc(english.nlp.vocab, words=["She", "left", "\n", "They", "came"],
              sent_starts=[True, False, True, True, False])
    derived = describe(parser.system, doc, *parser.derivations([doc]))
    assert [one.words for one in derived] == [["She", "left"], ["They", "came"]]
    page = parser.derivation_page([doc])
    assert [views[0].words[:-1] for views in page.sentences] == [["She", "left"], ["They", "came"]]


def test_multi_word_tokens_have_their_own_forms_in_the_text(english: Trained) -> None:
    parser = get_parser(english.nlp)
    (sentence,) = read_sentences([
        "# text = Va au jardin", "1\tVa\t_\t_\t_\t_\t0\troot\t_\t_",
        "2-3\tau\t_\t_\t_\t_\t_\t_\t_\t_", "2\tà\t_\t_\t_\t_\t4\tcase\t_\t_",
        "3\tle\t_\t_\t_\t_\t4\tdet\t_\t_", "4\tjardin\t_\t_\t_\t_\t1\tobl\t_\tSpaceAfter=No", "",
    ])
    doc = without_annotation(sentence_to_doc(english.nlp.vocab, sentence))
    (derived,) = describe(parser.system, doc, *parser.derivations([doc]))
    assert derived.text == "Va au jardin"
    assert parser.derivation_page([doc]).title == "Va au jardin"
