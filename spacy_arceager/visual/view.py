"""A derivation with everything that a drawing shows: choices, costs, errors and repairs."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import NamedTuple, cast

from ..machine.system import TransitionSystem
from ..oracles.oracle import Oracle
from ..search.derivation import Option, ScoredStep
from ..systems.parameters import SystemParameters, Transition
from .text import printable
from .trace import (
    ROOT_NAME,
    Arc,
    Derivation,
    Step,
    name_words,
    shown_label,
    trace,
    with_printable_labels,
)

MOST_CHOICES = 12    # so many choices of a step are shown; some systems have hundreds


class Choice(NamedTuple):
    """A transition that was legal before a step; what is not known of it is None."""

    transition: str
    label: str | None
    score: float | None
    probability: float | None
    cost: int | None
    taken: bool


class View(NamedTuple):
    """A derivation of a sentence.

    Attributes:
        judge: the name of the oracle that tells the costs of choices, "" without such an oracle.
        words: the words, and behind them the artificial root.
        names: the same with numbers, so that equal words can be told apart.
        choices: the choices that are shown of each step; the start has none.
        n_choices: how many choices each step had.
        gold: the gold heads of each word, none for a root and None where they are not known; None
            without a gold tree.
        lifted: the words whose arcs were lifted, which have other heads in the parse.
    """

    name: str
    judge: str
    parameters: SystemParameters
    words: list[str]
    names: list[str]
    derivation: Derivation
    choices: list[list[Choice]]
    n_choices: list[int]
    gold: list[list[int] | None] | None
    text: str
    lifted: Sequence[int] = ()

    def excess(self, number: int) -> int | None:
        """How much more a step costs than the cheapest one; None where costs are not known."""
        costs = [choice.cost for choice in self.choices[number] if choice.cost is not None]
        taken = [choice.cost for choice in self.choices[number] if choice.taken]
        return taken[0] - min(costs) if costs and taken[0] is not None else None

    def marks(self, number: int) -> list[str]:
        """The marks of a step: "error" if it costs more than needed, "repair" if it is one."""
        is_error = bool(self.excess(number))
        return ["error"] * is_error + ["repair"] * is_repair(self.derivation.steps[number])

    @property
    def roots(self) -> list[int]:
        """The roots of the tree that was built."""
        return [word for word, head in enumerate(self.derivation.heads) if head == word]

    @property
    def wrong(self) -> list[int]:
        """The words whose heads are not the gold heads; none where no gold tree is known."""
        artificial = len(self.names) - 1
        arcs: set[Arc] = set()
        for step in self.derivation.steps:
            arcs = arcs.difference(step.lost).union(step.arcs)
        built: list[set[int]] = [set() for _ in range(artificial)]
        for arc in arcs:
            if arc.head != artificial:
                built[arc.dependent].add(arc.head)
        return [
            word for word, heads in enumerate(self.gold or [])
            if heads is not None and built[word] != set(heads)
        ]


def is_repair(step: Step) -> bool:
    """Whether a step is non-monotonic: it replaces an arc, or REDUCE makes one."""
    return bool(step.lost) or (step.transition.startswith("REDUCE") and bool(step.arcs))


def view_derivation(
    name: str,
    system: TransitionSystem,
    words: Sequence[str],
    steps: Sequence[ScoredStep],
    oracle: Oracle | None = None,
    gold: Sequence[int | Sequence[int] | None] | None = None,
    text: str = "",
) -> View:
    """Collect what drawings show of a derivation.

    Args:
        steps: the steps of a model (`parser.derivations`), or of an oracle, which have no options.
        oracle: tells the costs of legal transitions, if gold heads are known.
        gold: the head of each word, where a root is its own head, and None where it is missing; or
            the heads, for a graph.
        text: the sentence as text; by default its words with blanks between them.

    Raises:
        ValueError: Where a step is not legal.
    """
    gold = None if gold is None else list(gold)
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
        [*map(printable, words), ROOT_NAME],
        name_words(words),
        with_printable_labels(trace(system, len(words), transitions)),
        [*map(shorten, choices)],
        [*map(len, choices)],
        None if gold is None else [heads_of(word, heads) for word, heads in enumerate(gold)],
        " ".join(map(printable, (text or " ".join(words)).split())),
    )


def heads_of(word: int, gold: int | Sequence[int] | None) -> list[int] | None:
    """The gold heads of a word of a tree or a graph, none for a root; None if they are unknown."""
    if gold is None:
        return None
    heads = [gold] if isinstance(gold, Integral) else cast(Sequence[int], gold)
    return [int(head) for head in heads if head != word]


def list_choices(step: ScoredStep, costs: Mapping[Transition, int]) -> list[Choice]:
    """All choices before a step, the most probable or cheapest first."""
    options: list[Option | Transition] = [*step.options] or [*costs] or [step.transition]
    choices = [to_choice(option, step, costs) for option in options]
    return sorted(choices, key=lambda c: (-(c.probability or 0), c.cost or 0, not c.taken))


def to_choice(
    option: Option | Transition, step: ScoredStep, costs: Mapping[Transition, int]
) -> Choice:
    """A choice with its score and probability, if a model gave any, and its cost."""
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
    """The first choices, and of the others the one that was taken and the cheapest one."""
    shown, rest = choices[:MOST_CHOICES], choices[MOST_CHOICES:]
    cheapest = min(rest, key=lambda c: c.cost or 0, default=None)
    return shown + [choice for choice in rest if choice.taken or choice is cheapest]
