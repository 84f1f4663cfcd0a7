from textwrap import dedent

import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import arc_eager, arc_hybrid, dag
from spacy_arceager.systems.catalogue import CATALOGUE, find_system
from spacy_arceager.visual import render_derivation, trace
from spacy_arceager.visual.trace import Arc, Derivation, name_words


def derive(parameters, heads: list[int], labels: list[str | None]) -> Derivation:
    names = sorted({label for label in labels if label})
    system = TransitionSystem(parameters, names)
    gold = (heads, labels)
    if parameters.graph:
        gold = ([[head] for head in heads], [[label] for label in labels])
    return trace(system, len(heads), Oracle("static").derivation(system, *gold))


def drawing(text: str) -> str:
    return dedent(text).strip("\n")


def test_swap():
    labels = ["obj", "aux", "nsubj", "det", "root", "punct"]
    derivation = derive(arc_hybrid(swap=True), [4, 4, 4, 0, 4, 4], labels)
    assert render_derivation(derivation, ["Geld", "hat", "er", "keins", "mit", "."]) == drawing(
        """
        transition              stack │ buffer                   arc
        start                         │ Geld hat er keins mit .
        SHIFT                    Geld │ hat er keins mit .
        SHIFT                Geld hat │ er keins mit .
        SHIFT             Geld hat er │ keins mit .
        SWAP                 Geld hat │ keins er mit .
        SWAP                     Geld │ keins hat er mit .
        SHIFT              Geld keins │ hat er mit .
        RIGHT-ARC(det)           Geld │ hat er mit .             Geld ─det─► keins
        SHIFT                Geld hat │ er mit .
        SHIFT             Geld hat er │ mit .
        LEFT-ARC(nsubj)      Geld hat │ mit .                    mit ─nsubj─► er
        LEFT-ARC(aux)            Geld │ mit .                    mit ─aux─► hat
        LEFT-ARC(obj)                 │ mit .                    mit ─obj─► Geld
        SHIFT                     mit │ .
        SHIFT                   mit . │
        RIGHT-ARC(punct)          mit │                          mit ─punct─► .
        root: mit
        """
    )


def test_ascii():
    derivation = derive(arc_hybrid(), [1, 1], ["nsubj", "root"])
    assert render_derivation(derivation, ["She", "reads"], ascii=True) == drawing(
        """
        transition       stack | buffer     arc
        start                  | She reads
        SHIFT              She | reads
        LEFT-ARC(nsubj)        | reads      reads -nsubj-> She
        root: reads
        """
    )


def test_a_word_that_occurs_twice_is_numbered():
    assert name_words(["the", "cat", "the"]) == ["the#1", "cat", "the#3", "ROOT"]


def test_white_space_is_escaped_and_wide_words_line_up():
    derivation = derive(arc_hybrid(), [1, 1], [None, None])
    lines = render_derivation(derivation, ["\n", "日本"]).splitlines()
    assert lines[2:4] == [
        r"SHIFT        '\n' │ 日本",
        r"LEFT-ARC          │ 日本       日本 ──► '\n'",
    ]


def test_an_arc_of_the_artificial_root():
    derivation = derive(arc_eager(False, root="right"), [0], ["root"])
    assert derivation.steps[-1].arcs == [Arc(1, 0, "root")]
    assert "ROOT ─root─► Go" in render_derivation(derivation, ["Go"])


def test_several_roots():
    system = TransitionSystem(arc_eager(False))
    derivation = trace(system, 2, [("SHIFT", None), ("SHIFT", None)])
    assert render_derivation(derivation, ["a", "b"]).splitlines()[-1] == "root: a, b"


