"""Words left over at the end of the input: by hand, by a slow twin, and by the plain system."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.evaluation.beside_gold import DerivedSentence, beside_gold
from spacy_arceager.evaluation.fragments import Fragments, count_fragments, run
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search import greedy
from spacy_arceager.search.replay import replay
from spacy_arceager.systems import arc_eager
from tests.conftest import (
    SEEDS,
    Trained,
    get_parser,
    projective_trees,
    random_scoring,
    random_vectors,
)
from tests.evaluation.derivations import LABELS, SlowArcEager, derived, random_derivation

# Nivre and Fernández-González (2014), figure 1: "Old houses had no view of green parks ."
TREE = [1, 2, 2, 4, 2, 4, 7, 5, 2]
TREE_LABELS = ["amod", "nsubj", "root", "det", "obj", "case", "amod", "nmod", "punct"]
BEFORE_OBJECT = ["SHIFT", "LEFT-ARC amod", "SHIFT", "LEFT-ARC nsubj", "SHIFT", "SHIFT",
                 "LEFT-ARC det"]
BELOW_OBJECT = ["RIGHT-ARC case", "SHIFT", "LEFT-ARC amod", "RIGHT-ARC nmod"]


def test_a_sentence_that_ends_in_three_trees() -> None:
    # view and "." are shifted: had, view and "." are left over, and only view finds its head.
    moves = [*BEFORE_OBJECT, "SHIFT", *BELOW_OBJECT, "REDUCE", "REDUCE", "SHIFT",
             "UNSHIFT", "RIGHT-ARC punct", "REDUCE", "UNSHIFT", "RIGHT-ARC obj", "REDUCE"]
    system, sentence = derived(arc_eager(), moves, TREE, TREE_LABELS)
    assert count_fragments(system, [sentence]) == Fragments(
        sentences=1, fragmented=1, stack_token=3, stack_head=3, stack_root=1,
        correct_old=1, correct_new=2, correct_root=1, words=9, right_old=7, right_new=8,
    )


def test_words_with_a_head_count_as_heads_on_the_stack_and_not_as_tokens() -> None:
    # "of" stays on the stack with its head; "green" and what follows are left over.
    moves = [*BEFORE_OBJECT, "RIGHT-ARC obj", "RIGHT-ARC case", "SHIFT", "LEFT-ARC amod", "SHIFT"]
    gold = [1, 2, 2, 4, 2, 4, 7, 5]
    system, sentence = derived(arc_eager(), moves, gold, TREE_LABELS[:8])
    found = count_fragments(system, [sentence])
    assert (found.stack_token, found.stack_head, found.stack_root) == (2, 2, 1)


def test_a_sentence_that_is_a_tree_at_the_end_has_no_fragments() -> None:
    moves = [*BEFORE_OBJECT, "RIGHT-ARC obj", *BELOW_OBJECT, "REDUCE", "REDUCE", "REDUCE",
             "RIGHT-ARC punct", "REDUCE"]
    system, sentence = derived(arc_eager(), moves, TREE, TREE_LABELS)
    found = count_fragments(system, [sentence, sentence])
    assert found == Fragments(sentences=2, words=18, right_old=18, right_new=18)


def test_an_artificial_root_changes_no_count() -> None:
    moves = [*BEFORE_OBJECT, "SHIFT", *BELOW_OBJECT, "REDUCE", "REDUCE", "SHIFT"]
    repairs = ["UNSHIFT", "RIGHT-ARC punct", "REDUCE", "UNSHIFT", "RIGHT-ARC obj", "REDUCE"]
    system, sentence = derived(arc_eager(), [*moves, *repairs], TREE, TREE_LABELS)
    under_root, same = derived(
        arc_eager(root="right"), [*moves, *repairs, "LEFT-ARC root"], TREE, TREE_LABELS
    )
    found = count_fragments(under_root, [same])
    assert found == count_fragments(system, [sentence])
    assert (found.fragmented, found.right_old, found.right_new) == (1, 7, 8)


def test_the_last_word_alone_under_the_root_is_no_fragment() -> None:
    # LEFT leaves one word, which waits for the root.
    moves = ["SHIFT", "LEFT-ARC nsubj", "SHIFT", "LEFT-ARC root"]
    system, sentence = derived(arc_eager(root="right"), moves, [1, 1], ["nsubj", "root"])
    found = count_fragments(system, [sentence])
    assert found == Fragments(sentences=1, words=2, right_old=2, right_new=2)


def count_slowly(sentence: DerivedSentence, has_root: bool) -> Fragments:
    gold = sentence.heads
    machine = SlowArcEager(len(gold), has_root)
    end: tuple[list[int], dict[int, int]] = ([], {})
    seen = False
    for taken in sentence.steps:
        machine.take(str(taken.transition), taken.label)
        if not seen and machine.buffer in ([], [len(gold)]):
            seen, end = True, (machine.stack[:], dict(machine.heads))
    new = {word: word if head == len(gold) else head for word, head in machine.heads.items()}
    stack, old = end if seen else ([], new)
    headless = [word for word in stack if word not in old]
    rows = [  # of each word left over: is its gold head there, is it a root, is it right at last
        (gold[w] in stack, gold[w] == w, new.get(w, w) == gold[w])
        for w in headless if gold[w] >= 0 and len(headless) > 1
    ]
    known = [w for w in range(len(gold)) if gold[w] >= 0]
    return Fragments(
        1, int(len(headless) > 1), len(rows), sum(there for there, _, _ in rows),
        sum(root for _, root, _ in rows), sum(root for _, root, _ in rows),
        sum(right for _, _, right in rows), sum(root and right for _, root, right in rows),
        len(known), sum(old.get(w, w) == gold[w] for w in known),
        sum(new.get(w, w) == gold[w] for w in known),
    )


@pytest.mark.parametrize("root", ["none", "right"])
@pytest.mark.parametrize("moves", [[], ["left"], ["reduce"], ["left", "reduce"]])
@settings(max_examples=60)
@given(heads=projective_trees(max_words=7), seed=SEEDS)
def test_random_derivations_against_a_slow_twin(
    moves: list[str], root: str, heads: list[int], seed: int
) -> None:
    system = TransitionSystem(arc_eager(non_monotonic=moves, root=root), LABELS)
    sentence = random_derivation(system, heads, seed)
    assert count_fragments(system, [sentence]) == count_slowly(sentence, root == "right")


@settings(max_examples=20)
@given(n_words=st.integers(1, 12), seed=SEEDS)
def test_the_plain_system_with_the_same_classifier_ends_where_ours_passes(
    n_words: int, seed: int
) -> None:
    constrained = TransitionSystem(arc_eager(), LABELS)
    plain = TransitionSystem(arc_eager(tree_constraint=False), LABELS)
    model, same = random_scoring(constrained, seed), random_scoring(plain, seed)
    for name in ("lower_W", "lower_b", "special", "tables"):
        same.set_param(name, model.get_param(name))
    # UNSHIFT, which the plain system lacks, is the last class.
    same.set_param("upper_W", model.get_param("upper_W")[:, : plain.n_classes])
    same.set_param("upper_b", model.get_param("upper_b")[: plain.n_classes])
    vectors = random_vectors(n_words, 8, seed)
    heads, _, _ = greedy.parse(plain, same.predict(None), vectors, [n_words])
    scorer = model.predict(None)
    ((choices,), _) = greedy.derive_by_rules(constrained, scorer, vectors, [n_words])
    end, _ = run(constrained, replay(constrained, scorer, vectors, choices), n_words)
    assert end.tree() == heads.tolist()


def test_a_trained_parser_is_counted_as_it_parses(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    examples = english.read(nlp)[:20]
    derivations = parser.derivations([example.predicted for example in examples])
    found = count_fragments(parser.system, beside_gold(examples, derivations))
    parsed = [*nlp.pipe(example.predicted for example in examples)]
    right = [
        token.head.i == gold.head.i
        for doc, example in zip(parsed, examples) for token, gold in zip(doc, example.reference)
    ]
    assert (found.right_new, found.words) == (sum(right), len(right))
    assert found.sentences == 20


@pytest.mark.parametrize("parameters", [arc_eager(False), arc_eager(segment=True)])
def test_other_systems_are_refused(parameters) -> None:
    system = TransitionSystem(parameters, LABELS)
    with pytest.raises(ValueError, match="tree_constraint=true and segment=false"):
        count_fragments(system, [])


def test_each_doc_has_its_derivations_beside_its_gold_tree(english: Trained) -> None:
    parser = get_parser(english.nlp)
    examples = english.examples[:2]
    derivations = [*parser.derivations([example.predicted.copy() for example in examples])]
    found = [*beside_gold(examples, derivations)]
    assert [sentence.heads for sentence in found] == [
        [token.head.i for token in example.reference] for example in examples
    ]
    with pytest.raises(ValueError, match="zip"):
        list(beside_gold(examples, derivations[:1]))
