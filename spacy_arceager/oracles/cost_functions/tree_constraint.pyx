"""Exact oracle for arc-eager under the tree constraint, before and after the end.

No sum over arcs is exact here, because the words that are left over at the end compete for their
heads. The oracle computes the value V of a configuration: the largest number of words that can
still get their gold head, where the root counts as one. A transition costs as much as it lowers V.

The stack, bottom first, is cut into segments 1..m: a headless word r_j and the chain of
headed words above it. After the end, the topmost headless word f is the front, and takes
or passes the segments below it:

  F(f, j): the best that f and the segments 1..j below it can still get. f attaches to a
      word of segment i (or to none, i = 0: it is the root) and takes r_k of each segment
      k > i by LEFT.
  W(j) = F(r_j, j - 1): the same, once r_j is alone with the segments below it.

Before the end, the segments above some j are taken or passed by words still to come,
and segment j and all below it stay until the end; the best j counts. For projective gold
trees this is exact, shown by exhaustive search in the tests. An artificial root behind the last
word is like the end of the input: it takes the word that is left.

A value takes time quadratic in m. Where a badly parsed, very long sentence has left more
than MAX_SEGMENTS segments, the costs are those of the dynamic oracle.
"""

from libc.string cimport memset

from ...kernels.memory cimport BlockC, n_ints, take_ints
from ...machine.configuration cimport NONE, ConfigurationC, in_buffer, is_root_node, operative
from ...machine.transitions.declarations cimport SystemC
from ...machine.transitions.dispatch cimport is_terminal
from ..costs cimport CostFunction, QuestionC, costs_by_trial, one_configuration, wrapped
from ..gold cimport GoldC, is_root_head
from .arc_eager cimport arc_eager_costs

from ..rows import PREFER_MONOTONIC, Need, Row, everywhere

cdef enum:
    MAX_SEGMENTS = 100


# The segments of one stack, whose arrays lie in the scratch memory.
cdef struct Segments:
    int m
    int* root          # r_1..r_m
    int* below         # the word just below r_j in the stack, or NONE
    int* of_word       # segment of each word on the stack, 0 for others
    int* alone         # W(0)..W(m)
    int* taken         # for one front word: gold dependents among the r_j
    int* retaken       # and among the wrongly headed words of a chain (non-monotonic LEFT)
    int* root_gain     # before the end: whether r_j can still get its head
    int* rest_gain     # and how many words gain by what else is in segment j


cdef size_t lay_out(Segments* s, int n_words, int* scratch) noexcept nogil:
    # All arrays of the segments; returns how many ints they take.
    cdef size_t row = <size_t>n_words + 2
    cdef BlockC arrays = BlockC(<char*>scratch, 0)
    s.root = take_ints(&arrays, row)
    s.below = take_ints(&arrays, row)
    s.of_word = take_ints(&arrays, row)
    s.alone = take_ints(&arrays, row)
    s.taken = take_ints(&arrays, row)
    s.retaken = take_ints(&arrays, row)
    s.root_gain = take_ints(&arrays, row)
    s.rest_gain = take_ints(&arrays, row)
    return n_ints(&arrays)


cdef void find_segments(Segments* s, const ConfigurationC* c, int front,
                        int* scratch) noexcept nogil:
    cdef int word
    memset(scratch, 0, lay_out(s, c.n_words, scratch) * sizeof(int))
    s.m = 0
    word = c.bottom
    while word != NONE and word != front:
        if c.head[word] == NONE:
            s.m += 1
            s.root[s.m] = word
            s.below[s.m] = c.below[word]
        s.of_word[word] = s.m
        word = c.above[word]


cdef void count_dependents(const SystemC* system, const ConfigurationC* c,
                           const GoldC* gold, Segments* s, int front,
                           int sign) noexcept nogil:
    # Adds (sign 1) or clears (sign 0) what `front` would gain from each segment.
    cdef int child = gold.first_child[front]
    cdef int segment
    while child != NONE:
        segment = s.of_word[child]
        if segment and c.head[child] == NONE:
            s.taken[segment] = sign
        elif segment and system.left_replaces_head and c.head[child] != front:
            s.retaken[segment] = sign * (s.retaken[segment] + 1)
        child = gold.next_child[child]


