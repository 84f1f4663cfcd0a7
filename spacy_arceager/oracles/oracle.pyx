# cython: boundscheck=True, wraparound=True
"""The Python face of the oracles."""

import numpy

from ..machine.configuration cimport NONE, TOP, ConfigurationC, block_size
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions cimport SystemC, first_anchor, is_arc, is_legal, n_anchors
from .arc_eager cimport dynamic_costs
from .arc_standard cimport tabular_costs
from .gold cimport GoldC, GoldTrees
from .graph cimport graph_costs, static_graph_costs
from .lookahead cimport lookahead_costs
from .reachability cimport reachability_costs
from .segmentation cimport sentence_view
from .static cimport eager_costs, lazy_costs, static_costs
from .swap cimport (
    lazy_static_dynamic_costs,
    static_dynamic_costs,
    swap_costs,
    swap_costs_with_ties,
)
from .swap_search cimport searched_costs, searched_costs_with_ties
from .tree_constraint cimport exact_costs

from .support import check_generic, is_arc_decomposable, is_arc_standard


cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil:
    # Two copies of the configuration, and eight numbers for each word.
    return 2 * block_size(&system.shape, n_words) + 8 * (n_words + 2)


cdef void oracle_costs(const OracleC* oracle, const SystemC* system, const ConfigurationC* c,
                       const GoldC* gold, int anchor, int position, int* scratch,
                       int* costs) noexcept nogil:
    if system.segments:
        costs_with_break(oracle, system, c, gold, anchor, position, scratch, costs)
    else:
        costs_in_sentence(oracle, system, c, gold, anchor, position, scratch, costs)


cdef void costs_in_sentence(const OracleC* oracle, const SystemC* system,
                            const ConfigurationC* c, const GoldC* gold, int anchor,
                            int position, int* scratch, int* costs) noexcept nogil:
    oracle.compute(system, c, gold, anchor, position, scratch, costs)
    if oracle.plain != NULL:
        prefer_plain(oracle, system, c, gold, scratch, costs + system.n_transitions, costs)


cdef void costs_with_break(const OracleC* oracle, const SystemC* system,
                           const ConfigurationC* c, const GoldC* gold, int anchor,
                           int position, int* scratch, int* costs) noexcept nogil:
    cdef ConfigurationC view
    cdef SystemC rest = system[0]     # without BREAK, the last transition
    cdef int last = system.n_transitions - 1
    cdef int cheapest = ILLEGAL
    cdef int i
    cdef bint due = sentence_view(&view, system, c, gold, oracle.breaks_freely, scratch)
    rest.n_transitions = last
    costs_in_sentence(oracle, &rest, &view, gold, anchor, position,
                      scratch + block_size(&system.shape, c.n_words), costs)
    # The cheapest transition may cost more than nothing if the oracle is not exact.
    costs[last] = ILLEGAL
    for i in range(last):
        cheapest = min(cheapest, costs[i])
    if cheapest == ILLEGAL:
        cheapest = 0
    if due or oracle.breaks_freely:
        costs[last] = cheapest
    for i in range(system.n_transitions):
        if not is_legal(system, c, &system.transitions[i], anchor, position):
            costs[i] = ILLEGAL
        elif costs[i] >= ILLEGAL:
            costs[i] = cheapest + 1


cdef void prefer_plain(const OracleC* oracle, const SystemC* system,
                       const ConfigurationC* c, const GoldC* gold, int* scratch,
                       int* plain_costs, int* costs) noexcept nogil:
    # Adds one to the cost of those cheapest transitions that are not among the cheapest of
    # the plain system, unless none is. `plain_costs` has room for n_transitions ints.
    cdef SystemC plain = system[0]
    cdef int i, best = ILLEGAL, best_plain = ILLEGAL
    plain.left_replaces_head = False
    plain.reduce_attaches = False
    oracle.plain(&plain, c, gold, TOP, 1, scratch, plain_costs)
    for i in range(system.n_transitions):
        best = min(best, costs[i])
        if is_arc(&system.transitions[i]) and system.transitions[i].left == 3:
            plain_costs[i] = ILLEGAL     # ATTACH
    for i in range(system.n_transitions):
        if costs[i] == best:
            best_plain = min(best_plain, plain_costs[i])
    for i in range(system.n_transitions):
        if costs[i] == best and plain_costs[i] > best_plain:
            costs[i] += 1


