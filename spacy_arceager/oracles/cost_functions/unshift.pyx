"""Exact oracle for arc-eager with UNSHIFT before the end: a sum over arcs.

If a headless word can become the front again at any time and LEFT may replace a head (Honnibal and
Johnson 2015), no gold arc stands in the way of another. So a transition costs the number of gold
arcs that can be made before it but not after it. An arc whose dependent has not been reduced can be
made in two cases:

- its head is on the left and has not been reduced, and the dependent has no head;
- its head is on the right, in the buffer or headless on the stack. As the front it takes the
  dependent, even from a wrong head.

A word can be the root as long as it has no head. A word that UNSHIFT has put back cannot be shifted
over other words, but RIGHT can push it, and LEFT can then replace the head that it got.
"""

from ...machine.configuration cimport NONE, OPERATIVE, REDUCED, ConfigurationC, in_buffer, is_ahead
from ..costs cimport CostFunction, QuestionC, costs_by_trial, one_configuration, wrapped
from ..gold cimport GoldC, is_root_head

from ..rows import PREFER_MONOTONIC, Need, Row, everywhere, nowhere


cdef inline bint can_be_front(const ConfigurationC* c, int word) noexcept nogil:
    return in_buffer(c, word) or (c.place[word] == OPERATIVE and c.head[word] == NONE)


cdef bint can_be_had(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    # Whether a word has its gold head or can still get it.
    cdef int head = gold.head[word]
    if c.head[word] != NONE and c.head[word] == head:
        return True
    if head == NONE or c.place[word] == REDUCED:
        return False
    if is_root_head(c, head):
        return c.head[word] == NONE
    if head > word:
        return can_be_front(c, head)
    return c.head[word] == NONE and (c.place[head] == OPERATIVE or is_ahead(c, head))


cdef int loss(const QuestionC* q, ConfigurationC* c) noexcept nogil:
    cdef int word, n = 0
    for word in range(c.n_words):
        n += not can_be_had(c, q.gold, word)
    return n


cdef void unshift_costs(const QuestionC* q, int* costs) noexcept nogil:
    costs_by_trial(q, loss, costs)


cdef CostFunction SUM = wrapped(unshift_costs, one_configuration)

DYNAMIC, EXACT = (
    Row(
        name=name,
        method="sum over arcs, ours",
        needs=(Need(
            "arc-eager with non_monotonic=['left', 'unshift']",
            lambda parameters: parameters.unshifts_early and "left" in parameters.non_monotonic,
        ),),
        costs=lambda options: SUM,
        findings=(
            ("arc-eager with UNSHIFT before the end",
             "projective trees, n ≤ 5, also after the end of the input, root `none` and `right`"),
        ),
        options=(PREFER_MONOTONIC,),
        is_exact=everywhere,
        is_advised=everywhere if name == "exact" else nowhere,
    )
    for name in ("dynamic", "exact")
)
