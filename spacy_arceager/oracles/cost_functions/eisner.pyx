"""Draft: exact costs of arc-hybrid for any gold tree, projective or not (compare Nederhof 2019).

The value of a configuration is the most gold arcs in a projective tree over its words (Eisner
1996), where an arc between two words of the stack joins neighbours from left to right.
"""

from ...machine.configuration cimport NONE, ConfigurationC, is_root_node, operative, unprocessed
from ...machine.transitions.declarations cimport SystemC
from ..costs cimport CostFunction, QuestionC, costs_by_trial, one_configuration, wrapped
from ..gold cimport GoldC, is_root_head
from .reachability cimport reachability_costs

from ..rows import Need, Row, everywhere

cdef enum:
    NEVER = -1000000


cdef inline int score(const GoldC* gold, const int* words, int n_stack, int head,
                      int dependent) noexcept nogil:
    if head < n_stack and dependent < n_stack and dependent != head + 1:
        return NEVER
    return gold.head[words[dependent]] == words[head]


cdef int most_arcs(const GoldC* gold, const ConfigurationC* c, const int* words, int m, int n_stack,
                   int* memory) noexcept nogil:
    cdef int* left = memory              # complete, the head is the right end
    cdef int* right = memory + m * m     # complete, the head is the left end
    cdef int* to_left = memory + 2 * m * m
    cdef int* to_right = memory + 3 * m * m
    cdef int span, i, j, k, best
    for i in range(m):
        left[i * m + i] = right[i * m + i] = 0
    for span in range(1, m):
        for i in range(m - span):
            j = i + span
            best = NEVER
            for k in range(i, j):
                best = max(best, right[i * m + k] + left[(k + 1) * m + j])
            to_left[i * m + j] = best + score(gold, words, n_stack, j, i)
            to_right[i * m + j] = best + score(gold, words, n_stack, i, j)
            best = NEVER
            for k in range(i, j):
                best = max(best, left[i * m + k] + to_left[k * m + j])
            left[i * m + j] = best
            best = NEVER
            for k in range(i + 1, j + 1):
                best = max(best, to_right[i * m + k] + right[k * m + j])
            right[i * m + j] = best
    best = NEVER
    for i in range(m):
        best = max(best, left[i] + right[i * m + m - 1] + is_root_head(c, gold.head[words[i]]))
    return best


cdef int loss(const QuestionC* q, ConfigurationC* c) noexcept nogil:
    cdef int* words = q.scratch
    cdef int n_stack = c.n_operative if c.end_on_top else c.n_operative - 1
    cdef int m = 0, found = 0, i
    cdef int word = c.bottom
    while word >= 0:
        words[m] = word
        m += 1
        word = c.above[word]
    for i in range(1, c.n_unprocessed + 1):
        words[m] = unprocessed(c, i)
        m += 1
    for word in range(c.n_words):
        found += c.head[word] != NONE and c.head[word] == q.gold.head[word]
    return c.n_words - found - most_arcs(q.gold, c, words, m, n_stack, words + c.n_words + 1)


cdef bint in_order(const GoldC* gold) noexcept nogil:
    # Whether the gold tree is projective.
    cdef int word
    for word in range(gold.n_words):
        if gold.order[word] != word:
            return False
    return True


cdef void eisner_costs(const QuestionC* q, int* costs) noexcept nogil:
    if in_order(q.gold):
        reachability_costs(q, costs)
    else:
        costs_by_trial(q, loss, costs)


cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil:
    cdef size_t n = n_words
    return one_configuration(system, n_words) + (n + 1) + 4 * n * n


cdef CostFunction EISNER = wrapped(eisner_costs, scratch_size)

ROW = Row(
    name="eisner",
    method="draft",
    needs=(Need(
        "arc-hybrid without an artificial root",
        lambda parameters: parameters.is_arc_hybrid and not parameters.swap
        and parameters.root == "none",
    ),),
    costs=lambda options: EISNER,
    findings=(),
)
