"""The worked examples of the papers that the systems come from, on sentences of the same shape."""

import pytest

from spacy_arceager import Oracle, TransitionSystem
from spacy_arceager.machine.system import Configuration
from spacy_arceager.systems import arc_eager, arc_hybrid
from spacy_arceager.systems.catalogue import find_system
from spacy_arceager.visual import trace
from spacy_arceager.visual.trace import Arc, Derivation

LABELS = ["amod", "case", "cc", "conj", "dep", "det", "nmod", "nsubj", "obj", "punct"]

# Moves as "RIGHT-ARC obj"; of "SHIFT obj" the label is what a non-monotonic REDUCE gives.
Moves = list[str]


def take(parameters, n_words: int, moves: Moves) -> Derivation:
    system = TransitionSystem(parameters, LABELS)
    pairs = [move.split() for move in moves]
    return trace(system, n_words, [(name, label[0] if label else None) for name, *label in pairs])


# Honnibal, Goldberg and Johnson (2013), figures 1 and 2: who is heard, or who is heard to do
# something. "We heard Ann and Ben (sing)".

WE, HEARD, ANN, AND, BEN, SING = range(6)
SUBJECT = ["SHIFT", "LEFT-ARC nsubj", "SHIFT"]
REST_OF_PHRASE = ["RIGHT-ARC cc", "REDUCE", "RIGHT-ARC conj", "REDUCE"]


def test_a_non_monotonic_left_arc_replaces_the_head_that_a_right_arc_gave() -> None:
    moves = [*SUBJECT, "RIGHT-ARC obj", *REST_OF_PHRASE, "LEFT-ARC nsubj", "RIGHT-ARC dep"]
    parameters = arc_eager(False, ["left"], root="right")
    steps = take(parameters, 6, [*moves, "REDUCE", "LEFT-ARC dep"]).steps
    assert (steps[8].stack, steps[8].buffer[0]) == ([HEARD, ANN], SING)
    assert steps[9].arcs == [Arc(SING, ANN, "nsubj")]
    assert steps[9].lost == [Arc(HEARD, ANN, "obj")]
    assert (steps[9].stack, steps[9].buffer[0]) == ([HEARD], SING)
    heads = [HEARD, HEARD, SING, ANN, ANN, HEARD]
    assert take(parameters, 6, [*moves, "REDUCE", "LEFT-ARC dep"]).heads == heads
    with pytest.raises(ValueError, match="LEFT-ARC is not legal"):
        take(arc_eager(False, root="right"), 6, moves)


def test_a_non_monotonic_reduce_gives_the_head_that_a_shift_did_not() -> None:
    moves = [*SUBJECT, "SHIFT obj", *REST_OF_PHRASE]
    parameters = arc_eager(False, ["reduce"], root="right")
    steps = take(parameters, 5, [*moves, "REDUCE", "LEFT-ARC dep"]).steps
    assert (steps[8].stack, steps[8].buffer) == ([HEARD, ANN], [5])     # the artificial root
    assert steps[9].arcs == [Arc(HEARD, ANN, "obj")]
    assert take(parameters, 5, [*moves, "REDUCE", "LEFT-ARC dep"]).heads == [
        HEARD, HEARD, HEARD, ANN, ANN,
    ]
    with pytest.raises(ValueError, match="REDUCE is not legal here; legal: LEFT-ARC$"):
        take(arc_eager(False, root="right"), 5, [*moves, "REDUCE"])


# Nivre and Fernández-González (2014), figure 1: "Old houses had no view of green parks ."

TREE = [1, 2, 2, 4, 2, 4, 7, 5, 2]
TREE_LABELS = ["amod", "nsubj", None, "det", "obj", "case", "amod", "nmod", "punct"]
BEFORE_OBJECT = ["SHIFT", "LEFT-ARC amod", "SHIFT", "LEFT-ARC nsubj", "SHIFT", "SHIFT",
                 "LEFT-ARC det"]
BELOW_OBJECT = ["RIGHT-ARC case", "SHIFT", "LEFT-ARC amod", "RIGHT-ARC nmod", "REDUCE", "REDUCE"]
END = ["REDUCE", "RIGHT-ARC punct", "REDUCE"]


def test_the_tree_of_an_english_sentence() -> None:
    system = TransitionSystem(arc_eager(), LABELS)
    for name in ("static", "exact"):
        found = Oracle(name).derivation(system, TREE, TREE_LABELS)
        assert [" ".join(filter(None, (str(move), label))) for move, label in found] == [
            *BEFORE_OBJECT, "RIGHT-ARC obj", *BELOW_OBJECT, *END,
        ]
        assert trace(system, 9, found).heads == TREE


def test_unshift_brings_back_a_word_that_was_shifted_and_stayed_without_head() -> None:
    # The object is shifted, so that the sentence ends in three trees: those of had, view and "."
    moves = [*BEFORE_OBJECT, "SHIFT", *BELOW_OBJECT]
    steps = take(arc_eager(), 8, moves).steps
    assert (steps[-1].stack, steps[-1].buffer) == ([2, 4], [])
    after = take(arc_eager(), 8, [*moves, "UNSHIFT"]).steps[-1]
    assert (after.stack, after.buffer) == ([2], [4])
    whole = take(arc_eager(), 8, [*moves, "UNSHIFT", "RIGHT-ARC obj", "REDUCE"])
    assert whole.heads == TREE[:8]
    plain = take(arc_eager(False), 8, moves[:-2])    # stops where the buffer is empty
    assert [word for word, head in enumerate(plain.heads) if head == word] == [2, 4]


