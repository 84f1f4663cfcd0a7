"""Exact oracle for arc-standard: a table over stack and buffer.

Goldberg, Sartorio and Satta (2014, section 4). Arc-standard is not arc-decomposable: two
gold arcs can each be obtainable, but not both. The oracle computes the value V of a
configuration, the most words that can still get their gold head, and a transition costs
as much as it lowers V.

The words of the buffer are first joined to gold fragments, as far as that needs no word of the
stack. A fragment whose gold head is missing joins its neighbour, which loses nothing: what it could
be the head of would lose no more under another head. Then one row of items is left, the words of
the stack and the fragments:

    l_s ... l_2 l_1 | r_1 r_2 ... r_m

One tree grows from l_1: its word h takes the next item on either side as a dependent, or
becomes a dependent of it. Table cell (i, j, h) holds the most gold arcs of a tree over
l_i ... r_j with head h. For projective gold trees this is exact.

A value takes time (s + m) * s * m. A configuration of more than MAX_ITEMS items gets the
costs of the reachability oracle.
"""

from ...machine.configuration cimport (
    NONE, OPERATIVE, ConfigurationC, is_ahead, is_root_node, unprocessed,
)
from ...machine.transitions.arc cimport arc_dependent, arc_head
from ...machine.transitions.declarations cimport MAX_TRANSITIONS, SystemC, TransitionC, is_arc
from ..costs cimport ILLEGAL, CostFunction, QuestionC, wrapped
from ..gold cimport GoldC, is_root_head
from .reachability cimport reachability_costs

from ..rows import Need, Row, everywhere
from .reachability import reduces_without_swap

cdef enum:
    MAX_ITEMS = 64
    UNREACHED = -1000000


# One configuration after a transition: O and U with a word taken out or pushed.
cdef struct ItemsC:
    int n_left
    int n_right
    int left[MAX_ITEMS]      # the stack, its top first
    int right[MAX_ITEMS]     # the buffer's fragments, from left to right
    int reduced              # the word that the transition has taken out, or NONE


# The row of items

cdef bint fill_left(ItemsC* row, const ConfigurationC* c, int pushed) noexcept nogil:
    cdef int word = c.top
    row.n_left = 0
    if c.n_operative >= MAX_ITEMS:
        return False
    if pushed != NONE:
        row.left[0] = pushed
        row.n_left = 1
    while word != NONE:
        if word != row.reduced and not is_root_node(c, word):
            row.left[row.n_left] = word
            row.n_left += 1
        word = c.below[word]
    return True


cdef bint is_waiting(const ItemsC* row, const ConfigurationC* c, const GoldC* gold, int word,
                     const int* folded) noexcept nogil:
    # Whether a word still waits for a gold dependent.
    cdef int child = gold.first_child[word]
    while child != NONE:
        if c.place[child] == OPERATIVE:
            if child != row.reduced:
                return True
        elif is_ahead(c, child) and not folded[child]:
            return True
        child = gold.next_child[child]
    return False


cdef inline bint joins(const ItemsC* row, const ConfigurationC* c, const GoldC* gold,
                       int dependent, int head, const int* folded) noexcept nogil:
    # Whether a fragment can become a dependent of its neighbour without a loss.
    return (gold.head[dependent] in (head, NONE)
            and not is_waiting(row, c, gold, dependent, folded))


cdef bint fold_last_pair(ItemsC* row, const ConfigurationC* c, const GoldC* gold,
                         int* folded, int* n_arcs) noexcept nogil:
    # Joins the last two fragments, if the dependent is complete, and counts gold arcs.
    cdef int left, right
    if row.n_right < 2:
        return False
    left = row.right[row.n_right - 2]
    right = row.right[row.n_right - 1]
    if joins(row, c, gold, left, right, folded):
        folded[left] = True
        n_arcs[0] += gold.head[left] == right
        row.right[row.n_right - 2] = right
    elif joins(row, c, gold, right, left, folded):
        folded[right] = True
        n_arcs[0] += gold.head[right] == left
    else:
        return False
    row.n_right -= 1
    return True


cdef int fill_right(ItemsC* row, const ConfigurationC* c, const GoldC* gold, int pushed,
                    int* folded) noexcept nogil:
    # The number of gold arcs within the fragments; negative if there are too many fragments.
    cdef int i, word
    cdef int n_arcs = 0
    row.n_right = 0
    for i in range(c.n_words):
        folded[i] = False
    for i in range(1, c.n_unprocessed + 1):
        word = unprocessed(c, i)
        if word == pushed or is_root_node(c, word):
            continue
        if row.n_left + row.n_right >= MAX_ITEMS:
            return UNREACHED
        row.right[row.n_right] = word
        row.n_right += 1
        while fold_last_pair(row, c, gold, folded, &n_arcs):
            pass
    return n_arcs


