# cython: boundscheck=True, wraparound=True
"""The Python face of the oracles."""

import numpy

from ..machine.configuration cimport NONE, ConfigurationC, block_size
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions cimport SystemC, is_legal
from .arc_eager cimport dynamic_costs
from .gold cimport GoldC, GoldTrees
from .static cimport static_costs
from .tree_constraint cimport exact_costs


cdef size_t scratch_size(int n_words) noexcept nogil:
    # A copy of the configuration, and eight numbers for each word.
    return block_size(n_words) + 8 * (n_words + 2)


cdef void prefer_plain(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int* scratch, int* plain_costs, int* costs) noexcept nogil:
    cdef SystemC plain = system[0]
    cdef int i, best = ILLEGAL, best_plain = ILLEGAL
    plain.left_replaces_head = False
    plain.reduce_attaches = False
    dynamic_costs(&plain, c, gold, scratch, plain_costs)
    for i in range(system.n_transitions):
        best = min(best, costs[i])
    for i in range(system.n_transitions):
        if costs[i] == best:
            best_plain = min(best_plain, plain_costs[i])
    for i in range(system.n_transitions):
        if costs[i] == best and plain_costs[i] > best_plain:
            costs[i] += 1


cdef class Oracle:
    """Costs of transitions against a gold tree.

    kind: "static" (one canonical derivation), "dynamic" (a sum over arcs, defined
        everywhere) or "exact" (the true cost under the tree constraint).
    prefer_plain: in training, among the cheapest transitions prefer those that are also
        cheapest in the plain system, so that repairs and UNSHIFT are learnt for when they
        are needed, not relied upon (Honnibal et al. 2013, section 6).
    """

    def __init__(self, str kind, bint prefer_plain=False):
        self.name = kind
        self.prefer_plain = prefer_plain
        self.follow_only = kind == "static"
        if kind == "static":
            self.compute = static_costs
        elif kind == "dynamic":
            self.compute = dynamic_costs
        elif kind == "exact":
            self.compute = exact_costs
        else:
            raise ValueError(f"Oracle '{kind}' is unknown; use static, dynamic or exact")

    def __reduce__(self):
        return Oracle, (self.name, self.prefer_plain)

    def check(self, parameters):
        """Raise ValueError if the oracle is not made for a system."""
        eager = parameters.front and not parameters.right.reduce
        if self.name == "dynamic" and not eager:
            raise ValueError(
                f"The dynamic oracle is for arc-eager systems; '{parameters.name}' has "
                "front=false or right.reduce=true. Use the static oracle"
            )
        if self.name == "exact" and not parameters.tree_constraint:
            raise ValueError(
                f"The exact oracle and tree_constraint=false contradict each other in "
                f"system '{parameters.name}'; use the dynamic oracle, exact there"
            )

    def costs(self, Configuration configuration not None, heads):
        """Cost of each legal transition, a dict from Transition to int.

        heads: gold head of each word; the root is its own head; None is missing.
        """
        return self._costs(configuration, heads, False)

    cdef dict _costs(self, Configuration configuration, heads, bint prefer):
        cdef TransitionSystem system = configuration.system
        cdef int n = configuration.n_words
        cdef int n_transitions = system.c.n_transitions
        self.check(system.parameters)
        cdef GoldTrees gold = GoldTrees(
            [n], [NONE if h is None else h for h in heads], [NONE] * n, system.c.root_right
        )
        cdef int[::1] scratch = numpy.zeros((scratch_size(n),), dtype="i")
        cdef int[::1] costs = numpy.zeros((2 * n_transitions,), dtype="i")
        if n:
            self.compute(&system.c, &configuration.c, gold.c, &scratch[0], &costs[0])
        if n and prefer:
            prefer_plain(&system.c, &configuration.c, gold.c, &scratch[0],
                         &costs[n_transitions], &costs[0])
        cdef int i
        return {system.transitions[i]: costs[i] for i in range(n_transitions)
                if is_legal(&system.c, &configuration.c, &system.c.transitions[i])}

    def derivation(self, TransitionSystem system not None, heads, labels=None):
        """A cheapest derivation of a gold tree: a list of (Transition, label or None).

        Without repairs and UNSHIFT where the tree can be had without them.

        heads: as in `costs`. labels: the gold labels.
        """
        configuration = system.initial(len(heads))
        steps = []
        while not configuration.is_terminal:
            costs = self._costs(configuration, heads, True)
            transition = min(costs, key=costs.get)
            label = None
            if labels is not None and transition.is_arc:
                position = transition.left if transition.move == "LEFT" else transition.right
                label = labels[configuration.operative[-position]]
            configuration.apply(transition, label)
            steps.append((transition, label))
        return steps
