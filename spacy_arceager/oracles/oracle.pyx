# cython: boundscheck=True, wraparound=True
"""The Python face of the oracles."""

from collections.abc import Iterable
from functools import partial
from types import MappingProxyType

import numpy

from ..machine.configuration cimport NONE, ConfigurationC
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions.declarations cimport MAX_TRANSITIONS
from ..machine.transitions.dispatch cimport first_anchor, n_anchors, next_anchor
from .compiled cimport CompiledOracle, cheapest, compiled, oracle_costs
from .costs cimport ILLEGAL, CheapestC
from .gold cimport GoldTrees

from ..trees.algorithms import has_cycle
from .registry import find_row, options_of, rows_of


cdef class Oracle:
    """The costs of transitions, given a gold tree, or a gold graph if the system builds graphs.

    Args:
        name: one of registry.NAMES. docs/oracles.md describes how the oracle of each name finds the
            costs, for which systems it is made, and which options it has.
        options: values for some options of the oracle. The others get their defaults.

    Attributes:
        options: a read-only mapping from all options of the oracle to their values.
        follow_only: whether the costs are meaningful only in the configurations of the oracle's own
            derivation.

    Raises:
        ValueError: If the name, an option or the value of an option is unknown.
    """

    def __init__(self, str name not None, **options: bool | str):
        known = options_of(name)
        for option, value in options.items():
            if option not in known:
                names = ", ".join(known) or "no options"
                raise ValueError(f"The {name} oracle has no option '{option}'; it has {names}")
            known[option].check(value)
        self.name = name
        self.options = MappingProxyType(
            {option: known[option].default for option in known} | options)
        self.follow_only = any(row.follow_only for row in rows_of(name))

    def __reduce__(self):
        return partial(Oracle, self.name, **self.options), ()

    def check(self, parameters: SystemParameters) -> None:
        """Raise ValueError if the oracle is not made for the system with these parameters."""
        find_row(self.name, parameters)

    cdef CompiledOracle compile(self, TransitionSystem system, int n_words, bint preferred=True):
        return self._compile(system, n_words, preferred and self.options.get("prefer_monotonic"))

    cdef CompiledOracle _compile(self, TransitionSystem system, int n_words,
                                 bint prefers_monotonic):
        row = find_row(self.name, system.parameters)
        return compiled(row.costs(self.options), system, n_words, prefers_monotonic)

    def costs(
        self, Configuration configuration not None, heads: Iterable[int | Collection[int] | None],
        starts: Sequence[bool] | None = None, bint preferred=False,
    ) -> dict[Transition, int]:
        """The cost of each legal transition, as a dict from Transition to int.

        Args:
            heads: (n_words,) the gold head of each word. A root is its own head, and None is a
                missing head. For a system that builds graphs: a collection of gold heads for each
                word.
            starts: (n_words,) bool, where gold sentences start, for systems with BREAK.
            preferred: whether the costs are the ones that training uses. In these, the option
                `prefer_monotonic` adds one to the costs of some cheapest transitions, and what is
                not among the cheapest may cost less than by default.

        Raises:
            ValueError: If the gold tree does not fit the configuration, or the oracle is not made
                for the system.
            TypeError: If the system builds graphs and a word has no collection of gold heads.
        """
        cdef int n = configuration.c.n_words
        cdef TransitionSystem system = configuration.system
        cdef CompiledOracle oracle = self.compile(system, n, preferred)
        heads = list(heads)
        if len(heads) != n:
            raise ValueError(f"{len(heads)} gold heads for {n} words")
        costs = self._costs(configuration, heads, starts, oracle, not preferred)
        oracle.check()
        return from_cheapest(costs) if self._is_relative(system.parameters) else costs

    def _is_relative(self, parameters):
        return find_row(self.name, parameters).is_relative

    cdef dict _costs(self, Configuration configuration, heads, starts,
                     CompiledOracle oracle, bint exact):
        cdef TransitionSystem system = configuration.system
        cdef const ConfigurationC* c = &configuration.c
        cdef GoldTrees gold = one_gold(system, heads, starts)
        cdef int costs[MAX_TRANSITIONS]
        cdef int anchor = first_anchor(&system.c, c)
        cdef int position, i
        cdef int best = c.n_words
        by_transition = {}
        for position in range(1, n_anchors(&system.c, c) + 1 if c.n_words else 0):
            oracle_costs(&oracle.c, c, gold.c, anchor, position, ILLEGAL if exact else best,
                         costs)
            for i in range(system.c.n_transitions):
                if costs[i] < ILLEGAL:
                    by_transition[system.transitions[i].at(position)] = costs[i]
                    best = min(best, costs[i])
            anchor = next_anchor(c, anchor)
        return by_transition

    def derivation(
        self, TransitionSystem system not None, heads: Iterable[int | Collection[int] | None],
        labels: Sequence[str | Sequence[str] | None] | None = None,
        starts: Sequence[bool] | None = None,
    ) -> list[tuple[Transition, str | None]]:
        """A derivation of a gold tree by cheapest transitions.

        It prefers cheapest transitions that are neither UNSHIFT nor a repair by a non-monotonic
        transition. The derivation is a list of pairs (Transition, label), where a label may be
        None.

        Args:
            heads: (n_words,) the gold heads, as for `costs`.
            labels: (n_words,) the gold label of each word. For a system that builds graphs: the
                labels of the arcs to each word, in the order of its gold heads.
            starts: (n_words,) bool, where gold sentences start, as for `costs`.

        Raises:
            ValueError: If the heads, labels and starts do not fit together, the heads of a tree
                form a cycle, or the oracle is not made for the system.
            TypeError: If the system builds graphs and a word has no collection of gold heads.
        """
        heads = list(heads)
        if labels is not None and len(labels) != len(heads):
            raise ValueError(f"{len(labels)} gold labels for {len(heads)} gold heads")
        cdef CompiledOracle oracle = self._compile(system, len(heads), True)
        cdef GoldTrees gold = one_gold(system, heads, starts)
        if not gold.is_graph and has_cycle(numpy.array(as_numbers(heads), dtype="i")):
            raise ValueError("The gold heads form a cycle")
        cdef Configuration configuration = system.initial(len(heads))
        cdef CheapestC best
        steps = []
        while not configuration.is_terminal:
            best = cheapest(&oracle.c, &configuration.c, gold.c)
            oracle.check()
            transition = system.transitions[best.transition].at(best.position)
            label = None
            if labels is not None and transition.is_arc:
                label = gold_label(configuration, transition, heads, labels)
            configuration.apply(transition, label)
            steps.append((transition, label))
        return steps


