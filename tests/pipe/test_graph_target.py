"""The component with a system that builds graphs: from DEPS in CoNLL-U and back."""

import warnings
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config_from_str, registry

from spacy_arceager.annotation.graphs import GRAPH_EXTENSION, Graph, get_graph, is_root
from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.evaluation.graph_scorer import score_graphs
from spacy_arceager.gold.graphs import GoldGraph, count_labels, gold_graphs
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import dag
from spacy_arceager.trees.algorithms import crossing_arcs
from tests.brute_force import built_graph
from tests.conftest import (
    DATA,
    PARSER,
    TINY_MODEL,
    annotation,
    get_parser,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence|.*whose scores have no weight")

CORPUS = "de_enhanced.conllu"
# Some arcs of the corpus cross; the best graphs that can be derived have this ELAS.
DERIVABLE = 0.8367


def graph_pipeline() -> Language:
    nlp = spacy.blank("de")
    nlp.add_pipe(
        PARSER,
        config={
            "model": TINY_MODEL,
            "system": {"@misc": "arceager.dag.v1", "acyclic": False},
            "oracle": {"@misc": "arceager.dynamic_oracle.v1"},
        },
    )
    return nlp


@pytest.fixture(scope="module")
def trained() -> Language:
    nlp = graph_pipeline()
    train(nlp, read_corpus(nlp, CORPUS), epochs=60)
    return nlp


def parsed(nlp: Language) -> list[Doc]:
    return list(nlp.pipe(example.predicted for example in read_corpus(nlp, CORPUS)))


def graphs(docs: list[Doc]) -> list[Graph]:
    found = [get_graph(doc) for doc in docs]
    return [graph for graph in found if graph is not None]


def example_of(nlp: Language, words: list[str], graph: Graph | None, **kwargs) -> Example:
    reference = Doc(nlp.vocab, words=words, **kwargs)
    reference._.set(GRAPH_EXTENSION, graph)
    return Example(Doc(nlp.vocab, words=words), reference)


# Learning


def test_it_learns_what_can_be_derived(trained: Language) -> None:
    scores = trained.evaluate(read_corpus(trained, CORPUS))
    assert scores["dep_elas"] >= DERIVABLE - 0.03
    assert scores["dep_eulas"] >= DERIVABLE - 0.03


def test_the_rest_is_lost_to_crossing_arcs() -> None:
    examples = read_corpus(spacy.blank("de"), CORPUS)
    n_crossing = 0
    for example in examples:
        (gold,) = gold_graphs(example)
        n_crossing += crossing_arcs([arc[:2] for arc in gold.arcs]).sum()
        example.predicted._.set(GRAPH_EXTENSION, derived(gold))
    assert score_graphs(examples)["dep_elas"] == pytest.approx(DERIVABLE, abs=1e-4)
    assert n_crossing == 17


def derived(gold: GoldGraph) -> Graph:
    """What the oracle derives of a gold graph; roots are the words without head."""
    system = TransitionSystem(dag(acyclic=False))
    labels = {(dependent, head): label for dependent, head, label in gold.arcs}
    heads = [[h for d, h, _ in gold.arcs if d == word] for word in range(gold.words.size)]
    configuration = system.initial(gold.words.size)
    for transition, _ in Oracle("dynamic").derivation(system, heads):
        configuration.apply(transition)
    return [
        [[head, labels[word, head]] for head in found] or [[word, "root"]]
        for word, found in enumerate(built_graph(configuration))
    ]


def test_words_can_have_several_heads_or_none(trained: Language) -> None:
    numbers = {
        len([arc for arc in arcs if not is_root(i, *arc)])
        for graph in graphs(parsed(trained))
        for i, arcs in enumerate(graph)
    }
    assert numbers >= {0, 1, 2}


def test_heads_labels_and_sentences_of_the_doc_stay_as_they_are(trained: Language) -> None:
    doc = Doc(trained.vocab, words=["Er", "kam", "."], heads=[1, 1, 1], deps=["a", "ROOT", "b"])
    before = annotation(doc)
    trained(doc)
    assert annotation(doc) == before
    assert get_graph(doc) is not None


def test_arcs_stay_within_sentences(trained: Language) -> None:
    words = ["Anna", "kaufte", "das", "Buch", ".", "Er", "las", "es", "."]
    doc = Doc(trained.vocab, words=words, sent_starts=[i in (0, 5) for i in range(9)])
    graph = get_graph(trained(doc))
    assert graph is not None
    for i, arcs in enumerate(graph):
        assert all((head < 5) == (i < 5) for head, _ in arcs)


def test_white_space_has_no_arcs(trained: Language) -> None:
    docs = [
        Doc(trained.vocab, words=words)
        for words in ([], [" "], ["Anna", "\n", "kam", "  "], ["Ja"])
    ]
    found = graphs(list(trained.pipe(docs)))
    assert found[:2] == [[], [[]]]
    assert found[2][1] == found[2][3] == []
    assert found[2][0] and found[2][2]
    assert found[3] == [[[0, "root"]]]


def test_no_beam_searches_graphs(trained: Language) -> None:
    parser = trained.get_pipe(PARSER)
    with pytest.raises(ValueError, match="k_best needs a system that builds trees"):
        parser.k_best(trained.make_doc("Sie sieht Hunde ."))


def test_the_same_graphs_in_any_batch_size(trained: Language) -> None:
    examples = read_corpus(trained, CORPUS)
    docs = [
        list(trained.pipe([eg.predicted.copy() for eg in examples], batch_size=size))
        for size in (1, 2, 100)
    ]
    assert graphs(docs[0]) == graphs(docs[1]) == graphs(docs[2])


def test_the_config_learns_and_counts_the_scores_of_graphs() -> None:
    path = str(DATA / CORPUS)
    config = load_config_from_str(
        make_config("dag_cyclic"),
        overrides={"paths.train": path, "paths.dev": path},
    )
    nlp = init_nlp(config)
    sgd = nlp.create_optimizer()
    examples = read_corpus(nlp, CORPUS)
    losses = [nlp.update(examples, sgd=sgd, losses={})[PARSER] for _ in range(12)]
    assert losses[-1] < losses[0]
    weights = nlp.config["training"]["score_weights"]
    counted = {name for name, weight in weights.items() if weight}
    assert counted == {"dep_elas"}
    assert counted <= nlp.evaluate(examples).keys()


# Gold graphs


def test_gold_arcs_count_from_the_sentence() -> None:
    nlp = spacy.blank("de")
    graph: Graph = [[[0, "root"]], [[0, "a"]], [[2, "root"], [3, "b"]], [[2, "c"], [0, "d"]]]
    example = example_of(nlp, list("wxyz"), graph, sent_starts=[True, False, True, False])
    first, second = gold_graphs(example)
    assert (first.words.tolist(), first.arcs) == ([0, 1], [(1, 0, "a")])
    # The root is no arc, nor is one from another sentence.
    assert (second.words.tolist(), second.arcs) == ([2, 3], [(0, 1, "b"), (1, 0, "c")])


def test_sentences_with_other_words_are_left_out() -> None:
    nlp = spacy.blank("de")
    reference = Doc(
        nlp.vocab, words=["an", "dem", "Tag", "kam", "er"], spaces=[True] * 5,
        sent_starts=[True, False, False, True, False],
    )
    reference._.set(
        GRAPH_EXTENSION,
        [[[2, "a"]], [[2, "a"]], [[2, "root"]], [[3, "root"]], [[3, "b"]]],
    )
    predicted = Doc(nlp.vocab, words=["an dem", "Tag", "kam", "er"], spaces=[True] * 4)
    (kept,) = gold_graphs(Example(predicted, reference))
    assert (kept.words.tolist(), kept.arcs) == ([2, 3], [(1, 0, "b")])


def test_sentences_without_any_arc_are_not_annotated() -> None:
    nlp = spacy.blank("de")
    example = example_of(
        nlp, list("xyz"), [[], [], [[2, "root"]]], sent_starts=[True, False, True]
    )
    assert [gold.words.tolist() for gold in gold_graphs(example)] == [[2]]
    assert not list(gold_graphs(example_of(nlp, list("xyz"), None)))


def test_a_sentence_with_any_arc_is_annotated() -> None:
    graph: Graph = [[[1, "a"]], [[1, "root"]], [], []]
    example = example_of(spacy.blank("de"), list("wxyz"), graph, sent_starts=[1, 0, 0, 1])
    [gold] = gold_graphs(example)
    assert (gold.words.tolist(), gold.arcs) == ([0, 1, 2], [(0, 1, "a")])


def test_labels_sentences_arcs_and_crossing_arcs_are_counted() -> None:
    nlp = spacy.blank("de")
    crossing: Graph = [[[2, "a"], [0, "root"]], [[3, "b"], [2, "a"]], [], [[0, "c"]]]
    examples = [
        example_of(nlp, list("wxyz"), crossing),
        example_of(nlp, ["w", "x"], [[[1, "a"]], [[1, "root"]]]),
        example_of(nlp, ["w"], [[]]),
    ]
    labels, counts = count_labels(iter(examples))
    assert labels == {"a": 3, "b": 1, "c": 1}
    assert counts == {"sentences": 2, "arcs": 5, "crossing": 2}


def test_roots_are_no_labels(trained: Language) -> None:
    assert "root" not in get_parser(trained).labels
    assert "nsubj:xsubj" in get_parser(trained).labels


def test_gold_trees_alone_are_refused() -> None:
    nlp = graph_pipeline()
    with pytest.raises(ValueError, match="no gold Doc has one.*DEPS.*builds trees"):
        nlp.initialize(lambda: read_corpus(nlp, "de_crossing.conllu"))


def test_a_system_that_builds_trees_learns_the_trees_beside_gold_graphs() -> None:
    nlp = spacy.blank("de")
    nlp.add_pipe(PARSER, config={"model": TINY_MODEL})
    train(nlp, read_corpus(nlp, CORPUS), epochs=2)
    doc = parsed(nlp)[0]
    assert doc.has_annotation("DEP") and get_graph(doc) is None
    assert "dep_elas" not in nlp.get_pipe(PARSER).score(read_corpus(nlp, CORPUS))


def test_an_oracle_for_trees_is_refused() -> None:
    with pytest.raises(ValueError, match="exact oracle"):
        spacy.blank("de").add_pipe(
            PARSER, config={
                "model": TINY_MODEL, "system": {"@misc": "arceager.dag.v1"},
                "oracle": {"@misc": "arceager.exact_oracle.v1"},
            },
        )


def test_the_static_oracle_learns_as_well() -> None:
    nlp = graph_pipeline()
    get_parser(nlp).oracle = Oracle("static")
    losses = train(nlp, read_corpus(nlp, CORPUS), epochs=20)
    assert losses[-1] < 0.2 * losses[0]


def test_unknown_labels_are_no_labels() -> None:
    nlp = graph_pipeline()
    sgd = nlp.initialize(lambda: read_corpus(nlp, CORPUS))
    example = example_of(nlp, ["Er", "kam"], [[[1, "unknown"]], [[1, "root"]]])
    assert nlp.update([example], sgd=sgd)[PARSER] > 0


def test_scores_of_trees_do_not_choose_the_best_graphs() -> None:
    nlp = graph_pipeline()
    examples = read_corpus(nlp, CORPUS, limit=2)
    with pytest.warns(UserWarning, match="no weight.*dep_elas = 1.0.*null for dep_uas"):
        nlp.initialize(lambda: examples)
    nlp.config["training"]["score_weights"] = {"dep_elas": 1.0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp.initialize(lambda: examples)


# Keeping and writing


def test_a_saved_parser_builds_the_same_graphs(trained: Language, tmp_path: Path) -> None:
    expected = graphs(parsed(trained))
    assert graphs(parsed(graph_pipeline().from_bytes(trained.to_bytes()))) == expected
    trained.to_disk(tmp_path)
    assert graphs(parsed(spacy.load(tmp_path))) == expected


def test_graphs_survive_bytes_and_doc_bins(trained: Language) -> None:
    docs = parsed(trained)
    expected = graphs(docs)
    assert graphs([Doc(trained.vocab).from_bytes(doc.to_bytes()) for doc in docs]) == expected
    data = DocBin(docs=docs, store_user_data=True).to_bytes()
    assert graphs(list(DocBin().from_bytes(data).get_docs(trained.vocab))) == expected


def test_graphs_are_written_as_deps_and_read_again(trained: Language, tmp_path: Path) -> None:
    docs = parsed(trained)
    path = tmp_path / "parsed.conllu"
    path.write_text("".join(doc_to_conllu(doc) for doc in docs), encoding="utf8")
    reader = registry.readers.get("arceager.ConlluCorpus.v1")
    again = [example.reference for example in reader(path)(spacy.blank("de"))]
    assert graphs(again) == graphs(docs)


def test_graphs_are_not_parsed_with_a_beam() -> None:
    config = {
        "system": {"@misc": "arceager.dag.v1"},
        "oracle": {"@misc": "arceager.dynamic_oracle.v1"},
        "beam": {"@misc": "arceager.beam.v1"},
    }
    with pytest.raises(ValueError, match="beam and graph=true"):
        spacy.blank("de").add_pipe(PARSER, config=config)
