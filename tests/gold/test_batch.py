"""Gold trees of a batch, and where the vectors of their words are."""

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.batch import graph_batch, label_indices, tree_batch, tree_units
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import arc_eager, dag
from tests.conftest import blank_pipeline, read_corpus

VOCAB = spacy.blank("xx").vocab
SYSTEM = TransitionSystem(arc_eager(), ["a", "b"])
SEGMENT = TransitionSystem(arc_eager(segment=True), ["a", "b"])


def example_of(words: list[str], heads: list[int], starts: list[bool]) -> Example:
    deps = ["ROOT" if head == i else "a" for i, head in enumerate(heads)]
    gold = Doc(VOCAB, words, spaces=[False] * len(words), heads=heads, deps=deps)
    for token, start in zip(gold, starts):
        assert token.is_sent_start == start
    return Example(Doc(VOCAB, words, spaces=[False] * len(words)), gold)


def two_sentences() -> Example:
    return example_of(["x", "y", "z"], [1, 1, 2], [True, False, True])


def crossing() -> Example:
    return example_of(["w", "x", "y", "z"], [2, 3, 2, 2], [True, False, False, False])


def test_rows_count_the_tokens_of_all_docs_before() -> None:
    gold = Doc(VOCAB, [" ", "x"], heads=[1, 1], deps=["a", "ROOT"])
    space = Example(Doc(VOCAB, [" ", "x"]), gold)
    batch = tree_batch([two_sentences(), space, two_sentences()], SYSTEM, "approximate")
    assert batch.rows.tolist() == [0, 1, 2, 4, 5, 6, 7]
    assert (batch.trees.n_trees, batch.trees.n_words) == (5, 7)
    assert not batch.trees.root_node
    assert batch.trees.highest_label == 0


@pytest.mark.parametrize("root", ["none", "right"])
def test_the_root_is_that_of_the_system(root: str) -> None:
    system = TransitionSystem(arc_eager(root=root), ["a"])
    assert tree_batch([two_sentences()], system, "skip").trees.root_node == (root != "none")


def test_what_is_skipped_has_no_rows() -> None:
    batch = tree_batch([crossing(), two_sentences()], SYSTEM, "skip")
    assert batch.rows.tolist() == [4, 5, 6]
    assert batch.trees.n_trees == 2
    assert tree_batch([crossing()], SYSTEM, "skip").trees.n_trees == 0
    assert tree_batch([], SYSTEM, "skip").rows.size == 0


def test_where_boundaries_are_found_a_doc_is_one_and_keeps_them() -> None:
    words = ["w", "x", "y", "z", "e"]
    example = example_of(words, [2, 3, 2, 2, 4], [True, False, False, False, True])
    (unit,) = tree_units(example, SEGMENT, "skip")
    assert unit.heads.tolist() == [-1, -1, -1, -1, 4]
    assert unit.starts.tolist() == [True, False, False, False, True]
    assert unit.labels == ["", "", "", "", "ROOT"]
    (unit,) = tree_units(example, SEGMENT, "projectivize")
    assert unit.heads.tolist() == [2, 2, 2, 2, 4]
    assert len(tree_units(example, SYSTEM, "approximate")) == 2
    empty = Example(Doc(VOCAB), Doc(VOCAB))
    assert tree_units(empty, SEGMENT, "skip") == []


def test_graphs_of_a_batch() -> None:
    examples = read_corpus(blank_pipeline("de"), "de_enhanced.conllu")
    batch = graph_batch(examples, TransitionSystem(dag(), ["obj", "nsubj"]))
    sizes = [len(example.reference) for example in examples]
    assert batch.rows.tolist() == list(range(sum(sizes)))
    assert batch.trees.is_graph and batch.trees.n_trees == len(examples)
    assert batch.trees.highest_label == 1


def test_labels_have_the_indices_of_the_system() -> None:
    assert label_indices(SYSTEM) == {label: i for i, label in enumerate(SYSTEM.labels)}
