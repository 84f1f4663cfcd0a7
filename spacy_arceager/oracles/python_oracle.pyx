# cython: boundscheck=True, wraparound=True
"""Oracles in plain Python: an object with `costs(configuration, heads)`.

It is asked at every anchor of every configuration, with the GIL, and gets a configuration of
its own each time: a few thousand questions a second, against millions in C.
"""

from ..machine.configuration cimport NONE, copy_configuration
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions.declarations cimport MAX_TRANSITIONS
from .compiled cimport CompiledOracle, compiled
from .costs cimport ILLEGAL, CostFunction, QuestionC, wrapped
from .gold cimport ROOT_HEAD, GoldC
from .oracle cimport Oracle


cdef class PythonOracle(Oracle):
    """An oracle that asks a Python object for the cost of each transition.

    Args:
        cost_model: an object with a method `costs(configuration, heads)`, which gives a dict from
            each legal transition, or its name, to its cost, a whole number from 0. In a system
            whose arcs can be made anywhere, these are the transitions at all anchors. heads: as for
            `Oracle.costs`. An attribute `follow_only`, if true, says that costs mean something on
            its own derivation only, so that training never leaves that.

    Raises:
        TypeError: Where the object has no such method. What `costs` raises comes out of the
            training, derivation or costs that asked.
    """

    def __init__(self, cost_model):
        if not callable(getattr(cost_model, "costs", None)):
            raise TypeError(
                f"An oracle needs a method costs(configuration, heads); {cost_model!r} has none")
        self.cost_model = cost_model
        self.name = type(cost_model).__name__
        self.options = {}
        self.follow_only = bool(getattr(cost_model, "follow_only", False))

    def __reduce__(self):
        return PythonOracle, (self.cost_model,)

    def check(self, parameters):
        """It says itself, in `costs`, which systems it is not made for."""

    def suits(self, parameters):
        """As far as anybody knows, it is made for every system."""
        return True

    def _is_relative(self, parameters):
        return False

    cdef CompiledOracle _compile(self, TransitionSystem system, int n_words,
                                 bint prefers_monotonic):
        cdef CompiledOracle oracle = compiled(CALLBACK, system, n_words, False)
        oracle.callback = PythonCosts(self.cost_model, system)
        oracle.c.context = <void*>oracle.callback
        return oracle


cdef class PythonCosts:
    """Answers the questions of one roll-out, until an answer goes wrong."""

    cdef object cost_model
    cdef TransitionSystem system
    cdef object error

    def __init__(self, cost_model, TransitionSystem system not None):
        self.cost_model = cost_model
        self.system = system

    def check(self):
        """Raise what went wrong."""
        if self.error is None:
            return
        error, self.error = self.error, None
        if not isinstance(error, Exception):
            raise error     # KeyboardInterrupt
        raise ValueError(
            f"The oracle {type(self.cost_model).__name__} failed: {type(error).__name__}: {error}"
        ) from error

    cdef void answer(self, const QuestionC* q, int* costs) noexcept:
        # After an error all costs are 0: the roll-out goes on to its end.
        if self.error is not None:
            return
        try:
            self._answer(q, costs)
        except BaseException as error:
            self.error = error

    cdef int _answer(self, const QuestionC* q, int* costs) except -1:
        cdef Configuration configuration = self.system.initial(q.c.n_words)
        cdef int answered[MAX_TRANSITIONS]
        cdef int i
        copy_configuration(&configuration.c, q.c, &self.system.c.shape)
        answer = self.cost_model.costs(configuration, gold_heads(q.gold, self.system))
        for i in range(q.system.n_transitions):
            if costs[i] != ILLEGAL:
                transition = self.system.transitions[i].at(q.position)
                answered[i] = checked(answer, transition)
        for i in range(q.system.n_transitions):
            if costs[i] != ILLEGAL:
                costs[i] = answered[i]
        return 0


cdef int checked(answer, transition) except -1:
    # The cost of a transition.
    cost = answer.get(transition, answer.get(str(transition)))
    if cost is None:
        raise ValueError(f"no cost of {transition}, which is legal")
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


def as_oracle(thing):
    """An Oracle as it is; of any other object with `costs` one that asks it.

    Raises:
        TypeError: For an object without.
    """
    return thing if isinstance(thing, Oracle) else PythonOracle(thing)