def test_words_behind_the_end_of_the_input_are_not_shifted_again() -> None:
    configuration = TransitionSystem(arc_eager(), LABELS).initial(2)
    for move in ["SHIFT", "SHIFT", "UNSHIFT"]:
        configuration.apply(move)
    assert [str(move) for move in configuration.legal()] == ["LEFT-ARC", "RIGHT-ARC"]


# Honnibal and Johnson (2015): UNSHIFT at any time.

def test_unshift_puts_a_headless_word_back_before_the_full_stop() -> None:
    # "view" was shifted, and waits below the full stop for its head.
    system = arc_eager(non_monotonic=["left", "unshift"])
    moves = [*BEFORE_OBJECT, "SHIFT", *BELOW_OBJECT]
    steps = take(system, 9, [*moves, "UNSHIFT"]).steps
    assert (steps[-2].stack, steps[-2].buffer) == ([2, 4], [8])
    assert (steps[-1].stack, steps[-1].buffer) == ([2], [4, 8])
    assert take(system, 9, [*moves, "UNSHIFT", "RIGHT-ARC obj", *END]).heads == TREE


def test_what_was_put_back_is_shifted_onto_an_empty_stack_alone() -> None:
    system = TransitionSystem(arc_eager(non_monotonic=["left", "unshift"]), LABELS)
    configuration = system.initial(3)
    for move in ["SHIFT", "SHIFT", "UNSHIFT"]:
        configuration.apply(move)
    assert (configuration.stack, configuration.buffer) == ([0], [1, 2])
    assert [str(move) for move in configuration.legal()] == ["LEFT-ARC", "RIGHT-ARC"]
    configuration.apply("LEFT-ARC")
    assert [str(move) for move in configuration.legal()] == ["SHIFT"]


@pytest.mark.parametrize(("moves", "n_trees"), [(["left"], 4), (["left", "unshift"], 7)])
def test_trees_of_three_words_left_over(moves: list[str], n_trees: int) -> None:
    configuration = TransitionSystem(arc_eager(non_monotonic=moves)).initial(3)
    for move in ["SHIFT", "SHIFT", "SHIFT"]:
        configuration.apply(move)
    assert len(trees_from(configuration)) == n_trees


def trees_from(configuration: Configuration) -> set[tuple[int, ...]]:
    if configuration.is_terminal:
        return {tuple(configuration.tree())}
    found = set()
    for move in configuration.legal():
        after = configuration.copy()
        after.apply(move)
        found |= trees_from(after)
    return found


# De Lhoneux, Stymne and Nivre (2017), figure 2: nodes have the names of their places in the
# projective order.

ORACLE = Oracle("static_dynamic", swap_order="eager")


def costs(moves: list[str], heads: list[int | None]) -> dict[str, int]:
    configuration: Configuration = TransitionSystem(arc_hybrid(swap=True)).initial(len(heads))
    for move in moves:
        configuration.apply(move, "dep" if "ARC" in move else None)
    found = ORACLE.costs(configuration, heads)
    return {str(move): cost for move, cost in found.items() if str(move) != "SWAP"}


def test_costs_where_words_stand_in_projective_order() -> None:
    # 1 is the head of 3 and 3 that of 2; 1 and 2 are on the stack.
    assert costs(["SHIFT", "SHIFT"], [0, 2, 0]) == {"SHIFT": 2, "LEFT-ARC": 0, "RIGHT-ARC": 1}


def test_costs_where_they_do_not() -> None:
    # The words are 1 2 4 3, 1 is the head of 4, 4 of 2 and 2 of 3; 1 and 2 are on the stack.
    assert costs(["SHIFT", "SHIFT"], [0, 2, 0, 1]) == {"SHIFT": 0, "LEFT-ARC": 1, "RIGHT-ARC": 2}


# Bohnet, McDonald, Pitler and Ma (2016), figure 1: the same arc, from a noun to its article, in
# three systems. "Here is a bird that sings"

HERE, IS, A, BIRD, THAT, SINGS = range(6)


@pytest.mark.parametrize(
    ("name", "moves", "operative", "active", "unprocessed"),
    [
        ("arc_standard", ["SHIFT", "SHIFT", "LEFT-ARC dep", "SHIFT", "SHIFT", "LEFT-ARC det"],
         [IS, BIRD], [IS, BIRD], [THAT, SINGS]),
        ("arc_eager_plain", ["SHIFT", "LEFT-ARC dep", "SHIFT", "SHIFT", "LEFT-ARC det"],
         [IS, BIRD], [IS, BIRD], [THAT, SINGS]),
        ("easy_first", ["LEFT-ARC@3 det"],
         [HERE, IS, BIRD, THAT, SINGS], [HERE, IS, BIRD, THAT, SINGS], []),
        ("easy_first_k4", ["SHIFT", "SHIFT", "SHIFT", "SHIFT", "LEFT-ARC det"],
         [HERE, IS, BIRD], [HERE, IS, BIRD], [THAT, SINGS]),
    ],
)
def test_an_arc_in_several_systems(
    name: str, moves: Moves, operative: list[int], active: list[int], unprocessed: list[int]
) -> None:
    parameters = find_system(name)
    step = take(parameters, 6, moves).steps[-1]
    assert step.arcs == [Arc(BIRD, A, "det")]
    front = [BIRD] if parameters.front else []
    assert step.stack + front == operative
    assert step.active == active
    assert step.buffer == front + unprocessed
