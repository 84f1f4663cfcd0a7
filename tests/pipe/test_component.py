"""The component in spaCy's hands: registries, training, saving, processes, pipelines."""

import copy
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import numpy
import pytest
import spacy
import srsly
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import fix_random_seed, load_model_from_config, minibatch
from thinc.api import Config, Optimizer

from spacy_arceager.trees.algorithms import non_projective_arcs
from spacy_arceager.network.lower_layer import LowerLayer
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import kept_scorer
from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.systems import SystemParameters, arc_eager, arc_hybrid, custom_system
from spacy_arceager.systems.catalogue import CATALOGUE, find_system
from tests.conftest import (
    PARSER,
    TINY_MODEL,
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    parse_words,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

REGISTERED = {
    "architectures": ["arceager.TransitionModel.v1"],
    "misc": [
        "arceager.arc_eager.v1",
        "arceager.static_oracle.v1",
        "arceager.dynamic_oracle.v1",
        "arceager.exact_oracle.v1",
    ],
    "callbacks": ["arceager.use_numpy_blas.v1"],
    "readers": ["arceager.ConlluCorpus.v1"],
    "scorers": ["arceager.parser_scorer.v1"],
}


def run_python(code: str) -> str:
    """The output of Python code in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def las(nlp: Language, examples: list[Example]) -> float:
    return nlp.evaluate(examples)["dep_las"]


# Registries


@pytest.mark.slow
def test_add_pipe_needs_no_import_of_ours() -> None:
    output = run_python(
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('arceager_parser'); "
        "print(nlp.pipe_names)"
    )
    assert output.strip() == f"['{PARSER}']"


@pytest.mark.slow
def test_every_name_is_registered_without_an_import_of_ours() -> None:
    names = [(registry, name) for registry, names in REGISTERED.items() for name in names]
    output = run_python(
        f"import spacy\nfor registry, name in {names}: "
        "print(callable(spacy.registry.get(registry, name)))"
    )
    assert output.split() == ["True"] * len(names)


def test_every_entry_point_loads_and_has_a_version() -> None:
    points = [
        point
        for point in distribution("spacy-arceager").entry_points
        if point.group.startswith("spacy_") and point.group != "spacy_factories"
    ]
    listed = {point.name for point in points}
    assert listed >= {name for names in REGISTERED.values() for name in names}
    for point in points:
        assert callable(point.load())
        assert re.fullmatch(r"arceager\.\w+\.v\d+", point.name)


# Training


def test_training_lowers_the_loss_and_learns_the_trees(english: Trained) -> None:
    assert english.losses[-1] < 0.2 * english.losses[0]
    scores = english.nlp.evaluate(english.examples)
    assert scores["dep_las"] > 0.9
    assert scores["dep_multiple_roots"] == 0


def test_training_learns_crossing_arcs(german: Trained) -> None:
    scores = german.nlp.evaluate(german.examples)
    assert scores["dep_las"] > 0.9
    assert scores["dep_nonproj_recall"] > 0.8


def test_training_twice_from_the_same_seed_gives_the_same_parser() -> None:
    pipelines = [blank_pipeline(), blank_pipeline()]
    losses = [
        train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=2) for nlp in pipelines
    ]
    assert losses[0] == losses[1]
    data = [get_parser(nlp).model.to_bytes() for nlp in pipelines]
    assert data[0] == data[1]


def test_update_leaves_the_docs_as_they_are(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)[:8]
    nlp.update(examples, sgd=nlp.resume_training())
    assert not any(example.predicted.has_annotation("DEP") for example in examples)


def test_update_without_optimizer_changes_no_weight(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    before = parser.model.to_bytes()
    losses = parser.update(english.read(nlp)[:8])
    assert losses[PARSER] > 0
    assert parser.model.to_bytes() == before


def test_losses_add_up(english: Trained) -> None:
    parser = get_parser(english.copy())
    losses = {PARSER: 1000.0}
    parser.update(english.examples[:8], losses=losses)
    assert losses[PARSER] > 1000


def test_predict_leaves_the_docs_as_they_are(english: Trained) -> None:
    doc = english.examples[0].predicted.copy()
    get_parser(english.nlp).predict([doc])
    assert not doc.has_annotation("DEP")


def test_resumed_training_goes_on_from_what_was_learnt(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)
    losses = train(nlp, examples, epochs=1, sgd=nlp.resume_training())
    assert losses[0] < 0.5 * english.losses[0]
    assert las(nlp, examples) > 0.9


def test_dropout_changes_the_loss_but_not_the_parse(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)[:16]
    before = parse_words(nlp, examples)
    parser = get_parser(nlp)
    fix_random_seed(0)
    losses = [parser.update(examples, drop=drop)[PARSER] for drop in (0.0, 0.5)]
    assert losses[1] > losses[0]
    assert parse_words(nlp, examples) == before


AGGRESSIVE = {"@misc": "arceager.aggressive_exploration.v1", "aggression": 0.5, "margin": 2.0}


@pytest.mark.parametrize(
    "schedule", [0.5, {"@schedules": "constant.v1", "rate": 0.5}, AGGRESSIVE]
)
def test_exploration_is_a_number_or_a_schedule(schedule: object) -> None:
    nlp = blank_pipeline(exploration=schedule)
    losses = train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=2)
    assert losses[1] < losses[0]


def test_a_copied_parser_keeps_the_exploration_of_the_last_update() -> None:
    schedule = {"@schedules": "compounding.v1", "start": 0.1, "stop": 1.0, "compound": 2.0}
    parser = get_parser(blank_pipeline(exploration=schedule))
    assert [next(parser.exploration) for _ in range(2)] == pytest.approx([0.1, 0.2])
    assert next(copy.deepcopy(parser).exploration) == pytest.approx(0.2)
    assert next(parser.exploration) == pytest.approx(0.4)


def test_aggressive_exploration_trains_otherwise_and_is_copied() -> None:
    examples = read_corpus(blank_pipeline(), "en_small-dev.conllu")
    assert train(blank_pipeline(exploration=AGGRESSIVE), examples, epochs=2) != train(
        blank_pipeline(exploration=1.0), examples, epochs=2
    )
    parser = copy.deepcopy(get_parser(blank_pipeline(exploration=AGGRESSIVE)))
    assert (parser.exploration.aggression, parser.exploration.margin) == (0.5, 2.0)
    assert next(parser.exploration) == 1.0


@pytest.mark.parametrize("kind", ["static", "dynamic", "exact"])
def test_every_oracle_trains(kind: str) -> None:
    nlp = blank_pipeline(oracle={"@misc": f"arceager.{kind}_oracle.v1"})
    losses = train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=4)
    assert losses[-1] < 0.8 * losses[0]


# Labels


def test_label_data_initialises_without_reading_the_examples(english: Trained) -> None:
    nlp = blank_pipeline()
    parser = get_parser(nlp)
    examples = english.read(nlp)[:2]
    parser.initialize(lambda: examples, labels=get_parser(english.nlp).label_data)
    assert parser.labels == get_parser(english.nlp).labels
    assert parser.label_data == get_parser(english.nlp).label_data


def test_labels_of_init_labels_are_read_from_a_config(
    english: Trained, tmp_path: Path
) -> None:
    path = tmp_path / "parser.json"
    srsly.write_json(path, get_parser(english.nlp).label_data)
    nlp = blank_pipeline()
    examples = english.read(nlp)[:2]
    nlp.config["initialize"]["components"] = {
        PARSER: {"labels": {"@readers": "spacy.read_labels.v1", "path": str(path)}}
    }
    nlp.initialize(lambda: examples)
    assert nlp.pipe_labels[PARSER] == english.nlp.pipe_labels[PARSER]


def test_initialize_finds_the_labels_of_the_gold_trees(english: Trained) -> None:
    expected = {
        token.dep_
        for example in english.examples
        for token in example.reference
        if token.head != token
    }
    assert get_parser(english.nlp).labels == tuple(sorted(expected))


def rename(examples: list[Example], old: str, new: str) -> list[Example]:
    """The same Examples, with one label changed in the gold Docs."""
    for example in examples:
        for token in example.reference:
            if token.dep_ == old:
                token.dep_ = new
    return examples


def test_a_label_added_before_training_is_learnt() -> None:
    nlp = blank_pipeline()
    parser = get_parser(nlp)
    assert parser.add_label("article") == 1
    assert parser.add_label("article") == 0
    examples = rename(read_corpus(nlp, "en_small-dev.conllu"), "det", "article")
    train(nlp, examples, epochs=18)
    assert parser.labels.count("article") == 1
    assert las(nlp, examples) > 0.9


def test_a_label_added_to_a_trained_parser_keeps_its_parses(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)
    before = parse_words(nlp, examples)
    parser = get_parser(nlp)
    assert parser.add_label("article") == 1
    assert parser.labels[-1] == "article"
    assert parse_words(nlp, examples) == before


def test_a_label_added_to_a_loaded_parser_is_learnt(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).add_label("article")
    examples = rename(english.read(nlp), "det", "article")
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.01
    train(nlp, examples, epochs=4, sgd=sgd)
    assert nlp.evaluate(examples)["dep_las_per_type"]["article"]["f"] > 0.9


def test_a_label_added_in_the_middle_of_a_training_is_learnt() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    train(nlp, examples, epochs=5, sgd=sgd)
    get_parser(nlp).add_label("article")
    train(nlp, rename(examples, "det", "article"), epochs=20, sgd=sgd)
    assert nlp.evaluate(examples)["dep_las_per_type"]["article"]["f"] > 0.9


def test_an_added_label_survives_saving(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.add_label("article")
    loaded = get_parser(blank_pipeline()).from_bytes(parser.to_bytes())
    assert loaded.labels == parser.labels
    assert loaded.model.to_bytes() == parser.model.to_bytes()


# Saving and loading


def through_bytes(nlp: Language, path: Path) -> Language:
    return load_model_from_config(nlp.config).from_bytes(nlp.to_bytes())


def through_disk(nlp: Language, path: Path) -> Language:
    nlp.to_disk(path)
    return spacy.load(path)


def through_pickle(nlp: Language, path: Path) -> Language:
    return pickle.loads(pickle.dumps(nlp))


def through_deepcopy(nlp: Language, path: Path) -> Language:
    return copy.deepcopy(nlp)


@pytest.mark.parametrize(
    "round_trip", [through_bytes, through_disk, through_pickle, through_deepcopy]
)
def test_a_pipeline_parses_and_scores_the_same_after(
    round_trip: Callable[[Language, Path], Language], english: Trained, tmp_path: Path
) -> None:
    loaded = round_trip(english.nlp, tmp_path / "model")
    held_out = read_corpus(english.nlp, "en_small-dev.conllu")
    assert parse_words(loaded, held_out) == parse_words(english.nlp, held_out)
    scores, loaded_scores = (
        nlp.evaluate(read_corpus(nlp, "en_small-dev.conllu")) for nlp in (english.nlp, loaded)
    )
    for each in (scores, loaded_scores):
        each.pop("speed")
    assert loaded_scores == scores


@pytest.mark.parametrize("round_trip", [through_bytes, through_disk, through_pickle])
def test_a_training_goes_on_after(
    round_trip: Callable[[Language, Path], Language], english: Trained, tmp_path: Path
) -> None:
    nlp = round_trip(english.nlp, tmp_path / "model")
    examples = english.read(nlp)
    train(nlp, examples, epochs=1, sgd=nlp.resume_training())
    assert las(nlp, examples) > 0.9


@pytest.mark.parametrize("left_out", ["cfg", "vocab", "model"])
def test_excluded_parts_are_not_saved(
    english: Trained, left_out: str, tmp_path: Path
) -> None:
    parser = get_parser(english.nlp)
    saved = srsly.msgpack_loads(parser.to_bytes(exclude=[left_out]))
    assert set(saved) == {"cfg", "vocab", "model"} - {left_out}
    parser.to_disk(tmp_path, exclude=[left_out])
    assert {path.name for path in tmp_path.iterdir()} == set(saved)


def test_excluded_parts_are_not_loaded(english: Trained, tmp_path: Path) -> None:
    nlp, other = english.copy(), blank_pipeline()
    nlp.vocab.strings.add("frobnicate")
    parser, loaded = get_parser(nlp), get_parser(other)
    parser.to_disk(tmp_path)
    loaded.from_bytes(parser.to_bytes(), exclude=["model", "vocab"])
    assert loaded.labels == parser.labels
    assert not loaded.model.get_ref("scoring").has_param("upper_W")
    loaded.from_disk(tmp_path, exclude=["vocab"])
    assert loaded.model.to_bytes() == parser.model.to_bytes()
    assert "frobnicate" not in other.vocab.strings
    loaded.from_disk(tmp_path)
    assert "frobnicate" in other.vocab.strings


def test_a_parser_without_weights_is_saved_and_loaded() -> None:
    parser = get_parser(blank_pipeline())
    parser.add_label("nsubj")
    assert get_parser(blank_pipeline()).from_bytes(parser.to_bytes()).labels == ("nsubj",)


# Docs


def tree_of(doc: Doc) -> list[tuple]:
    """All that spaCy knows of the tree of a Doc."""
    edges = [(token.left_edge.i, token.right_edge.i) for token in doc]
    children = [(token.n_lefts, token.n_rights) for token in doc]
    return list(zip(annotation(doc), edges, children))


def through_doc_bytes(doc: Doc) -> Doc:
    return Doc(doc.vocab).from_bytes(doc.to_bytes())


def through_doc_bin(doc: Doc) -> Doc:
    return next(DocBin().from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(doc.vocab))


def through_doc_pickle(doc: Doc) -> Doc:
    return pickle.loads(pickle.dumps(doc))


def through_json(doc: Doc) -> Doc:
    return Doc(doc.vocab).from_json(doc.to_json())


def join(nlp: Language, examples: list[Example]) -> Doc:
    """One Doc of several sentences, whose boundaries are set."""
    tokens = [token for example in examples for token in example.reference]
    return Doc(
        nlp.vocab,
        words=[token.text for token in tokens],
        sent_starts=[token.i == 0 for token in tokens],
    )


@pytest.fixture(scope="module")
def crossing_docs(german: Trained) -> list[Doc]:
    """Parses of three sentences each, with crossing arcs."""
    examples = german.examples
    docs = [join(german.nlp, examples[i : i + 3]) for i in range(0, len(examples), 3)]
    return list(german.nlp.pipe(docs))


def test_crossing_arcs_are_predicted_between_boundaries(crossing_docs: list[Doc]) -> None:
    crossing = [
        sentence
        for doc in crossing_docs
        for sentence in doc.sents
        if non_projective_arcs(sentence_heads(sentence))
    ]
    assert len(crossing) > 20
    assert [len(list(doc.sents)) for doc in crossing_docs[:-1]] == [3] * 16


def sentence_heads(sentence) -> numpy.ndarray:
    heads = [token.head.i - sentence.start for token in sentence]
    return numpy.asarray(heads, dtype="i")


@pytest.mark.parametrize(
    "round_trip", [through_doc_bytes, through_doc_bin, through_doc_pickle, through_json]
)
def test_crossing_arcs_and_boundaries_survive(
    round_trip: Callable[[Doc], Doc], crossing_docs: list[Doc]
) -> None:
    for doc in crossing_docs:
        assert tree_of(round_trip(doc)) == tree_of(doc)


def test_subtrees_are_exact_also_with_crossing_arcs(crossing_docs: list[Doc]) -> None:
    for doc in crossing_docs:
        for token in doc:
            subtree = [t.i for t in doc if t == token or token.is_ancestor(t)]
            assert (token.left_edge.i, token.right_edge.i) == (subtree[0], subtree[-1])
            children = [t.i for t in doc if t.head == token and t != token]
            assert token.n_lefts == sum(child < token.i for child in children)
            assert token.n_rights == sum(child > token.i for child in children)


# Batches and processes


@pytest.mark.parametrize("batch_size", [1, 3, 128])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_same_text_gives_the_same_parse_in_every_batch(
    german: Trained, batch_size: int, reverse: bool
) -> None:
    docs = [example.predicted.copy() for example in german.examples]
    alone = [annotation(german.nlp(doc.copy())) for doc in docs]
    if reverse:
        docs, alone = docs[::-1], alone[::-1]
    parsed = german.nlp.pipe(docs, batch_size=batch_size)
    assert [annotation(doc) for doc in parsed] == alone


def test_the_lower_layer_of_a_word_does_not_depend_on_other_words(english: Trained) -> None:
    scorer = get_parser(english.nlp).model.get_ref("scoring").predict(None)
    vectors = numpy.random.default_rng(0).normal(size=(200, 32)).astype("f")
    table = products(scorer, vectors)
    for start, end in ((0, 2), (0, 7), (3, 64), (10, 187)):
        assert numpy.array_equal(products(scorer, vectors[start:end]), table[start:end])


def products(scorer: Scorer, vectors: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    lower = LowerLayer(scorer, len(vectors))
    lower.start(vectors)
    return numpy.asarray(lower.ready)[: len(vectors)]


def test_weights_that_an_optimizer_changes_in_place_are_seen(english: Trained) -> None:
    loaded = load_model_from_config(english.nlp.config)
    parser = get_parser(loaded.from_bytes(english.nlp.to_bytes()))
    scoring = parser.model.get_ref("scoring")
    before = kept_scorer(parser.kept_scorers, scoring)
    assert kept_scorer(parser.kept_scorers, scoring) is before
    parser.add_label("new")     # sets gradients of some parameters
    scoring = parser.model.get_ref("scoring")
    kept_scorer(parser.kept_scorers, scoring)
    parser.finish_update(Optimizer(0.1, L2=0.5, beta1=0.0, beta2=0.0))
    upper = kept_scorer(parser.kept_scorers, scoring).weights.upper_W
    assert numpy.array_equal(upper, scoring.get_param("upper_W"))


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_vectors_of_any_precision(english: Trained, dtype: str) -> None:
    scorer = get_parser(english.nlp).model.get_ref("scoring").predict(None)
    vectors = numpy.random.default_rng(0).normal(size=(5, 32)).astype(dtype)
    assert numpy.array_equal(products(scorer, vectors), products(scorer, vectors.astype("f")))


@pytest.mark.slow
def test_two_processes_parse_as_one(german: Trained) -> None:
    texts = [example.text for example in german.examples]
    alone = [tree_of(doc) for doc in german.nlp.pipe(texts)]
    together = german.nlp.pipe(texts, n_process=2, batch_size=7)
    assert [tree_of(doc) for doc in together] == alone


# Sentences


def test_docs_without_boundaries_are_one_sentence_and_warned_about_once(
    english: Trained,
) -> None:
    nlp = english.copy()
    with pytest.warns(UserWarning, match=f"'{PARSER}' .* as one sentence.*'senter'"):
        doc = nlp("The market opens. It closes.")
    assert len(list(doc.sents)) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp("The market opens. It closes.")


def test_docs_with_boundaries_are_not_warned_about(english: Trained) -> None:
    nlp = english.copy()
    nlp.add_pipe("sentencizer", first=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(nlp("The market opens. It closes.").sents)) == 2


# Pipelines


def test_a_frozen_parser_is_not_trained(english: Trained) -> None:
    nlp = english.copy()
    tagger = nlp.add_pipe("tagger", first=True)
    examples = english.read(nlp)[:32]
    tagger.initialize(lambda: examples, nlp=nlp)
    before = get_parser(nlp).model.to_bytes()
    losses: dict[str, float] = {}
    nlp.update(
        examples, sgd=nlp.resume_training(), losses=losses, exclude=[PARSER], annotates=[PARSER]
    )
    assert set(losses) == {"tagger"}
    assert get_parser(nlp).model.to_bytes() == before


def test_boundaries_of_an_annotating_senter_are_kept() -> None:
    nlp = blank_pipeline()
    nlp.add_pipe("senter", first=True)
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    fix_random_seed(0)
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    for _ in range(16):
        for batch in minibatch(examples, 4):
            nlp.update(batch, sgd=sgd, annotates=["senter"])
    scores = nlp.evaluate(examples)
    assert scores["sents_f"] > 0.9
    assert scores["dep_las"] > 0.8
    doc = nlp(examples[0].text)
    with nlp.select_pipes(enable="senter"):
        expected = nlp(examples[0].text)
    assert [sent.text for sent in doc.sents] == [sent.text for sent in expected.sents]
    assert all(sum(t.head == t for t in sent) == 1 for sent in doc.sents)


SHARED = """
[nlp]
lang = "en"
pipeline = ["tok2vec", "tagger", "arceager_parser"]

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 32
depth = 1
embed_size = 200
window_size = 1
maxout_pieces = 2
subword_features = true

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32

[components.arceager_parser]
factory = "arceager_parser"

[components.arceager_parser.model]
@architectures = "arceager.TransitionModel.v1"
hidden_width = 32

[components.arceager_parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32
"""


@pytest.fixture(scope="module")
def shared() -> Language:
    """A tagger and a parser on one tok2vec."""
    nlp = load_model_from_config(Config().from_str(SHARED), auto_fill=True)
    train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=18)
    return nlp


def test_a_shared_tok2vec_learns_for_tagger_and_parser(shared: Language) -> None:
    scores = shared.evaluate(read_corpus(shared, "en_small-dev.conllu"))
    assert scores["dep_las"] > 0.9
    assert scores["tag_acc"] > 0.9


def test_the_parser_trains_a_shared_tok2vec(shared: Language) -> None:
    nlp = through_bytes(shared, Path())
    before = nlp.get_pipe("tok2vec").model.to_bytes()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    sgd = nlp.resume_training()
    # spaCy applies the gradient of a shared tok2vec in the next update.
    for _ in range(2):
        nlp.update(examples, sgd=sgd, exclude=["tagger"])
    assert nlp.get_pipe("tok2vec").model.to_bytes() != before


@pytest.mark.parametrize("round_trip", [through_bytes, through_disk])
def test_a_pipeline_with_a_shared_tok2vec_is_saved_and_loaded(
    round_trip: Callable[[Language, Path], Language], shared: Language, tmp_path: Path
) -> None:
    loaded = round_trip(shared, tmp_path / "model")
    examples = read_corpus(shared, "en_small-train.conllu", limit=20)
    assert parse_words(loaded, examples) == parse_words(shared, examples)


def test_a_listener_can_be_replaced_by_a_copy_of_its_tok2vec(
    shared: Language, tmp_path: Path
) -> None:
    nlp = through_bytes(shared, Path())
    examples = read_corpus(nlp, "en_small-dev.conllu")
    before = parse_words(nlp, examples)
    nlp.replace_listeners("tok2vec", PARSER, ["model.tok2vec"])
    assert parse_words(nlp, examples) == before
    assert parse_words(through_disk(nlp, tmp_path / "model"), examples) == before


def test_our_token_vectors_in_the_parser_are_saved_and_loaded(tmp_path: Path) -> None:
    tok2vec = {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "arceager.SubwordEmbed.v1", "width": 32, "attrs": ["NORM"],
                  "rows": [100], "ngram_rows": 100},
        "encode": {"@architectures": "arceager.RecurrentEncoder.v1", "width": 32, "depth": 1,
                   "window_size": 1, "maxout_pieces": 2},
    }
    nlp = blank_pipeline(model={**TINY_MODEL, "tok2vec": tok2vec})
    examples = read_corpus(nlp, "en_small-dev.conllu")
    nlp.initialize(lambda: examples)
    loaded = through_disk(nlp, tmp_path / "model")
    assert parse_words(loaded, examples) == parse_words(nlp, examples)


def test_a_batch_without_trees_for_the_parser_does_not_keep_others_from_learning(
    shared: Language,
) -> None:
    nlp = through_bytes(shared, Path())
    parser, tok2vec = get_parser(nlp), nlp.get_pipe("tok2vec").model
    parser.non_projective = "skip"
    label = parser.labels[0]
    annotation = {"tags": [nlp.get_pipe("tagger").labels[0]] * 4, "heads": [2, 3, 3, 3],
                  "deps": [label, label, label, "ROOT"]}
    crossing = [Example.from_dict(Doc(nlp.vocab, ["a", "b", "c", "d"]), annotation)]
    nlp.update(crossing, sgd=False)
    assert any(
        node.get_grad(name).any()
        for node in tok2vec.walk() for name in node.param_names if node.has_grad(name)
    )


def test_a_projection_between_tok2vec_and_parser_is_learnt() -> None:
    nlp = blank_pipeline(model={**TINY_MODEL, "projection": 16})
    examples = read_corpus(nlp, "en_small-dev.conllu")
    train(nlp, examples, epochs=18)
    assert get_parser(nlp).model.get_ref("scoring").get_dim("nI") == 16
    assert las(nlp, examples) > 0.9


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_system_has_an_oracle_by_default(name: str) -> None:
    system = find_system(name)
    assert default_oracle(system).suits(system)


LEFT_SHIFTS = {"reduce": False, "shift": True}


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        (arc_eager(), "exact"),
        (arc_eager(distance=2), "reachability"),
        (arc_eager(False), "dynamic"),
        (arc_hybrid(True), "static_dynamic"),
        (
            custom_system(
                2, front=True, left=LEFT_SHIFTS, right=LEFT_SHIFTS, reduce=True
            ),
            "static",
        ),
    ],
)
def test_which_oracle_is_the_default(system: SystemParameters, kind: str) -> None:
    assert default_oracle(system).name == kind


def test_a_system_alone_can_be_changed() -> None:
    nlp = spacy.blank("xx")
    parser = nlp.add_pipe(
        "arceager_parser", config={"system": {"@misc": "arceager.attardi.v1", "degree": 2}}
    )
    assert parser.oracle.name == "static"
