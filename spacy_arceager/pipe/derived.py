"""The derivation of a sentence by an oracle or by a parser, to be shown to people."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ..annotation.fixed_arcs import read_arcs
from ..corpus.conllu import SurfaceText
from ..decoding.decoder import ScoredDerivation
from ..machine.system import TransitionSystem
from ..oracles.configured import constraint_oracle
from ..oracles.oracle import Oracle
from ..search.derivation import ScoredStep
from ..systems.catalogue import display_name
from ..systems.parameters import SystemParameters
from ..visual.trace import Derivation, trace
from ..visual.view import View, view_derivation


class Gold(NamedTuple):
    """The heads and labels of a gold tree or graph, as oracles take them."""

    heads: list[Any]
    labels: list[Any]
    is_graph: bool


class Derived(NamedTuple):
    """How a sentence was derived.

    Attributes:
        steps: the transitions. Those of an oracle have no scored options.
        gold: the gold tree or graph; None if it is not known.
        score: the score of the derivation; None if it is an oracle's.
        text: the sentence as text; "" stands for its words with blanks between them.
        fixed: the head that each word had to have, None where it was free; empty if all were.
    """

    name: str
    system: TransitionSystem
    words: list[str]
    steps: list[ScoredStep]
    gold: Gold | None = None
    score: float | None = None
    text: str = ""
    fixed: Sequence[int | None] = ()

    @property
    def unit(self) -> str:
        """What was derived: a "sentence", or a "document" whose sentences the parser has found.

        What has a gold tree is a sentence.
        """
        return "document" if self.system.parameters.segment and not self.gold else "sentence"

    def trace(self) -> Derivation:
        """The configurations after each step."""
        transitions = [(step.transition, step.label) for step in self.steps]
        return trace(self.system, len(self.words), transitions)

    def heads(self, derivation: Derivation) -> list[Any]:
        """The heads that a derivation of this sentence has built, in the form of the gold heads."""
        if self.gold is None or not self.gold.is_graph:
            return derivation.heads
        heads: list[list[int]] = [[] for _ in self.words]
        for arc in sorted(arc[:2] for step in derivation.steps for arc in step.arcs):
            heads[arc[1]].append(arc[0])
        return heads

    def wrong_words(self, derivation: Derivation) -> list[int]:
        """The words that have other heads in the gold tree or graph; none if it is not known."""
        if self.gold is None:
            return []
        pairs = zip(self.heads(derivation), self.gold.heads)
        return [word for word, (head, gold) in enumerate(pairs) if head != gold]

    def excess_costs(self) -> list[int | None]:
        """How much more each step costs than the cheapest; None where costs are not known."""
        view = self.view()
        return [view.excess(number) for number in range(1, len(self.steps) + 1)]

    def lifted_words(self, derivation: Derivation) -> list[int]:
        """The words that have other heads in a derivation than the fixed ones.

        The arcs to these heads were lifted, as the system cannot derive them; the parse has them.
        """
        pairs = zip(self.fixed, derivation.heads)
        return [word for word, (head, built) in enumerate(pairs) if head not in (None, built)]

    def view(self) -> View:
        """What is drawn of the derivation. With a gold tree it has the costs of all choices."""
        view = view_derivation(
            self.name, self.system, self.words, self.steps,
            constraint_oracle(self.system.parameters), self.gold and self.gold.heads, self.text,
        )
        return view._replace(lifted=self.lifted_words(view.derivation))


def derive_gold(
    name: str, parameters: SystemParameters, oracle: Oracle, words: list[str], gold: Gold
) -> Derived:
    """The derivation that an oracle chooses. Raises the ValueErrors of the oracle."""
    labels = chain.from_iterable(gold.labels) if gold.is_graph else gold.labels
    system = TransitionSystem(parameters, sorted({label for label in labels if label}))
    transitions = oracle.derivation(system, gold.heads, gold.labels)
    steps = [ScoredStep(transition, label, [], None) for transition, label in transitions]
    return Derived(name, system, words, steps, gold)


def derive_closest(
    name: str, parameters: SystemParameters, oracle: Oracle, words: list[str], gold: Gold
) -> Derived:
    """The derivation that an oracle chooses or, if it misses a tree, one with fewer wrong heads.

    A static oracle knows no good way once a gold arc is out of reach; the exact or the dynamic one
    does.
    """
    derived = derive_gold(name, parameters, oracle, words, gold)
    other = constraint_oracle(parameters)
    if gold.is_graph or other is None or not derived.wrong_words(derived.trace()):
        return derived
    closer = derive_gold(name, parameters, Oracle(other.name), words, gold)
    candidates = (derived, closer)
    return min(candidates, key=lambda one: len(one.wrong_words(one.trace())))


def describe(
    system: TransitionSystem, doc: Doc, derivations: Iterable[ScoredDerivation], name: str = "",
    gold: Gold | None = None,
) -> list[Derived]:
    """How each sentence of a Doc was derived.

    Args:
        derivations: as `ArcEagerParser.derivations` gives them for the Doc.
        name: the name of the derivations; by default the name of the system.
        gold: the gold tree or graph, for a Doc of one sentence.
    """
    text = SurfaceText(doc)
    heads = {dependent: head for dependent, head, _ in read_arcs(doc) if head is not None}
    return [
        Derived(
            name or display_name(system.parameters), system,
            [doc[i].text for i in derivation.words], derivation.steps, gold, derivation.score,
            text.of(derivation.words), fixed_heads(heads, derivation.words),
        )
        for derivation in derivations
    ]


def fixed_heads(heads: Mapping[int, int], words: Sequence[int]) -> list[int | None]:
    """The fixed head of each of some words, both counted among these words; None where free.

    Args:
        heads: the fixed heads, by the token indices of their dependents.
        words: token indices.
    """
    place = {token: i for i, token in enumerate(words)}
    return [place[heads[token]] if token in heads else None for token in words]
