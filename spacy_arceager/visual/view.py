"""A derivation with all that is to be seen of it: choices, costs, errors and repairs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..machine.system import TransitionSystem
from ..oracles.oracle import Oracle
from ..search.derivation import Option, ScoredStep
from ..systems.parameters import SystemParameters, Transition
from .text import printable
from .trace import (
    ROOT,
    Arc,
    Derivation,
    Step,
    name_words,
    shown_label,
    trace,
    with_printable_labels,
)

MOST_CHOICES = 12    # shown of a step; systems with many anchors have hundreds


class Choice(NamedTuple):
    """What could be done before a step; score, probability and cost are None where unknown."""

    transition: str
    label: str | None
    score: float | None
    probability: float | None
    cost: int | None
    taken: bool


class View(NamedTuple):
    """A derivation of a sentence.

    Attributes:
        name: of the system or model.
        judge: of the oracle that says what choices cost, "" where there is none.
        words: the words as they are, and told apart; behind them is the artificial root.
        names: the words as they are, and told apart; behind them is the artificial root.
        choices: of each step of the derivation, none of the start; how many there were.
        n_choices: of each step of the derivation, none of the start; how many there were.
        gold: the heads of each word, None where they are not known; a root has none.
    """

    name: str
    judge: str
    parameters: SystemParameters
    words: list[str]
    names: list[str]
    derivation: Derivation
    choices: list[list[Choice]]
    n_choices: list[int]
    gold: list[list[int]] | None

    def marks(self, number: int) -> list[str]:
        """What is to be said of a step: "error" and "repair" if it is one."""
        step = self.derivation.steps[number]
        costs = [choice.cost for choice in self.choices[number] if choice.cost is not None]
        taken = [choice.cost for choice in self.choices[number] if choice.taken]
        is_error = bool(costs) and taken[0] is not None and taken[0] > min(costs)
        return ["error"] * is_error + ["repair"] * is_repair(step)


    @property
    def roots(self) -> list[int]:
        """The words without a head that is a word."""
        return [word for word, head in enumerate(self.derivation.heads) if head == word]

    @property
    def wrong(self) -> list[int]:
        """The words whose heads are not the gold ones; none where these are not known."""
        artificial = len(self.names) - 1
        arcs: set[Arc] = set()
        for step in self.derivation.steps:
            arcs = arcs.difference(step.lost).union(step.arcs)
        built: list[set[int]] = [set() for _ in range(artificial)]
        for arc in arcs:
            if arc.head != artificial:
                built[arc.dependent].add(arc.head)
        return [word for word, heads in enumerate(self.gold or []) if built[word] != set(heads)]


def is_repair(step: Step) -> bool:
    """Whether a step is non-monotonic: it replaces an arc, or REDUCE makes one."""
    return bool(step.lost) or (step.transition.startswith("REDUCE") and bool(step.arcs))


def view_derivation(
    name: str,
    system: TransitionSystem,
    words: Sequence[str],
    steps: Sequence[ScoredStep],
    oracle: Oracle | None = None,
    gold: Sequence[int | Sequence[int]] | None = None,
) -> View:
    """What is to be seen of a derivation.

    Args:
        steps: of a model (`parser.derivations`), or of an oracle, without options.
        gold: the head of each word, a root is its own; of a graph, its heads.
        oracle: for the costs of what was legal, where there are gold heads.

    Raises:
        ValueError: Where a step is not legal.
    """
    transitions = [(step.transition, step.label) for step in steps]
    configuration = system.initial(len(words))
    choices: list[list[Choice]] = [[]]
    for step in steps:
        costs = oracle.costs(configuration, gold) if oracle and gold else {}
        choices.append(list_choices(step, costs))
        configuration.apply(step.transition, step.label)
    return View(
        name,
        oracle.name if oracle and gold else "",
        system.parameters,
        [*map(printable, words), ROOT],
        name_words(words),
        with_printable_labels(trace(system, len(words), transitions)),
        [shorten(one) for one in choices],
        [len(one) for one in choices],
        None if gold is None else [
            [head for head in ([heads] if isinstance(heads, int) else heads) if head != word]
            for word, heads in enumerate(gold)
        ],
    )


def list_choices(step: ScoredStep, costs: Mapping[Transition, int]) -> list[Choice]:
    """All choices there were, the most probable or cheapest first."""
    options: list[Option | Transition] = [*step.options] or [*costs] or [step.transition]
    choices = [to_choice(option, step, costs) for option in options]
    return sorted(
        choices,
        key=lambda c: (-(c.probability or 0), c.cost or 0, not c.taken),
    )


def to_choice(
    option: Option | Transition, step: ScoredStep, costs: Mapping[Transition, int]
) -> Choice:
    """A choice by what the model says of it, if it is known, and what the oracle does."""
    if isinstance(option, Transition):
        taken = option == step.transition
        makes_arc = taken and option.is_arc
        return Choice(
            str(option), shown_label(step.label) if makes_arc else None, None, None,
            costs.get(option), taken,
        )
    return Choice(
        str(option.transition), shown_label(option.label), option.score,
        option.probability * option.label_probability, costs.get(option.transition),
        option == step.taken,
    )


def shorten(choices: list[Choice]) -> list[Choice]:
    """The first ones, the one that was taken, and one of the cheapest."""
    kept = choices[:MOST_CHOICES]
    rest = choices[MOST_CHOICES:]
    cheapest = min(rest, key=lambda c: c.cost or 0, default=None)
    return kept + [choice for choice in rest if choice.taken or choice is cheapest]