cdef cost_function plain_function(parameters, bint preferred) except? NULL:
    # Costs by which UNSHIFT and non-monotonic transitions are repairs.
    if not preferred or not parameters.has_arc_eager_arcs:
        return NULL
    if parameters.is_arc_eager:
        return dynamic_costs
    return reachability_costs


KINDS = ("static", "static_dynamic", "dynamic", "reachability", "lookahead", "exact")
SWAP_ORDERS = ("arcs_first", "eager", "lazy")


cdef str other_oracles(parameters):
    if not parameters.swap:
        return "it is for arc-hybrid systems with SWAP"
    return "use the static oracle" + (" or the exact one" if parameters.is_arc_standard else "")


cdef dict from_cheapest(dict costs):
    # Costs such that the cheapest transition costs nothing.
    cheapest = min(costs.values(), default=0)
    return {transition: cost - cheapest for transition, cost in costs.items()}


cdef class Oracle:
    """Costs of transitions against a gold tree, or graph where the system builds graphs.

    kind: "static" (one canonical derivation), "reachability" (a sum over arcs),
        "lookahead" (parses on after each transition), "dynamic" (the better one of these
        that is defined everywhere) or "exact" (the true cost, where it is known how).
        "static_dynamic" is dynamic but for SWAP, which it takes where the projective order
        asks for it.
    prefer_plain: in training, among the cheapest transitions prefer those that are also
        cheapest in the plain system, so that repairs and UNSHIFT are learnt for when they
        are needed, not relied upon (Honnibal et al. 2013, section 6).
    swap_order: when the static oracle takes SWAP: "arcs_first", "eager" or "lazy"; and the
        static-dynamic one: "lazy", or as soon as the projective order asks for it.
    projective_ties: the projective order decides about a SWAP that is as cheap as another
        transition, in the dynamic and the exact oracle.
    """

    def __init__(self, str kind, bint prefer_plain=False, str swap_order="arcs_first",
                 bint projective_ties=True):
        self.name = kind
        self.prefer_plain = prefer_plain
        self.swap_order = swap_order
        self.projective_ties = projective_ties
        self.follow_only = kind == "static"
        if kind not in KINDS:
            raise ValueError(f"Oracle '{kind}' is unknown; use one of {', '.join(KINDS)}")
        if swap_order not in SWAP_ORDERS:
            raise ValueError(
                f"swap_order='{swap_order}' is unknown; use one of {', '.join(SWAP_ORDERS)}"
            )

    def __reduce__(self):
        return Oracle, (self.name, self.prefer_plain, self.swap_order, self.projective_ties)

    def check(self, parameters):
        """Raise ValueError if the oracle is not made for a system."""
        self.function_for(TransitionSystem(parameters))

    def suits(self, parameters):
        """Whether the oracle is made for a system."""
        try:
            self.check(parameters)
        except ValueError:
            return False
        return True

    cdef OracleC compiled_for(self, TransitionSystem system) except *:
        cdef OracleC compiled
        compiled.compute = self.function_for(system)
        compiled.breaks_freely = False
        compiled.plain = plain_function(system.parameters, self.prefer_plain)
        return compiled

    cdef cost_function function_for(self, TransitionSystem system) except NULL:
        parameters = system.parameters
        if self.name == "static":
            return static_graph_costs if parameters.graph else self.static_function()
        if self.name == "dynamic" and parameters.graph:
            return graph_costs
        if self.name in ("reachability", "lookahead"):
            check_generic(parameters, self.name)
            return reachability_costs if self.name == "reachability" else lookahead_costs
        if self.name == "static_dynamic" or parameters.swap:
            return self.swap_function(parameters)
        if self.name == "dynamic":
            if parameters.is_arc_eager:
                return dynamic_costs
            check_generic(parameters, self.name)
            return reachability_costs if is_arc_decomposable(parameters) else lookahead_costs
        if is_arc_standard(parameters):
            return tabular_costs
        if is_arc_decomposable(parameters):
            return reachability_costs
        if parameters.is_arc_eager and parameters.tree_constraint:
            return exact_costs
        if parameters.is_arc_eager:
            raise ValueError(
                f"The exact oracle and tree_constraint=false contradict each other in "
                f"system '{parameters.name}'; use the dynamic oracle, exact there"
            )
        raise ValueError(
            "The exact oracle is for arc-eager with tree_constraint=true, distance=1 and "
            "left.reduce=true, arc-standard, arc-hybrid and easy-first with capacity=None; "
            f"'{parameters.name}' has capacity={parameters.capacity}, "
            f"distance={parameters.distance} and graph={str(parameters.graph).lower()}. Use "
            "the dynamic or the static oracle"
        )

    cdef cost_function static_function(self) except NULL:
        if self.swap_order == "eager":
            return eager_costs
        return lazy_costs if self.swap_order == "lazy" else static_costs

    cdef cost_function swap_function(self, parameters) except NULL:
        # Of systems with SWAP, and of the static-dynamic oracle.
        if self.name == "exact" and (parameters.is_arc_hybrid or parameters.is_arc_standard):
            return searched_costs_with_ties if self.projective_ties else searched_costs
        if not (parameters.swap and parameters.is_arc_hybrid):
            raise ValueError(
                f"The {self.name.replace('_', '-')} oracle is not made for system "
                f"'{parameters.name}' with swap={str(parameters.swap).lower()}; "
                f"{other_oracles(parameters)}"
            )
        if self.name == "static_dynamic":
            is_lazy = self.swap_order == "lazy"
            return lazy_static_dynamic_costs if is_lazy else static_dynamic_costs
        return swap_costs_with_ties if self.projective_ties else swap_costs

    def costs(self, Configuration configuration not None, heads, starts=None):
        """Cost of each legal transition, a dict from Transition to int.

        heads: gold head of each word; a root is its own head; None is missing. For a
            graph, the gold heads of each word, a collection.
        starts: for systems with BREAK, whether a gold sentence starts at each word.
        """
        return self._costs(configuration, heads, starts, False)

    cdef dict _costs(self, Configuration configuration, heads, starts, bint prefer):
        cdef TransitionSystem system = configuration.system
        cdef const ConfigurationC* c = &configuration.c
        cdef int n = c.n_words
        cdef int n_transitions = system.c.n_transitions
        cdef OracleC compiled = self.compiled_for(system)
        cdef GoldTrees gold = one_gold(system, heads, starts)
        cdef int[::1] scratch = numpy.zeros((scratch_size(&system.c, n) + 1,), dtype="i")
        cdef int[::1] costs = numpy.zeros((2 * n_transitions,), dtype="i")
        cdef int anchor = first_anchor(&system.c, c)
        cdef int position, i
        compiled.plain = plain_function(system.parameters, prefer)
        found = {}
        for position in range(1, n_anchors(&system.c, c) + 1 if n else 0):
            oracle_costs(&compiled, &system.c, c, gold.c, anchor, position, &scratch[0],
                         &costs[0])
            for i in range(n_transitions):
                if costs[i] < ILLEGAL:
                    found[system.transitions[i].at(position)] = costs[i]
            if anchor >= 0:
                anchor = c.below[anchor]
        return from_cheapest(found) if compiled.compute == lookahead_costs else found

    def derivation(self, TransitionSystem system not None, heads, labels=None, starts=None):
        """A cheapest derivation of a gold tree: a list of (Transition, label or None).

        Without repairs and UNSHIFT where the tree can be had without them.

        heads, starts: as in `costs`. labels: the gold labels, of each head in a graph.
        """
        configuration = system.initial(len(heads))
        steps = []
        while not configuration.is_terminal:
            costs = self._costs(configuration, heads, starts, True)
            transition = min(costs, key=costs.get)
            label = None
            if labels is not None and transition.is_arc:
                label = gold_label(configuration, transition, heads, labels)
            configuration.apply(transition, label)
            steps.append((transition, label))
        return steps


cdef GoldTrees one_gold(TransitionSystem system, heads, starts):
    # The gold tree or graph of one sentence, without labels.
    heads = list(heads)
    cdef int n = len(heads)
    if system.parameters.graph:
        arcs = [(word, head, NONE) for word in range(n) for head in heads[word]]
        return GoldTrees([n], [NONE] * n, [NONE] * n, False, starts, arcs)
    return GoldTrees(
        [n], [NONE if head is None else head for head in heads], [NONE] * n,
        system.parameters.root != "none", starts,
    )


cdef object gold_label(configuration, transition, heads, labels):
    # The label of the gold arc that a transition makes; of a tree, of its dependent.
    ends = [configuration.operative[1 - position - transition.anchor]
            for position in (transition.left, transition.right)]
    dependent, head = ends if transition.move == "LEFT" else ends[::-1]
    if not configuration.system.parameters.graph:
        return labels[dependent]
    gold = dict(zip(heads[dependent], labels[dependent]))
    return gold.get(head)
