"""Derivations to be drawn."""

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.derivation import ScoredStep
from spacy_arceager.systems import SystemParameters, arc_eager
from spacy_arceager.visual.view import View, view_derivation

HEADS = [1, 1, 3, 1]
ARC_EAGER = arc_eager()
NASTY = [
    "</script><script>alert(1)</script>", "<img/src=x/onerror=alert(1)>", "\"'&<!--", "\x00\n]]>",
]
WORDS = ["We", "heard", "Ann", "and", "Ben", "sing"]
GOLD = [1, 1, 5, 2, 2, 1]
REPAIRED = [
    ("SHIFT", None), ("LEFT-ARC", "x"), ("SHIFT", None), ("RIGHT-ARC", "y"), ("RIGHT-ARC", "x"),
    ("REDUCE", None), ("RIGHT-ARC", "x"), ("REDUCE", None), ("LEFT-ARC", "x"), ("RIGHT-ARC", "x"),
    ("REDUCE", None),
]


def oracle_view(
    parameters=ARC_EAGER, words=("She", "reads", "good", "books"), label="x"
) -> View:
    system = TransitionSystem(parameters, [label])
    oracle = Oracle("exact")
    steps = [
        ScoredStep(move, name, [], None)
        for move, name in oracle.derivation(system, HEADS, [label] * 4)
    ]
    return view_derivation("exact <b>", system, words, steps, oracle, HEADS)


def followed(parameters: SystemParameters, moves, words=WORDS, **kwargs) -> View:
    system = TransitionSystem(parameters, ["x", "y"])
    steps = []
    configuration = system.initial(len(words))
    for name, label in moves:
        (taken,) = (move for move in configuration.legal() if str(move) == name)
        configuration.apply(taken, label)
        steps.append(ScoredStep(taken, label, [], None))
    return view_derivation(parameters.name, system, words, steps, **kwargs)


def derived(parameters: SystemParameters, heads: list[int]) -> View:
    system = TransitionSystem(parameters, ["x"])
    gold = [[head] for head in heads] if parameters.graph else heads
    labels = [["x"] for _ in heads] if parameters.graph else ["x"] * len(heads)
    steps = [
        ScoredStep(move, label, [], None)
        for move, label in Oracle("static").derivation(system, gold, labels)
    ]
    words = [f"w{i}" for i in range(len(heads))]
    return view_derivation("s", system, words, steps, constraint_oracle(parameters), gold)