def test_a_repaired_head_is_a_new_arc():
    system = TransitionSystem(arc_eager(non_monotonic=["left"]), ["x", "y"])
    moves = [("SHIFT", None), ("RIGHT-ARC", "x"), ("LEFT-ARC", "y")]
    derivation = trace(system, 3, moves)
    assert [step.arcs for step in derivation.steps] == [
        [], [], [Arc(0, 1, "x")], [Arc(2, 1, "y")],
    ]
    assert [step.lost for step in derivation.steps] == [[], [], [], [Arc(0, 1, "x")]]
    assert render_derivation(derivation, ["a", "b", "c"]).splitlines()[4].endswith(
        "c ─y─► b instead of a ─x─► b"
    )


def test_a_shift_shows_no_label_but_gives_it_to_the_word_that_a_reduce_attaches():
    system = TransitionSystem(arc_eager(False, ["reduce"], root="right"), ["x"])
    derivation = trace(system, 3, [("SHIFT", None), ("SHIFT", "x"), ("REDUCE", None)])
    assert [step.label for step in derivation.steps] == [None] * 4
    assert derivation.steps[-1].arcs == [Arc(0, 1, "x")]


def test_probabilities_have_a_column():
    derivation = derive(arc_hybrid(), [1, 1], ["nsubj", "root"])
    drawn = render_derivation(derivation, ["She", "reads"], probabilities=[None, 0.9])
    assert drawn == drawing(
        """
        transition           p  stack │ buffer     arc
        start                         │ She reads
        SHIFT                     She │ reads
        LEFT-ARC(nsubj)  0.900        │ reads      reads ─nsubj─► She
        root: reads
        """
    )


def test_costs_have_a_column():
    derivation = derive(arc_hybrid(), [1, 1], ["nsubj", "root"])
    drawn = render_derivation(
        derivation, ["She", "reads"], probabilities=[None, 0.9], costs=[0, 2])
    assert drawn == drawing(
        """
        transition           p  cost  stack │ buffer     arc
        start                               │ She reads
        SHIFT                           She │ reads
        LEFT-ARC(nsubj)  0.900     2        │ reads      reads ─nsubj─► She
        root: reads
        """
    )


@pytest.mark.parametrize("ascii", [False, True])
def test_words_of_later_sentences_wait_behind_a_second_bar(ascii: bool):
    system = TransitionSystem(arc_hybrid(segment=True), ["x"])
    moves = ["SHIFT", "SHIFT", "BREAK", "RIGHT-ARC", "SHIFT"]
    derivation = trace(system, 4, [(move, None) for move in moves])
    lines = render_derivation(derivation, list("abcd"), ascii=ascii).splitlines()
    bar, waiting = ("|", "||") if ascii else ("│", "‖")
    assert [line.split(f" {bar} ")[1].split("  ")[0] for line in lines[1:7]] == [
        "a b c d", "b c d", "c d", f"{waiting} c d", "c d", "d",
    ]


def test_graphs():
    system = TransitionSystem(dag(), ["x"])
    derivation = trace(system, 2, [("SHIFT", None), ("LEFT-ARC", "x")])
    assert derivation.steps[-1].arcs == [Arc(1, 0, "x")]


def test_illegal_transition():
    with pytest.raises(ValueError, match="LEFT-ARC is not legal"):
        trace(TransitionSystem(arc_hybrid()), 2, [("LEFT-ARC", None)])


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_derive(n: int):
    derivation = trace(TransitionSystem(arc_hybrid()), n, [])
    assert len(derivation.steps) == 1
    assert render_derivation(derivation, ["Yes"][:n]).endswith("root: " + "Yes" * n)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_system_makes_every_arc_once(name: str):
    heads = [1, 3, 1, 3, 3]
    derivation = derive(find_system(name), heads, [None] * 5)
    arcs = sorted(arc[:2] for step in derivation.steps for arc in step.arcs)
    if find_system(name).root != "none":
        arcs.remove((5, 3))     # the artificial root's
    assert derivation.heads == heads
    assert arcs == sorted((head, i) for i, head in enumerate(heads) if head != i)
    lines = render_derivation(derivation, list("abcde")).splitlines()
    assert len({line.index("│") for line in lines[:-1]}) == 1