cdef dict from_cheapest(dict costs):
    # Subtracts the least cost from all costs, so that the cheapest transition costs nothing.
    least = min(costs.values(), default=0)
    return {transition: cost - least for transition, cost in costs.items()}


cdef GoldTrees one_gold(TransitionSystem system, list heads, starts):
    # The gold tree or graph of one sentence, without labels.
    cdef int n = len(heads)
    has_root = system.parameters.root != "none"
    if system.parameters.graph:
        return GoldTrees([n], [NONE] * n, [NONE] * n, has_root, starts, graph_arcs(heads))
    return GoldTrees([n], as_numbers(heads), [NONE] * n, has_root, starts)


cdef list graph_arcs(list heads):
    # The arcs of a graph, without labels.
    for word, of_word in enumerate(heads):
        if not isinstance(of_word, Iterable):
            raise TypeError(
                f"The gold heads of word {word} are {of_word!r:.60}. For a system that builds "
                "graphs, give a collection of heads for each word")
    return [(word, head, NONE) for word, of_word in enumerate(heads) for head in of_word]


cdef list as_numbers(list heads):
    # The heads of a tree, without None.
    return [NONE if head is None else head for head in heads]


cdef object gold_label(configuration, transition, heads, labels):
    # The gold label for the arc that a transition makes. In a tree it is the label of the
    # dependent, whatever the head. In a graph it is None if the arc is no gold arc.
    ends = [configuration.operative[1 - position - transition.anchor]
            for position in (transition.left, transition.right)]
    dependent, head = ends if transition.move == "LEFT" else ends[::-1]
    if not configuration.system.parameters.graph:
        return labels[dependent]
    gold = dict(zip(heads[dependent], labels[dependent]))
    return gold.get(head)
