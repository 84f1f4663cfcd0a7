# cython: boundscheck=True, wraparound=True
"""Oracles in plain Python: objects with a method `costs(configuration, heads)`.

Such an oracle is called at every anchor of every configuration. Each call needs the GIL and a new
copy of the configuration. That allows a few thousand calls a second; an oracle in C answers
millions of questions a second.
"""

from collections.abc import Mapping
from operator import index as as_index

from ..machine.configuration cimport NONE, copy_configuration
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions.declarations cimport MAX_TRANSITIONS
from .compiled cimport CompiledOracle, compiled
from .costs cimport ILLEGAL, CostFunction, QuestionC, wrapped
from .gold cimport ROOT_HEAD, GoldC
from .oracle cimport Oracle


cdef class PythonOracle(Oracle):
    """An oracle that asks a Python object for the cost of each transition.

    If the object raises an exception, the call that asked the oracle raises ValueError, with the
    exception as its cause. A KeyboardInterrupt is raised unchanged.

    Args:
        cost_model: an object with a method `costs(configuration, heads)`. `heads` are the gold
            heads, as for `Oracle.costs`. The method returns a dict from each legal transition, or
            its name, to its cost, a whole number from 0. In a system that can make arcs at several
            anchors, the dict has the transitions at all anchors. The object may have an attribute
            `follow_only`. If that is true, costs are meaningful only in the configurations of the
            oracle's own derivation, and training never leaves this derivation. If the system has a
            BREAK, the package finds its cost itself: the configuration is then shown as if the
            text ended with the present gold sentence.

    Attributes:
        cost_model: the object that gives the costs.

    Raises:
        TypeError: If the object has no such method.
    """

    cdef readonly object cost_model     # HasCosts

    def __init__(self, cost_model: HasCosts):
        if not callable(getattr(cost_model, "costs", None)):
            raise TypeError(
                f"An oracle needs a method costs(configuration, heads); {cost_model!r} has none")
        self.cost_model = cost_model
        self.name = type(cost_model).__name__
        self.options = {}
        self.follow_only = bool(getattr(cost_model, "follow_only", False))

    def __reduce__(self):
        return PythonOracle, (self.cost_model,)

    def check(self, parameters: SystemParameters) -> None:
        """Do nothing: `costs` itself may raise an error for a system that it is not made for."""

    def _is_relative(self, parameters):
        return False

    cdef CompiledOracle _compile(self, TransitionSystem system, int n_words,
                                 bint prefers_monotonic):
        cdef CompiledOracle oracle = compiled(CALLBACK, system, n_words, False)
        oracle.callback = PythonCosts(self.cost_model, system)
        oracle.c.context = <void*>oracle.callback
        return oracle


cdef class PythonCosts:
    """Asks a Python object for costs, and keeps the first error until `check` raises it.

    The costs are needed in `nogil` functions, which cannot raise an error themselves.
    """

    cdef object cost_model
    cdef TransitionSystem system
    cdef object error

    def __init__(self, cost_model: HasCosts, TransitionSystem system not None):
        self.cost_model = cost_model
        self.system = system

    def check(self) -> None:
        """Raise the error that has been kept, if there is one, and forget it."""
        if self.error is None:
            return
        error, self.error = self.error, None
        if not isinstance(error, Exception):
            raise error     # for example KeyboardInterrupt
        raise ValueError(
            f"The oracle {type(self.cost_model).__name__} failed: {type(error).__name__}: {error}"
        ) from error

    cdef void answer(self, const QuestionC* q, int* costs) noexcept:
        # After an error all costs stay 0, so that the derivation goes on to its end.
        if self.error is not None:
            return
        try:
            self._answer(q, costs)
        except BaseException as error:
            self.error = error

    cdef int _answer(self, const QuestionC* q, int* costs) except -1:
        cdef Configuration configuration
        cdef int answered[MAX_TRANSITIONS]
        cdef bint some_legal = False
        cdef int i
        for i in range(q.system.n_transitions):
            some_legal |= costs[i] != ILLEGAL
        if not some_legal:
            return 0    # where a BREAK is due, nothing else may be legal
        configuration = self.system.initial(q.c.n_words)
        copy_configuration(&configuration.c, q.c, &self.system.c.shape)
        answer = self.cost_model.costs(configuration, gold_heads(q.gold, self.system))
        if not isinstance(answer, Mapping):
            raise TypeError(f"costs() returned {answer!r:.60}, not a dict")
        for i in range(q.system.n_transitions):
            if costs[i] != ILLEGAL:
                transition = self.system.transitions[i].at(q.position)
                answered[i] = checked(answer, transition)
        for i in range(q.system.n_transitions):
            if costs[i] != ILLEGAL:
                costs[i] = answered[i]
        return 0


cdef int checked(answer, transition) except -1:
    # The cost of a transition in an answer. Raises ValueError if it is missing or out of range.
    cost = answer.get(transition, answer.get(str(transition)))
    if cost is None:
        raise ValueError(f"no cost of {transition}, which is legal")
    try:
        cost = as_index(cost)
    except TypeError:
        raise ValueError(f"{transition} costs {cost!r}; costs are whole numbers") from None
    if not 0 <= cost < ILLEGAL:
        raise ValueError(f"{transition} costs {cost}; costs are from 0 to {ILLEGAL - 1}")
    return cost


cdef list gold_heads(const GoldC* gold, TransitionSystem system):
    cdef int word
    if system.c.shape.graph:
        return [sorted(heads_in_graph(gold, word)) for word in range(gold.n_words)]
    heads = []
    for word in range(gold.n_words):
        if gold.head[word] == ROOT_HEAD or gold.head[word] == gold.n_words:
            heads.append(word)
        else:
            heads.append(None if gold.head[word] == NONE else gold.head[word])
    return heads


cdef list heads_in_graph(const GoldC* gold, int word):
    cdef int arc = gold.first_in[word]
    heads = []
    while arc != NONE:
        heads.append(gold.arcs[arc].head)
        arc = gold.arcs[arc].next_in
    return heads


cdef void ask_python(const QuestionC* q, int* costs) noexcept nogil:
    with gil:
        (<PythonCosts>q.oracle.context).answer(q, costs)


cdef CostFunction CALLBACK = wrapped(ask_python, NULL)


def as_oracle(thing: object) -> Oracle:
    """An Oracle unchanged, and any other object with a method `costs` as a PythonOracle.

    Raises:
        TypeError: If the object has no method `costs`.
    """
    return thing if isinstance(thing, Oracle) else PythonOracle(thing)
