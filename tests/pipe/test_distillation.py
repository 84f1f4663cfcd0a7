"""Learning from teachers: the target, its gradient, and that a parser becomes like its teacher."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.training import Example
from spacy.util import fix_random_seed, registry

from spacy_arceager.network.scoring import find_scoring, get_weights, score_recorded
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.pipe.distillation import Distillation, Teacher, probabilities
from spacy_arceager.search.rollout import RollOut
from tests.conftest import (
    WIDE_MODEL,
    Trained,
    blank_pipeline,
    float_scorer,
    get_parser,
    parse_words,
    read_corpus,
    train,
)

CORPUS = "en_small-train.conllu"


def roll_out(nlp: Language, examples: list[Example], drop: float = 0.0) -> tuple[Any, RollOut]:
    """What a parser's next update would record, and the words that it parses."""
    parser = get_parser(nlp)
    gold = parser.target.gold_batch(examples, parser.non_projective)
    words = parser.model.predict([eg.predicted for eg in examples])[gold.rows]
    scoring = find_scoring(parser.model, parser.system, parser.name)
    return gold.rows, parser.roll_out(float_scorer(scoring), words, gold.trees, drop)


def callback(path: str | Path, **kwargs: Any) -> Callable[[Language, dict], None]:
    return registry.callbacks.get("arceager.teachers.v1")([str(path)], **kwargs)


def student(examples: list[Example]) -> Language:
    nlp = blank_pipeline(model=WIDE_MODEL)
    fix_random_seed(1)
    nlp.initialize(lambda: examples)
    return nlp


def test_recorded_configurations_are_scored_as_in_the_roll_out(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)[:20]
    words, rollout = roll_out(nlp, examples)
    scores = Teacher(nlp).scores(examples, words, rollout)
    assert scores.shape == rollout.scores.shape
    numpy.testing.assert_allclose(scores, rollout.scores, rtol=1e-3, atol=1e-3)
    # Another order of the words is another score.
    weights = get_weights(get_parser(nlp).model.get_ref("scoring"))
    vectors = get_parser(nlp).model.predict([eg.predicted for eg in examples])[words]
    moved = replace(rollout, word_rows=numpy.roll(rollout.word_rows, 1, axis=1))
    assert not numpy.allclose(score_recorded(weights, vectors, moved), scores, atol=0.1)


def test_the_gradient_is_that_of_the_cross_entropy(english: Trained) -> None:
    nlp = student(english.examples)
    examples = english.read(nlp)[:5]
    words, rollout = roll_out(nlp, examples)
    teacher = Teacher(english.nlp)
    unsure = (rollout.d_scores != 0).any(axis=1)
    legal = rollout.d_scores[unsure] != 0
    wanted = probabilities(teacher.scores(examples, words, rollout)[unsure], legal)
    found = Distillation([teacher], 1.0).gradient(examples, words, rollout)
    assert not found[~unsure].any()
    found = found[unsure]

    def loss(scores: numpy.ndarray) -> float:
        own = probabilities(scores, legal)
        return -float((wanted[legal] * numpy.log(own[legal])).sum())

    scores = rollout.scores[unsure].astype("float64")
    for row, column in list(zip(*numpy.nonzero(legal), strict=True))[::7]:
        step = numpy.zeros_like(scores)
        step[row, column] = 1e-4
        slope = (loss(scores + step) - loss(scores - step)) / 2e-4
        assert found[row, column] == pytest.approx(slope, abs=1e-3)
    assert not found[~legal].any()
    assert numpy.abs(found).max() > 0.1


def test_the_weight_divides_between_teachers_and_oracle(english: Trained) -> None:
    nlp = student(english.examples)
    examples = english.read(nlp)[:5]
    words, rollout = roll_out(nlp, examples)
    teachers = [Teacher(english.nlp), Teacher(nlp)]

    def gradient(weight: float, some: list[Teacher] = teachers) -> numpy.ndarray:
        return Distillation(some, weight).gradient(examples, words, rollout)

    assert (gradient(0.0) == rollout.d_scores).all()
    numpy.testing.assert_allclose(
        gradient(0.25), 0.75 * rollout.d_scores + 0.25 * gradient(1.0), atol=1e-6)
    # A parser is its own teacher: nothing to learn.
    numpy.testing.assert_allclose(gradient(1.0, teachers[1:]), 0, atol=1e-3)
    numpy.testing.assert_allclose(
        gradient(1.0), (gradient(1.0, teachers[:1]) + gradient(1.0, teachers[1:])) / 2, atol=1e-5)


def relabelled(nlp: Language) -> list[Example]:
    """Trees in which subjects are objects and objects subjects."""
    examples = read_corpus(nlp, CORPUS, limit=64)
    for example in examples:
        for token in example.reference:
            token.dep_ = {"nsubj": "obj", "obj": "nsubj"}.get(token.dep_, token.dep_)
    return examples


@pytest.mark.parametrize(("weight", "lowest", "highest"), [(1.0, 0.8, 1.0), (0.0, 0.0, 0.3)])
def test_a_parser_becomes_like_its_teacher(
    english: Trained, saved: str, weight: float, lowest: float, highest: float
) -> None:
    # Subjects and objects have other labels in the trees than from the teacher, who is followed
    # where its weight is 1; where it is 0, the trees are.
    nlp = blank_pipeline(model=WIDE_MODEL)
    examples = relabelled(nlp)
    fix_random_seed(0)
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    callback(saved, weight=weight)(nlp, {"step": 0, "epoch": 0})
    train(nlp, examples, epochs=12, sgd=sgd)
    wanted = [one for doc in parse_words(english.nlp, english.examples) for one in doc]
    found = [one for doc in parse_words(nlp, examples) for one in doc]
    core = [i for i, (_, label, _) in enumerate(wanted) if label in ("nsubj", "obj")]
    assert len(core) > 20
    assert lowest <= numpy.mean([wanted[i][1] == found[i][1] for i in core]) <= highest