cdef int front_value(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                     Segments* s, int front, int j) noexcept nogil:
    # F(front, j)
    cdef int head = gold.head[front]
    cdef int head_segment = s.of_word[head] if head >= 0 else 0
    cdef int passed = 0
    cdef int best = 0
    cdef int i
    count_dependents(system, c, gold, s, front, 1)
    for i in range(j, 0, -1):
        best = max(best, passed + s.retaken[i] + (head_segment == i) + s.alone[i])
        passed += s.retaken[i]
        if s.taken[i]:
            passed += 1
        elif system.reduce_attaches and s.below[i] >= 0:
            passed += gold.head[s.root[i]] == s.below[i]
    best = max(best, passed + is_root_head(c, head))
    count_dependents(system, c, gold, s, front, 0)
    return best


cdef int fixed_value(const ConfigurationC* c, const GoldC* gold) noexcept nogil:
    cdef int word, n = 0
    for word in range(c.n_words):
        n += c.head[word] != NONE and c.head[word] == gold.head[word]
    return n


cdef void count_gains(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                      Segments* s, int word) noexcept nogil:
    # Counts whether `word`, on the stack, can get its gold head in the buffer or by REDUCE.
    cdef int head = gold.head[word]
    cdef int segment = s.of_word[word]
    if is_root_head(c, head):
        return
    if c.head[word] == NONE:
        s.root_gain[segment] = in_buffer(c, head) or (
            system.reduce_attaches and head >= 0 and s.below[segment] == head)
    elif system.left_replaces_head:
        s.rest_gain[segment] += in_buffer(c, head)


cdef int value_before_end(const SystemC* system, const ConfigurationC* c,
                          const GoldC* gold, Segments* s) noexcept nogil:
    cdef int word, head, j
    cdef int within = 0, gained = 0, best = 0
    for word in range(c.n_words):
        head = gold.head[word]
        if s.of_word[word]:
            count_gains(system, c, gold, s, word)
        elif in_buffer(c, word):
            if is_root_head(c, head):
                s.alone[0] = 1     # W(0): the gold root can be the last word left
            elif in_buffer(c, head):
                within += 1
            elif head >= 0 and s.of_word[head]:
                s.rest_gain[s.of_word[head]] += 1
    for j in range(s.m, -1, -1):
        gained += s.rest_gain[j]
        best = max(best, gained + s.alone[j])
        gained += s.root_gain[j]
    return within + best


cdef inline bint is_word(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and not is_root_node(c, node)


cdef inline bint is_gold_root(const ConfigurationC* c, const GoldC* gold,
                              int node) noexcept nogil:
    return is_word(c, node) and is_root_head(c, gold.head[node])


cdef int value(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
               int* scratch) noexcept nogil:
    cdef Segments s
    cdef int front = operative(c, 1)
    cdef int fixed = fixed_value(c, gold)
    cdef int j
    if is_terminal(system, c):
        return fixed + is_gold_root(c, gold, c.bottom)
    find_segments(&s, c, front, scratch)
    for j in range(1, s.m + 1):
        s.alone[j] = front_value(system, c, gold, &s, s.root[j], j - 1)
    if not c.ended:
        return fixed + value_before_end(system, c, gold, &s)
    if not is_word(c, front):
        return fixed + s.alone[s.m]
    return fixed + front_value(system, c, gold, &s, front, s.m)


cdef int count_headless(const ConfigurationC* c) noexcept nogil:
    cdef int n = 0
    cdef int word = c.top
    while word != NONE:
        n += c.head[word] == NONE
        word = c.below[word]
    return n


cdef int loss(const QuestionC* q, ConfigurationC* c) noexcept nogil:
    return -value(q.system, c, q.gold, q.scratch)


cdef void segment_costs(const QuestionC* q, int* costs) noexcept nogil:
    if count_headless(q.c) > MAX_SEGMENTS:
        arc_eager_costs(q, costs)
        return
    costs_by_trial(q, loss, costs)


cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil:
    cdef Segments s
    return one_configuration(system, n_words) + lay_out(&s, n_words, NULL)


cdef CostFunction SEGMENTS = wrapped(segment_costs, scratch_size)


EXACT = Row(
    name="exact",
    method="value of the segments of the stack, ours",
    needs=(Need(
        "arc-eager with tree_constraint=true, distance=1 and left.reduce=true, and no 'unshift' "
        "in non_monotonic",
        lambda parameters: parameters.is_arc_eager and parameters.tree_constraint
        and not parameters.unshifts_early,
    ),),
    costs=lambda options: SEGMENTS,
    findings=(
        ("arc-eager with tree constraint, also non-monotonic",
         "projective trees, n ≤ 5, also after the end of the input, root `none` and `right`"),
    ),
    options=(PREFER_MONOTONIC,),
    is_exact=everywhere,
    is_advised=everywhere,
)