# The table. Item k is l_(k+1) for k < n_left, and r_(k-n_left+1) behind.

cdef inline int item(const ItemsC* row, int k) noexcept nogil:
    return row.left[k] if k < row.n_left else row.right[k - row.n_left]


cdef void extend(const ItemsC* row, const GoldC* gold, const int* cell, int* extended,
                 int added) noexcept nogil:
    # Adds the item `added` to a tree, whose head is item k with the score cell[k].
    cdef int other = item(row, added)
    cdef int k, head, score
    for k in range(row.n_left + row.n_right):
        if cell[k] < 0:
            continue
        head = item(row, k)
        score = cell[k] + (gold.head[other] == head)
        extended[k] = max(extended[k], score)
        score = cell[k] + (gold.head[head] == other)
        extended[added] = max(extended[added], score)


cdef int best_tree(const ItemsC* row, const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    cdef int cells[2][MAX_ITEMS + 1][MAX_ITEMS]
    cdef int n_items = row.n_left + row.n_right
    cdef int i, j, k
    cdef int best = 0
    cdef int present = 0
    if n_items == 0:
        return 0
    clear(cells[0], n_items, row.n_right)
    # Where the stack is empty, the tree grows from the first fragment.
    cells[0][0 if row.n_left else 1][0] = 0
    for i in range(max(row.n_left, 1)):
        present = i % 2
        clear(cells[1 - present], n_items, row.n_right)
        for j in range(row.n_right + 1):
            if j < row.n_right:
                extend(row, gold, cells[present][j], cells[present][j + 1], row.n_left + j)
            if i + 1 < row.n_left:
                extend(row, gold, cells[present][j], cells[1 - present][j], i + 1)
    for k in range(n_items):
        j = gold.head[item(row, k)]
        j = is_root_head(c, j)
        best = max(best, cells[present][row.n_right][k] + j)
    return best


cdef void clear(int (*cells)[MAX_ITEMS], int n_items, int n_right) noexcept nogil:
    cdef int j, k
    for j in range(n_right + 1):
        for k in range(n_items):
            cells[j][k] = UNREACHED


cdef int value_after(const ConfigurationC* c, const GoldC* gold, int reduced, int pushed,
                     int* scratch) noexcept nogil:
    # The most gold arcs still to be made; negative where there are too many items.
    cdef ItemsC row
    cdef int n_arcs
    row.reduced = reduced
    if not fill_left(&row, c, pushed):
        return UNREACHED
    n_arcs = fill_right(&row, c, gold, pushed, scratch)
    return n_arcs if n_arcs < 0 else n_arcs + best_tree(&row, c, gold)


cdef int value_of(const ConfigurationC* c, const GoldC* gold, const TransitionC* t,
                  int anchor, int* scratch) noexcept nogil:
    cdef int dependent, value, word
    if not is_arc(t):
        word = unprocessed(c, 1)
        return value_after(c, gold, NONE, NONE if is_root_node(c, word) else word, scratch)
    dependent = arc_dependent(c, t, anchor)
    value = value_after(c, gold, dependent, NONE, scratch)
    return value + (gold.head[dependent] == arc_head(c, t, anchor))


cdef void tabular_costs(const QuestionC* q, int* costs) noexcept nogil:
    cdef int values[MAX_TRANSITIONS]
    cdef int best = 0
    cdef int i
    for i in range(q.system.n_transitions):
        if costs[i] == ILLEGAL:
            continue
        values[i] = value_of(q.c, q.gold, &q.system.transitions[i], q.anchor, q.scratch)
        if values[i] < 0:
            reachability_costs(q, costs)
            return
        best = max(best, values[i])
    # The best transition loses nothing: the value of c is the best value after it.
    for i in range(q.system.n_transitions):
        if costs[i] != ILLEGAL:
            costs[i] = best - values[i]


cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil:
    return n_words      # whether a word has been folded


cdef CostFunction TABLE = wrapped(tabular_costs, scratch_size)


EXACT = Row(
    name="exact",
    method="table of Goldberg, Sartorio & Satta (2014)",
    # These systems make arcs between O[2] and O[1] only, however they are named.
    needs=(Need(
        "arc-standard without SWAP",
        lambda parameters: reduces_without_swap(parameters) and parameters.capacity == 2
        and not parameters.front,
    ),),
    costs=lambda options: TABLE,
    findings=(("arc-standard", "projective trees, n ≤ 5, every root"),),
    is_exact=everywhere,
    is_advised=everywhere,
)