def test_it_is_set_up_once_and_by_the_first_update(english: Trained, saved: str) -> None:
    nlp = english.copy()
    set_up = callback(saved)
    set_up(nlp, {"step": 0, "epoch": 0})
    first = get_parser(nlp).distillation
    assert first is not None and first.weight == 0.8
    set_up(nlp, {"step": 1, "epoch": 0})
    assert get_parser(nlp).distillation is first


def test_a_pipeline_that_had_teachers_is_saved_without_them(
    english: Trained, saved: str, tmp_path: Path
) -> None:
    nlp = english.copy()
    callback(saved)(nlp, {"step": 0, "epoch": 0})
    nlp.to_disk(tmp_path)
    loaded = get_parser(spacy.load(tmp_path))
    assert isinstance(loaded, ArcEagerParser) and loaded.distillation is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"system": {"@misc": "arceager.named_system.v1", "name": "easy_first"}}, "greedy"),
        ({"beam": {"@misc": "arceager.beam.v1", "width": 2}}, "greedy"),
        ({"system": {"@misc": "arceager.named_system.v1", "name": "arc_hybrid"}}, "other system"),
        ({"model": {"words": ["O1", "O2"]}}, "other words"),
        ({"model": {"attributes": ["O2.label"]}}, "other attributes"),
    ],
)
def test_what_cannot_learn_from_a_teacher(saved: str, settings: dict, message: str) -> None:
    nlp = blank_pipeline(**{**settings, "model": {**WIDE_MODEL, **settings.get("model", {})}})
    nlp.initialize(lambda: read_corpus(nlp, CORPUS, limit=64))
    with pytest.raises(ValueError, match=message):
        callback(saved)(nlp, {"step": 0, "epoch": 0})


def test_other_labels(english: Trained, saved: str) -> None:
    nlp = english.copy()
    get_parser(nlp).add_label("unheard")
    with pytest.raises(ValueError, match="other labels"):
        callback(saved)(nlp, {"step": 0, "epoch": 0})


def test_a_certain_row_has_nothing_to_learn(english: Trained) -> None:
    """Where the gold class has all the probability, its gradient is 0 as if it were not legal."""
    nlp = english.copy()
    examples = english.read(nlp)[:20]
    words, rollout = roll_out(nlp, examples)
    certain = replace(rollout, d_scores=numpy.maximum(rollout.d_scores, 0))
    gradient = Distillation([Teacher(english.copy())], 1.0).gradient(examples, words, certain)
    assert not gradient.any()


def test_other_word_vectors(english: Trained, saved: str) -> None:
    nlp = english.copy()
    teacher = Teacher(spacy.load(saved))
    teacher.nlp.vocab.set_vector("the", numpy.ones(3, dtype="f"))
    tagger = teacher.nlp.add_pipe("tagger")      # behind the parser: not used
    tagger.model.layers[0].name = "static_vectors"
    teacher = Teacher(teacher.nlp)
    teacher.check(get_parser(nlp))      # it reads none
    get_parser(teacher.nlp).model.get_ref("tok2vec").layers[0].name = "static_vectors"
    with pytest.raises(ValueError, match="other word vectors"):
        teacher.check(get_parser(nlp))


def test_wrong_settings(english: Trained, saved: str, tmp_path: Path) -> None:
    nlp = english.copy()
    with pytest.raises(ValueError, match=r"weight=1\.5"):
        callback(saved, weight=1.5)(nlp, {"step": 0, "epoch": 0})
    with pytest.raises(ValueError, match="no teacher"):
        registry.callbacks.get("arceager.teachers.v1")([])(nlp, {"step": 0, "epoch": 0})
    spacy.blank("xx").to_disk(tmp_path)
    with pytest.raises(ValueError, match="no arceager_parser"):
        callback(tmp_path)(nlp, {"step": 0, "epoch": 0})
    nlp.add_pipe("sentencizer")
    with pytest.raises(ValueError, match="'sentencizer' is no arceager_parser"):
        callback(saved, component="sentencizer")(nlp, {"step": 0, "epoch": 0})


def test_a_label_that_the_teachers_do_not_have(english: Trained) -> None:
    nlp, teacher = english.copy(), Teacher(english.copy())
    parser = get_parser(nlp)
    parser.distillation = Distillation([teacher])
    parser.add_label("article")
    with pytest.raises(ValueError, match="'arceager_parser' has other labels than its teachers"):
        parser.update(english.read(nlp)[:4])
    teacher.parser.add_label("article")
    assert parser.update(english.read(nlp)[:4])[parser.name] > 0


def test_a_teacher_whose_scores_are_no_numbers_ends_the_training(english: Trained) -> None:
    nlp, teacher = english.copy(), Teacher(english.copy())
    scoring = teacher.parser.model.get_ref("scoring")
    scoring.set_param("upper_b", numpy.full_like(scoring.get_param("upper_b"), numpy.nan))
    parser = get_parser(nlp)
    parser.distillation = Distillation([teacher])
    before = parser.model.to_bytes()
    with pytest.raises(ValueError, match="cannot learn from nan or infinity in its gradient"):
        nlp.update(english.read(nlp)[:4], sgd=nlp.resume_training())
    assert parser.model.to_bytes() == before
